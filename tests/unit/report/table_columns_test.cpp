#include "sim/report/table_columns.hpp"

#include <optional>

#include <fmt/format.h>

#include "sim/core/records.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

struct Ship {
  std::string name;
  int masts = 0;
  std::optional<double> knots{};
};

std::string tenths(double value) { return fmt::format("{:.1f}", value); }

const TableColumns<Ship>& ship_columns() {
  static const TableColumns<Ship> columns{
      {"name", &Ship::name, left("ship")},
      {"masts", &Ship::masts, right("masts")},
      {"speed_kn", &Ship::knots, right("kn", tenths)},
      {"speed_km_per_h",
       [](const Ship& s) { return s.knots ? std::optional(1.852 * *s.knots) : std::nullopt; }},
      TableColumn<Ship>(left("rig", [](const Ship& s) { return s.masts > 2 ? "full" : "brig"; }))};
  return columns;
}

const std::vector<Ship> ships{{"Thermopylae", 3, 17}, {"Pilgrim", 2}};

}  // namespace

TEST_CASE("a column with a head stands in the text, absent figures as a dash") {
  CHECK(table_text(ship_columns(), ships) ==
        "ship        masts   kn rig\n"
        "----------- ----- ---- ----\n"
        "Thermopylae     3 17.0 full\n"
        "Pilgrim         2    - brig\n");
}

TEST_CASE("a table goes without the columns of some heads") {
  CHECK(table_text(ship_columns(), ships, {"masts", "rig"}) ==
        "ship          kn\n"
        "----------- ----\n"
        "Thermopylae 17.0\n"
        "Pilgrim        -\n");
}

TEST_CASE("records have the words of all columns, by name or else by head") {
  const TableColumns<Ship> people{
      TableColumn<Ship>(left("crew", [](const Ship&) { return "few"; }), "hands aboard")};
  const auto words = with_words_of(people, records_of(ship_columns(), ships)).words;
  REQUIRE(words.size() == 6);
  CHECK(words[0].name == "name");
  CHECK(words[0].head == "ship");
  CHECK(words[4].name == "rig");
  CHECK(words[5].name == "crew");
  CHECK(words[5].meaning == "hands aboard");
}

TEST_CASE("a column with a name stands in CSV and JSON, whatever people see of it") {
  CHECK(to_csv(records_of(ship_columns(), ships)) ==
        "name,masts,speed_kn,speed_km_per_h\n"
        "Thermopylae,3,17,31.484\n"
        "Pilgrim,2,,\n");
}

TEST_CASE("a pattern writes numbers and text, and a dash for nothing") {
  CHECK(cell_text(2.375, "{:.2f}") == "2.38");
  CHECK(cell_text(12LL, "{}") == "12");
  CHECK(cell_text(std::string("ring"), "{}") == "ring");
  CHECK(cell_text(Value{}, "{:.2f}") == "-");
}
