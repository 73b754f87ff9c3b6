#include "sim/config/lazy_folder.hpp"

#include <fstream>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

struct Thing {
  std::string name;
  std::vector<std::string> aliases;
};

/// A folder of files whose first line is a name. The word `broken` is an error.
struct Shelf {
  TemporaryFolder configs;
  int read = 0;

  Shelf() { std::filesystem::create_directory(configs.path() / "things"); }
  void write(const std::string& stem, const std::string& lines) const {
    std::ofstream(configs.path() / "things" / (stem + ".yaml")) << lines;
  }
  LazyFolder<Thing> open() {
    return {configs.path(), "things", [this](const std::filesystem::path& file) {
              ++read;
              std::ifstream in(file);
              Thing thing;
              std::getline(in, thing.name);
              for (std::string line; std::getline(in, line);) thing.aliases.push_back(line);
              if (thing.name == "broken") throw InputError({file.filename().string()}, "", "bad");
              return thing;
            }};
  }
};

}  // namespace

TEST_CASE("a thing is found by the name of its file, and no other file is read") {
  Shelf shelf;
  shelf.write("a-1", "A 1\n");
  shelf.write("b-2", "B 2\nA 1 twin\n");
  shelf.write("c-3", "broken\n");
  const auto things = shelf.open();
  CHECK(shelf.read == 0);
  const Thing* found = things.find("NVIDIA a/1");
  REQUIRE(found != nullptr);
  CHECK(found->name == "A 1");
  CHECK(things.find("A1") == found);
  CHECK(shelf.read == 1);
}

TEST_CASE("an alias is looked for in the files that hold its letters") {
  Shelf shelf;
  shelf.write("a-1", "A 1\n");
  shelf.write("b-2", "B 2\nOther (name)\n");
  shelf.write("c-3", "broken\n");
  const auto things = shelf.open();
  const Thing* found = things.find("other NAME");
  REQUIRE(found != nullptr);
  CHECK(found->name == "B 2");
  CHECK(shelf.read == 1);
  CHECK(things.find("unknown") == nullptr);
  CHECK(shelf.read == 1);
  CHECK_THROWS_WITH(things.find("broken"), Equals("c-3.yaml: bad"));
}

TEST_CASE("a file whose name is another thing's does not hide it") {
  Shelf shelf;
  shelf.write("a", "B\n");
  shelf.write("z", "A\n");
  const auto things = shelf.open();
  CHECK(things.find("A") == &things.all()[1]);
  CHECK(things.find("B") == &things.all()[0]);
}

TEST_CASE("things that a word tells of are looked for in the files that mention it") {
  Shelf shelf;
  shelf.write("a-1", "A 1\nblue\n");
  shelf.write("b-2", "B 2\nblue whale\n");
  shelf.write("c-3", "broken\n");
  shelf.write("d-4", "D 4\nsky.blue\nBlue\n");
  const auto things = shelf.open();
  const auto found = things.mentioning("blue", [](const Thing& each) {
    return std::find(each.aliases.begin(), each.aliases.end(), "blue") != each.aliases.end();
  });
  REQUIRE(found.size() == 1);
  CHECK(found.front() == things.find("A 1"));
  CHECK(shelf.read == 3);
}

TEST_CASE("a file with escapes may hold any letters") {
  Shelf shelf;
  shelf.write("a", "A\nb\\x43\n");
  const auto things = shelf.open();
  CHECK(things.find("unknown") == nullptr);
  CHECK(shelf.read == 1);
}

TEST_CASE("all things come in the order of their files, whatever was read before") {
  Shelf shelf;
  for (const std::string name : {"a", "b", "c"}) shelf.write(name, name + "\n");
  auto things = shelf.open();
  const Thing* last = things.find("c");
  const Thing& added = things.add(shelf.configs.path() / "things" / "a.yaml");
  REQUIRE(things.all().size() == 4);
  CHECK(things.all()[0].name == "a");
  CHECK(&things.all()[2] == last);
  CHECK(&things.all()[3] == &added);
  CHECK(shelf.read == 4);
}

TEST_CASE("all of a folder meets its first mistake, and a name that two files bear") {
  Shelf shelf;
  shelf.write("a", "X 1\n");
  shelf.write("b", "x-1\n");
  CHECK_THROWS_WITH(shelf.open().all(),
                    Equals((shelf.configs.path() / "things" / "b.yaml").string() +
                           ": name: 'x-1' is taken already"));
  shelf.write("a", "broken\n");
  CHECK_THROWS_WITH(shelf.open().all(), Equals("a.yaml: bad"));
}

TEST_CASE("a thing that was added is found beside those of the folder") {
  Shelf shelf;
  shelf.write("a-1", "A 1\n");
  const auto file = shelf.configs.path() / "mine.yaml";
  std::ofstream(file) << "Mine\nAlias\n";
  auto things = shelf.open();
  const Thing& added = things.add(file);
  CHECK(added.name == "Mine");
  CHECK(things.find("mine") == &added);
  CHECK(things.find("alias") == &added);
  CHECK(things.find("a1") == &things.all()[0]);
  CHECK(things.all().size() == 2);
}
