#include "sim/blocks/journal.hpp"

#include <algorithm>

#include "tests/catch.hpp"

using namespace tofn;

namespace {

const std::vector<IdentityPart> identity{{"sweep file", "12ab"}, {"program", "tofn 1.0"}};

std::string written() {
  return journal_lines(identity) +
         journal_line({.blocks = 0, .rows = 0, .bytes = 5, .digest = "aa"}) +
         journal_line({.blocks = 7, .rows = 12, .bytes = 340, .digest = "bb"});
}

}  // namespace

TEST_CASE("a journal is read back as it was written") {
  const Journal journal = parse_journal(written());
  CHECK(journal.identity == identity);
  REQUIRE(journal.entries.size() == 2);
  CHECK(journal.entries[1].blocks == 7);
  CHECK(journal.entries[1].rows == 12);
  CHECK(journal.entries[1].bytes == 340);
  CHECK(journal.entries[1].digest == "bb");
  CHECK_FALSE(journal.is_finished);
  CHECK(parse_journal(written() + journal_finished_line()).is_finished);
}

TEST_CASE("wherever a journal is torn, the whole lines before count and no other") {
  const std::string text = written();
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string torn = text.substr(0, size);
    const auto lines = static_cast<std::size_t>(std::count(torn.begin(), torn.end(), '\n'));
    const Journal journal = parse_journal(torn);
    CHECK(journal.identity.size() + journal.entries.size() == lines);
  }
}

TEST_CASE("a line with any one character changed is left out") {
  const std::string line = journal_line({.blocks = 7, .rows = 12, .bytes = 340, .digest = "bb"});
  for (std::size_t at = 0; at + 1 < line.size(); ++at) {
    std::string broken = line;
    broken[at] = static_cast<char>(broken[at] ^ 1);
    INFO(broken);
    CHECK(parse_journal(broken + journal_finished_line()).entries.empty());
    CHECK(parse_journal(broken + journal_finished_line()).is_finished);
  }
}

TEST_CASE("identities differ in the first part that is another or is missing") {
  CHECK_FALSE(difference(identity, identity));
  CHECK(difference({{{"sweep file", "12ab"}, {"program", "tofn 0.9"}}}, identity) ==
        "program tofn 0.9 rather than tofn 1.0");
  CHECK(difference({{{"program", "tofn 1.0"}}}, identity) == "no sweep file rather than 12ab");
}
