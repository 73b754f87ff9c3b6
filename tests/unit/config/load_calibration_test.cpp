#include "sim/config/load_calibration.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string head = "name: a\ndescription: b\nmachine: c\n";
const std::string table =
    "tables:\n"
    "  - source: \"who: where #1\"\n"
    "    file: n2.txt\n"
    "    tool: osu\n"
    "    collective: all-gather\n"
    "    ranks: 16\n"
    "    nodes: 2\n"
    "    rows:\n";

CollectiveCalibration calibration_from(const std::string& text) {
  return load_calibration(TemporaryFile("calibration.yaml", text).path());
}

/// Message that refuses the file, without its name.
std::string load_calibration_refusal_of(const std::string& text) {
  const TemporaryFile file("calibration.yaml", text);
  const std::string whole = refusal([&] { load_calibration(file.path()); });
  const std::string name = file.path().string();
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}

}  // namespace

TEST_CASE("a calibration's rows are bytes and microseconds; null was not measured") {
  const auto calibration = calibration_from(
      head + "cluster: d\n" + table + "      - [8, 25.03, null]\n      - [1024, null, 0.5]\n");
  CHECK(calibration.name == "a");
  CHECK(calibration.description == "b");
  CHECK(calibration.machine == "c");
  CHECK(calibration.cluster == "d");
  REQUIRE(calibration.tables.size() == 1);
  const CollectiveTable& only = calibration.tables[0];
  CHECK(only.source == "who: where #1");
  CHECK(only.file == "n2.txt");
  CHECK(only.tool == "osu");
  CHECK(only.collective == CollectiveKind::AllGather);
  CHECK(only.type.empty());
  CHECK(only.ranks == 16);
  CHECK(only.nodes == 2);
  REQUIRE(only.rows.size() == 2);
  CHECK(only.rows[0].size == 8_B);
  REQUIRE(only.rows[0].out_of_place);
  CHECK_THAT(only.rows[0].out_of_place->base(), WithinRel(25.03e-6, 1e-12));
  CHECK(!only.rows[0].in_place);
  CHECK(only.rows[0].line == 13);
  CHECK(!only.rows[1].out_of_place);
  CHECK_THAT(only.rows[1].in_place->base(), WithinRel(5e-7, 1e-12));
}

TEST_CASE("what is written is read back with the digits that a log prints") {
  CollectiveCalibration written{.name = "a [b]",
                                .description = "tab\there, \"quotes\" and \\ in 0 °C",
                                .machine = "null",
                                .cluster = {},
                                .tables = {}};
  CollectiveTable made;
  made.file = "1.txt";
  made.source = "# x: y";
  made.tool = "nccl-tests";
  made.collective = CollectiveKind::SendReceive;
  made.type = "float";
  made.ranks = 16;
  made.nodes = 2;
  made.algorithm = "Ring";
  made.protocol = "LL128";
  made.rows = {{.size = 8_B, .out_of_place = Seconds(68.51 / 1e6), .in_place = {}},
               {.size = 17179869184_B, .out_of_place = {}, .in_place = Seconds(7.6546e+04 / 1e6)}};
  written.tables = {made};
  const std::string text = to_yaml(written);
  CHECK_THAT(text, ContainsText("- [8, 68.51, null]\n"));
  CHECK_THAT(text, ContainsText("- [17179869184, null, 76546]\n"));
  const auto read = calibration_from(text);
  CHECK(read.name == written.name);
  CHECK(read.description == written.description);
  CHECK(read.machine == written.machine);
  CHECK(read.cluster.empty());
  REQUIRE(read.tables.size() == 1);
  CHECK(read.tables[0].source == made.source);
  CHECK(read.tables[0].collective == made.collective);
  CHECK(read.tables[0].type == "float");
  CHECK(read.tables[0].algorithm == "Ring");
  CHECK(read.tables[0].protocol == "LL128");
  CHECK(read.tables[0].rows[0].out_of_place == made.rows[0].out_of_place);
  CHECK(read.tables[0].rows[1].in_place == made.rows[1].in_place);
  CHECK(to_yaml(read) == text);
}

TEST_CASE("mistakes in a calibration name their place") {
  const auto row = [](const std::string& text) {
    return load_calibration_refusal_of(head + table + text);
  };
  CHECK(row("      - [8, 25]\n") ==
        ":12:9: tables.rows: expected [size_bytes, out_of_place_us, in_place_us] with null where "
        "none was measured, got 2 values");
  CHECK(row("      - [0, 25, 25]\n") == ":12:10: tables.rows: a size must be above 0");
  for (const char* none : {"-1", "0", "1e-320"})  // a millionth of the last is 0
    CHECK(row(fmt::format("      - [8, {}, 25]\n", none)) ==
          ":12:13: tables.rows: a time must be above 0");
  CHECK(row("      - [8, 1 us, 25]\n") == ":12:13: tables.rows: expected a number, got '1 us'");
  CHECK(row("      - [8, null, null]\n") == ":12:9: tables.rows: a row needs a time");
  CHECK(row("      - [8, 1, 1]\n      - [4, 1, 1]\n") ==
        ":13:9: tables.rows: sizes must ascend; a size may come several times");
  CHECK(row("      []\n") == ":12:7: tables.rows: a table needs a row");
  CHECK(row("      - [8, 1, 1]\n    size: 3\n") ==
        ":13:5: tables: unknown key 'size'; valid keys: source, file, tool, collective, type, "
        "ranks, nodes, algorithm, protocol, rows");
  CHECK(load_calibration_refusal_of(head + "tables: []\n") ==
        ":4:9: tables: a calibration needs a table");
  const std::string both = load_calibration_refusal_of("name: a\nmachine: m\ntables: []\n");
  CHECK(both.starts_with(":1:1: missing key 'description'\n"));
  CHECK(both.ends_with(":3:9: tables: a calibration needs a table"));
}

TEST_CASE("ranks run on no more nodes than there are ranks, in a known collective") {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = table;
    return load_calibration_refusal_of(head + text.replace(text.find(from), from.size(), to) +
                                       "      - [8, 1, 1]\n");
  };
  CHECK(with("nodes: 2", "nodes: 17") ==
        ":9:12: tables.ranks: 16 ranks are fewer than the 17 nodes that they run on");
  CHECK(with("nodes: 2", "nodes: 0") == ":10:12: tables.nodes: must be at least 1");
  CHECK(with("all-gather", "allgather") ==
        ":8:17: tables.collective: unknown value 'allgather', did you mean 'all-gather'? valid "
        "values: all-reduce, reduce-scatter, all-gather, broadcast, all-to-all, send-receive");
}
