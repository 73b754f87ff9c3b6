#include "sim/blocks/spool.hpp"

#include <fstream>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/program.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;
namespace fs = std::filesystem;

namespace {

const std::vector<IdentityPart> spool_identity{{"sweep file", "12ab"}};
const std::vector<OutputColumn> spool_columns{{"a", CellType::Whole}};
constexpr const char* header = "a\n";

/// A folder with `x.csv` and the files beside it.
struct Folder : TemporaryFolder {
  fs::path file() const { return path() / "x.csv"; }
  fs::path part() const { return path() / "x.csv.part"; }
  fs::path journal() const { return path() / "x.csv.journal"; }
  std::string anew() const { return "`rm " + part().string() + " " + journal().string() + "`"; }
  Spool begin() const { return {file(), spool_identity, header, false}; }
  Spool resume() const { return {file(), spool_identity, header, true}; }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path()), {}));
  }
};

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return std::move(text).str();
}

void append_to(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::app | std::ios::binary) << text;
}

bool finish(Spool& spool, const char* file = "rows.csv") {
  return spool.finish(output_format_of(file), spool_columns, [] { return false; });
}

/// Leaves two flushed blocks, and a third that is not flushed.
void leave_unfinished(const Folder& folder) {
  Spool spool = folder.begin();
  spool.append("1\n2\n");
  spool.append("");
  spool.flush(true);
  spool.append("3\n");
}

/// Resumes, writes the missing blocks of three, and checks the file.
void check_resumes(const Folder& folder, std::uint64_t first_block) {
  Spool spool = folder.resume();
  CHECK(spool.first_block() == first_block);
  const std::vector<std::string> blocks{"1\n2\n", "", "3\n"};
  for (std::uint64_t block = first_block; block < blocks.size(); ++block)
    spool.append(blocks[block]);
  CHECK(spool.rows() == 3);
  CHECK(finish(spool));
  CHECK(content(folder.file()) == "a\n1\n2\n3\n");
  CHECK(folder.count() == 1);
}

}  // namespace

TEST_CASE("rows become a file, and nothing stays beside it") {
  const Folder folder;
  std::ofstream(folder.file()) << "of before";
  Spool spool = folder.begin();
  CHECK(spool.first_block() == 0);
  spool.append("1\n2\n");
  spool.append("3\n");
  CHECK(spool.kept()->blocks == 0);
  spool.flush(false);  // not due
  CHECK(spool.kept()->blocks == 0);
  spool.flush(true);
  CHECK(spool.kept()->blocks == 2);
  CHECK(content(folder.part()) == "a\n1\n2\n3\n");
  CHECK(content(folder.file()) == "of before");
  CHECK(spool.rows() == 3);
  CHECK(finish(spool));
  CHECK(content(folder.file()) == "a\n1\n2\n3\n");
  CHECK(folder.count() == 1);
}

TEST_CASE("a run that was cut off goes on after the last flush") {
  const Folder folder;
  leave_unfinished(folder);
  SECTION("as it was left") {}
  SECTION("with rows that no journal speaks of") { append_to(folder.part(), "3\n4"); }
  SECTION("with a torn line in the journal") { append_to(folder.journal(), "0123abcd done\t3"); }
  SECTION("with a broken line in the journal") {
    append_to(folder.journal(), "0123456789abcdef done\t3\t3\t8\tff\n");
  }
  SECTION("twice") {
    append_to(folder.journal(), "0123");
    Spool spool = folder.resume();
    CHECK(spool.kept()->blocks == 2);
  }
  check_resumes(folder, 2);
}

TEST_CASE("rows that the last entry does not agree with are made again") {
  const Folder folder;
  leave_unfinished(folder);
  SECTION("because they are torn") { fs::resize_file(folder.part(), 5); }
  SECTION("because they are others") {
    fs::resize_file(folder.part(), 5);
    append_to(folder.part(), "\t");
  }
  check_resumes(folder, 0);
}

TEST_CASE("with nothing to resume from a run begins") {
  const Folder folder;
  SECTION("there is nothing") {}
  SECTION("the journal has no line yet") { std::ofstream(folder.journal()) << "0123"; }
  SECTION("the rows are not begun") {
    std::ofstream(folder.journal()) << journal_lines(spool_identity);
    std::ofstream(folder.part()) << "a";
  }
  check_resumes(folder, 0);
}

TEST_CASE("a run that was killed while it cleaned up has only that left to do") {
  const Folder folder;
  {
    Spool spool = folder.begin();
    spool.append("1\n");
    spool.flush(true);
  }
  append_to(folder.journal(), journal_finished_line());
  fs::rename(folder.part(), folder.file());
  Spool spool = folder.resume();
  CHECK(spool.first_block() == 1);
  CHECK(finish(spool));
  CHECK(content(folder.file()) == "a\n1\n");
  CHECK(folder.count() == 1);
}

TEST_CASE("a conversion that is stopped leaves what it was made from") {
  const Folder folder;
  leave_unfinished(folder);
  {
    Spool spool = folder.resume();
    CHECK_FALSE(spool.finish(output_format_of("rows.jsonl"), spool_columns, [] { return true; }));
  }
  CHECK(folder.count() == 2);
  check_resumes(folder, 2);
}

TEST_CASE("what may not be begun or resumed is refused in a line that says how to go on") {
  const Folder folder;
  const auto begin = [&] { folder.begin(); };
  const auto resume = [&] { folder.resume(); };
  leave_unfinished(folder);
  CHECK(refusal(begin) == folder.part().string() +
                              ": is what an unfinished run left: --resume goes on with it, " +
                              folder.anew() + " starts anew");
  CHECK(refusal([&] {
          const std::vector<IdentityPart> other{{"sweep file", "77cd"}};
          const Spool spool(folder.file(), other, header, true);
        }) == folder.journal().string() +
                  ": is of another run, with sweep file 12ab rather than 77cd: " + folder.anew() +
                  " starts anew");
  fs::resize_file(folder.part(), 1);
  CHECK(refusal(resume) == folder.part().string() + ": is not what " + folder.journal().string() +
                               " says: " + folder.anew() + " starts anew");
  append_to(folder.part(), "\n1\n");
  fs::resize_file(folder.journal(), 10);
  CHECK(refusal(resume) == folder.journal().string() +
                               ": is damaged and says nothing of the rows: " + folder.anew() +
                               " starts anew");
  fs::remove(folder.journal());
  CHECK(refusal(resume) == folder.part().string() + ": has no " + folder.journal().string() +
                               " beside it that says what it holds: remove it to start anew");
}

TEST_CASE("two processes do not make the same file") {
  const Folder folder;
  const Spool spool = folder.begin();
  const std::string refused = folder.file().string() + ": another process is making it";
  CHECK(refusal([&] { folder.resume(); }) == refused);
  CHECK(refusal([&] { folder.begin(); }) == refused);
}

TEST_CASE("a file needs a folder, and must be one that can be replaced") {
  CHECK(refusal([] { const Spool spool("/no/such/x.csv", spool_identity, header, false); }) ==
        "/no/such/x.csv.journal: cannot be written: No such file or directory");
  CHECK(refusal([] { const Spool spool("/dev/null", spool_identity, header, false); }) ==
        "/dev/null: is no regular file, and a run that can be resumed needs one");
}

TEST_CASE("behind a link the file that it leads to is made") {
  const Folder folder;
  std::ofstream(folder.path() / "target") << "of before";
  fs::create_symlink("target", folder.file());
  Spool spool = folder.begin();
  spool.append("1\n");
  CHECK(finish(spool));
  CHECK(fs::is_symlink(folder.file()));
  CHECK(content(folder.path() / "target") == "a\n1\n");
}
