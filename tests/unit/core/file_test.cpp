#include "sim/core/file.hpp"

#include <fstream>
#include <thread>

#include <unistd.h>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A folder that the destructor removes.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("tofn_file_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  std::ptrdiff_t file_count() const {
    return std::distance(std::filesystem::directory_iterator(path_), {});
  }
  std::filesystem::path put(const char* name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("a text file is read as it is") {
  const Folder folder;
  CHECK(read_text_file(folder.put("a", "\xEF\xBB\xBFone\r\n\u00b5")) ==
        "\xEF\xBB\xBFone\r\n\u00b5");
}

TEST_CASE("one answer reads each file once") {
  const Folder folder;
  const auto file = folder.put("a", "first");
  const auto read = [&] { return read_text_file(file); };
  {
    const ReadOnce one;
    CHECK(read() == "first");
    folder.put("a", "second");
    CHECK(read() == "first");
    {
      const ReadOnce other;
      CHECK(read() == "second");
    }
    CHECK(read() == "first");
    std::string elsewhere;
    std::thread([&] { elsewhere = read(); }).join();
    CHECK(elsewhere == "second");
    write_text_file_atomically(file, "third");
    CHECK(read() == "third");
  }
  folder.put("a", "fourth");
  CHECK(read() == "fourth");
}

TEST_CASE("a file above 1 MiB, as logs are, is not kept") {
  const Folder folder;
  const ReadOnce one;
  const auto file = folder.put("a", std::string((1 << 20) + 1, 'a'));
  CHECK(read_text_file(file).front() == 'a');
  folder.put("a", "b");
  CHECK(read_text_file(file) == "b");
}

TEST_CASE("what cannot be read says why in one line") {
  const Folder folder;
  const std::string path = folder.path().string();
  CHECK_THROWS_WITH(read_text_file(folder / "none"),
                    Equals(path + "/none: cannot be read: No such file or directory"));
  CHECK_THROWS_WITH(read_text_file(folder.path()),
                    Equals(path + ": is a directory, a file is needed"));
  CHECK_THROWS_WITH(read_text_file(folder.put("empty", "")), Equals(path + "/empty: is empty"));
  CHECK_THROWS_WITH(read_text_file(folder.put("binary", std::string_view("a\0b", 3))),
                    Equals(path + "/binary: is not a text file"));
}

TEST_CASE("a file is replaced whole and leaves nothing beside it") {
  const Folder folder;
  write_text_file_atomically(folder / "a", "first, longer");
  write_text_file_atomically(folder / "a", "second");
  CHECK(read_text_file(folder / "a") == "second");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a reader of the file that is replaced keeps what it opened") {
  const Folder folder;
  std::ifstream reader(folder.put("a", "first"));
  write_text_file_atomically(folder / "a", "second, longer");
  std::string text;
  std::getline(reader, text);
  CHECK(text == "first");
}

TEST_CASE("what cannot be written says why and leaves nothing behind") {
  const Folder folder;
  const std::string path = folder.path().string();
  CHECK_THROWS_WITH(write_text_file_atomically(folder / "none/a", "x"),
                    Equals(path + "/none/a: cannot be written: No such file or directory"));
  std::filesystem::create_directory(folder / "taken");
  CHECK_THROWS_WITH(write_text_file_atomically(folder / "taken", "x"),
                    Equals(path + "/taken: cannot be written: Is a directory"));
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a device is written to, never replaced") {
  const std::filesystem::path full = "/dev/full";
  if (!std::filesystem::is_character_file(full)) return;
  CHECK_THROWS_AS(write_text_file_atomically(full, std::string(100000, 'x')), WriteError);
  CHECK(std::filesystem::is_character_file(full));
}

TEST_CASE("a folder's entries come in order, those of none are none") {
  const Folder folder;
  folder.put("b", "");
  folder.put("a.yaml", "");
  std::filesystem::create_directory(folder / "c");
  CHECK(sorted_entries(folder.path()) ==
        std::vector<std::filesystem::path>{folder / "a.yaml", folder / "b", folder / "c"});
  std::error_code error;
  CHECK(sorted_entries(folder / "missing", error).empty());
  CHECK(error == std::errc::no_such_file_or_directory);
}
