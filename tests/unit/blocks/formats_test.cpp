#include "sim/blocks/formats.hpp"

#include <array>

#include <sqlite3.h>

#include "sim/blocks/csv_rows.hpp"
#include "sim/blocks/output_file.hpp"
#include "tests/catch.hpp"
#include "tests/program.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::vector<OutputColumn> columns{
    {"cluster", CellType::Text}, {"nodes", CellType::Whole}, {"step_s", CellType::Number}};

const std::string rows =
    "cluster,nodes,step_s\n"
    "\"a, \"\"b\"\" \\ c\",64,0.125\n"
    ",,\n"
    "eos,9007199254740993,1e-05\n"
    "eos,-1,inf\n";

bool never() { return false; }

/// Bytes of `text` converted to a format.
std::string converted(const std::string& format, const std::string& text = rows) {
  const TemporaryFile csv("rows.csv.part", text);
  const std::filesystem::path to = csv.path().string() + ".new";
  std::filesystem::remove(to);
  CHECK(output_format_of("rows." + format).write(csv.path(), columns, to, never));
  return take_file(to);
}

/// Cells that a query returns, with their types.
std::vector<std::string> query(const std::string& database, const std::string& statement) {
  const TemporaryFile file("points.sqlite", database);
  sqlite3* opened = nullptr;
  REQUIRE(sqlite3_open(file.path().c_str(), &opened) == SQLITE_OK);
  sqlite3_stmt* prepared = nullptr;
  REQUIRE(sqlite3_prepare_v2(opened, statement.c_str(), -1, &prepared, nullptr) == SQLITE_OK);
  std::vector<std::string> cells;
  while (sqlite3_step(prepared) == SQLITE_ROW)
    for (int i = 0; i < sqlite3_column_count(prepared); ++i) {
      constexpr std::array types{"", "int ", "real ", "text ", "blob ", "null"};
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(prepared, i));
      cells.push_back(types.at(static_cast<std::size_t>(sqlite3_column_type(prepared, i))) +
                      std::string(text == nullptr ? "" : text));
    }
  sqlite3_finalize(prepared);
  sqlite3_close(opened);
  return cells;
}

}  // namespace

TEST_CASE("a line of CSV comes apart into its cells") {
  using Cells = std::vector<std::string>;
  CHECK(csv_cells("a,b") == Cells{"a", "b"});
  CHECK(csv_cells("") == Cells{""});
  CHECK(csv_cells(",") == Cells{"", ""});
  CHECK(csv_cells("\"a, \"\"b\"\"\",,\"\"") == Cells{"a, \"b\"", "", ""});
}

TEST_CASE("CSV is the rows themselves") {
  CHECK(csv_header(columns) == "cluster,nodes,step_s\n");
  CHECK(converted("csv") == rows);
}

TEST_CASE("JSON Lines keep numbers as they are written, and have null for nothing") {
  CHECK(converted("jsonl") == R"({"cluster": "a, \"b\" \\ c", "nodes": 64, "step_s": 0.125})"
                              "\n"
                              R"({"cluster": null, "nodes": null, "step_s": null})"
                              "\n"
                              R"({"cluster": "eos", "nodes": 9007199254740993, "step_s": 1e-05})"
                              "\n"
                              R"({"cluster": "eos", "nodes": -1, "step_s": null})"
                              "\n");
  CHECK(converted("jsonl", "cluster,nodes,step_s\n").empty());
}

TEST_CASE("SQLite holds one table of typed cells") {
  const std::string database = converted("sqlite");
  CHECK(database.starts_with(std::string("SQLite format 3\0\x10\0", 18)));  // pages of 4,096 bytes
  CHECK(database.size() == 2 * 4096);  // the schema, and one page of rows
  using Cells = std::vector<std::string>;
  CHECK(query(database, "SELECT sql FROM sqlite_schema") ==
        Cells{R"(text CREATE TABLE points ("cluster" TEXT, "nodes" INTEGER, "step_s" REAL))"});
  CHECK(query(database, "SELECT * FROM points") ==
        Cells{"text a, \"b\" \\ c", "int 64", "real 0.125",        //
              "null", "null", "null",                              //
              "text eos", "int 9007199254740993", "real 1.0e-05",  //
              "text eos", "int -1", "real Inf"});
  CHECK(query(database, "PRAGMA integrity_check") == Cells{"text ok"});
  CHECK(converted("sqlite") == database);
}

TEST_CASE("a conversion that is stopped says so") {
  const TemporaryFile csv("rows.csv.part", rows);
  const std::filesystem::path to = csv.path().string() + ".new";
  for (const std::string format : {"jsonl", "sqlite"}) {
    CHECK_FALSE(
        output_format_of("rows." + format).write(csv.path(), columns, to, [] { return true; }));
    std::filesystem::remove(to);
  }
}

TEST_CASE("what cannot be written is a line") {
  const TemporaryFile csv("rows.csv.part", rows);
  for (const OutputFormat& format : output_formats()) {
    INFO(format.name);
    CHECK_THROWS_WITH(format.write(csv.path(), columns, "/no/such/folder/x", never),
                      ContainsText("/no/such/folder/x: cannot be written: "));
  }
}

TEST_CASE("a format is found by suffix") {
  CHECK(output_format_of("a/b.sqlite").name == "sqlite");
  CHECK(output_format_of("a.jsonl/b").name == "csv");
  CHECK(refusal([] { static_cast<void>(output_format_of("a.json")); }) ==
        "--output: '.json' is no format of rows: .csv, .jsonl or .sqlite");
}
