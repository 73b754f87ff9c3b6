#include "sim/validation/formula.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

CollectiveTable table_from(const std::string& file, const std::string& source, double seconds) {
  CollectiveTable table;
  table.file = file;
  table.source = source;
  table.ranks = 16;
  table.nodes = 2;
  table.rows.push_back({.size = Bytes{1024}, .out_of_place = Seconds{seconds}, .in_place = {}});
  return table;
}

}  // namespace

TEST_CASE("tables are the same by their file, by their rows or by their source") {
  const CollectiveTable table = table_from("a.txt", "a page", 1e-3);
  CHECK(is_same(table, table_from("a.txt", "another page", 2e-3)));
  CHECK(is_same(table, table_from("copy.txt", "another page", 1e-3)));
  CHECK(is_same(table, table_from("copy.txt", "a page", 2e-3)));
  CHECK_FALSE(is_same(table, table_from("copy.txt", "another page", 2e-3)));
  CHECK_FALSE(is_same(table_from("a.txt", "", 1e-3), table_from("b.txt", "", 2e-3)));
}
