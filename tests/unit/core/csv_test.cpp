#include "sim/core/csv.hpp"

#include <array>
#include <vector>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

CsvTable table(std::string_view text) { return CsvTable::parse(text, "t.csv"); }

std::string refusal_of(std::string_view text) {
  return refusal([&] { static_cast<void>(table(text)); });
}

}  // namespace

TEST_CASE("a table is read by row and column name") {
  const CsvTable read = table("system,nodes\neos,64\ntiny,1\n");
  CHECK(read.rows() == 2);
  CHECK(std::vector<std::string>(read.columns().begin(), read.columns().end()) ==
        std::vector<std::string>{"system", "nodes"});
  CHECK(read.has_column("nodes"));
  CHECK_FALSE(read.has_column("Nodes"));
  CHECK(read.at(0, "nodes") == "64");
  CHECK(read.at(1, "system") == "tiny");
}

TEST_CASE("byte order mark, CRLF, comments, blank lines and a last line without end") {
  const CsvTable read = table("\xEF\xBB\xBF# what, \"this\r\n#\r\na,b\r\n\r\n1,\r\n#x,2");
  CHECK(read.rows() == 2);
  CHECK(read.at(0, "a") == "1");
  CHECK(read.at(0, "b").empty());
  CHECK(read.at(1, "a") == "#x");
  CHECK(to_text(read.location(1, "b")) == "t.csv:6:4");
}

TEST_CASE("quotes hold commas, quotes and line breaks") {
  const CsvTable read = table("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\nlines\",\"\"\n3,4\n");
  CHECK(read.at(0, "a") == "x,y");
  CHECK(read.at(0, "b") == "say \"hi\"");
  CHECK(read.at(1, "a") == "two\nlines");
  CHECK(read.at(1, "b").empty());
  CHECK(to_text(read.location(1, "a")) == "t.csv:3:1");
  CHECK(to_text(read.location(1, "b")) == "t.csv:4:8");
  CHECK(to_text(read.location(2, "a")) == "t.csv:5:1");
}

TEST_CASE("columns of a table count characters, not bytes") {
  CHECK(to_text(table("a,b\n\u00b5\u20ac,2\n").location(0, "b")) == "t.csv:2:4");
}

TEST_CASE("a broken table is refused where it breaks") {
  CHECK(refusal_of("") == "t.csv: is empty");
  CHECK(refusal_of("\xEF\xBB\xBF") == "t.csv: is empty");
  CHECK(refusal_of("# only a comment\n\n") == "t.csv: has no header row");
  CHECK(refusal_of(std::string_view("a\0b", 3)) == "t.csv: is not a text file");
  CHECK(refusal_of("a,\xFF\n") == "t.csv: is not a text file");
  CHECK(refusal_of("a,b,c,d,e\n1,2,3\n") == "t.csv:2: row has 3 cells, the header has 5");
  CHECK(refusal_of("a,b\n\n1\n") == "t.csv:3: row has 1 cell, the header has 2");
  CHECK(refusal_of("a,b,a\n") == "t.csv:1:5: duplicate column 'a'");
  CHECK(refusal_of("a,,c\n") == "t.csv:1:3: a column has no name");
  CHECK(refusal_of("a,b\n1,\"2\n3,4\n") == "t.csv:2:3: a quote is not closed");
  CHECK(refusal_of("a,b\n1,\"2\"3\n") == "t.csv:2:6: text after a closing quote");
  CHECK(refusal_of("a,b\n1,2\"\n") == "t.csv:2:4: a quote inside a cell that is not quoted");
}

TEST_CASE("asking for a column that is not there names those that are") {
  const CsvTable read = table("# x\na,b\n1,2\n");
  CHECK_THROWS_WITH(read.at(0, "c"), Equals("t.csv:2: missing column 'c'; columns: a, b"));
}

TEST_CASE("a table that is not there is refused") {
  CHECK_THROWS_WITH(CsvTable::read("/nowhere/t.csv"),
                    Equals("/nowhere/t.csv: cannot be read: No such file or directory"));
}

TEST_CASE("a column of another name is refused where it stands") {
  constexpr std::array<std::string_view, 2> known{"size", "in_place"};
  const CsvTable table = CsvTable::parse("size,in-place\n1,2\n", "t.csv");
  CHECK(refusal([&] { table.refuse_unknown_columns(known); }) ==
        "t.csv:1:6: unknown column 'in-place', did you mean 'in_place'? valid columns: size, "
        "in_place");
}

TEST_CASE("columns of other names are left out in one line where notes are taken") {
  constexpr std::array<std::string_view, 2> known{"size", "in_place"};
  const CsvTable table = CsvTable::parse("# head\nsize,in-place,colour\n1,2,3\n", "t.csv");
  std::vector<std::string> notes;
  table.leave_out_unknown_columns(known, &notes);
  CHECK(notes == std::vector<std::string>{
                     "t.csv:2: columns left out: in-place (did you mean 'in_place'?), colour"});
  table.leave_out_unknown_columns(std::array<std::string_view, 3>{"size", "in-place", "colour"},
                                  &notes);
  CHECK(notes.size() == 1);
  CHECK_THAT(refusal([&] { table.leave_out_unknown_columns(known, nullptr); }),
             ContainsText("t.csv:2:6: unknown column 'in-place'"));
}

TEST_CASE("rows of the wrong length can be left out and told") {
  const TemporaryFile file("ragged.csv", "a,b\n1,2\n3\n4,5\n6,7,8\n");
  std::vector<InputError> left_out;
  const CsvTable table = CsvTable::read_sound_rows(file.path(), left_out);
  CHECK(table.rows() == 2);
  CHECK(table.at(1, "a") == "4");
  REQUIRE(left_out.size() == 2);
  CHECK(left_out[0].what() == file.path().string() + ":3: row has 1 cell, the header has 2");
  CHECK(left_out[1].what() == file.path().string() + ":5: row has 3 cells, the header has 2");
}
