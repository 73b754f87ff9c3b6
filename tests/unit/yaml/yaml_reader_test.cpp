#include "sim/yaml/yaml_reader.hpp"

#include <array>

#include "sim/yaml/yaml_document.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

enum class Kind { Switch, Mesh };
constexpr std::array<std::pair<std::string_view, Kind>, 2> kind_names{
    {{"switch", Kind::Switch}, {"mesh", Kind::Mesh}}};

/// One key of every type that files have.
struct TestLink {
  int lanes = 0;
  Seconds latency;
  double efficiency = 1.0;
  bool is_full_duplex = false;
  std::string name = "unnamed";
  Sourced<BytesPerSecond> bandwidth;
  std::optional<Watts> power;
  std::vector<double> loads;
  Kind kind = Kind::Switch;
  Sourced<Kind> sourced_kind;
  std::optional<Kind> optional_kind;
};

TestLink read(const std::string& text) {
  TestLink link;
  YamlNode::parse(text, "l.yaml")
      .fields()
      .required("lanes", link.lanes)
      .optional("latency", link.latency)
      .optional("efficiency", link.efficiency)
      .optional("full_duplex", link.is_full_duplex)
      .optional("name", link.name)
      .optional("bandwidth", link.bandwidth)
      .optional("power", link.power)
      .optional("loads", link.loads)
      .optional_choice("kind", link.kind, kind_names)
      .optional_choice("sourced_kind", link.sourced_kind, kind_names)
      .optional_choice("optional_kind", link.optional_kind, kind_names)
      .done();
  return link;
}

std::string link_refusal(const std::string& text) {
  return refusal([&] { read(text); });
}

std::string parse_refusal(const std::string& text) {
  return refusal([&] { YamlNode::parse(text, "l.yaml"); });
}

const std::string sources = "sources:\n  sheet: A datasheet [2023], example.com\n  log: A log\n";

}  // namespace

TEST_CASE("a file of every type is read") {
  const TestLink link = read(
      "lanes: 010\nlatency: 1.9 us\nefficiency: 0.82\nfull_duplex: true\nname: NVLink 4, fast\n"
      "bandwidth: 400 Gb/s\npower: 700 W\nloads:\n  - 0.5\n  - 1\nkind: mesh\n"
      "sourced_kind: mesh\noptional_kind: mesh\n");
  CHECK(link.lanes == 10);
  CHECK(link.latency.base() == 1.9e-6);
  CHECK(link.efficiency == 0.82);
  CHECK(link.is_full_duplex);
  CHECK(link.name == "NVLink 4, fast");
  CHECK(link.bandwidth.value == 50_GBps);
  CHECK(link.bandwidth.source == "assumed");
  CHECK(link.power == 700_W);
  CHECK(link.loads == std::vector<double>{0.5, 1});
  CHECK(link.kind == Kind::Mesh);
  CHECK(link.sourced_kind.value == Kind::Mesh);
  CHECK(link.optional_kind == Kind::Mesh);
}

TEST_CASE("an absent optional key leaves its value alone") {
  const TestLink link = read("lanes: 4\n");
  CHECK(link.efficiency == 1.0);
  CHECK(link.name == "unnamed");
  CHECK_FALSE(link.power.has_value());
}

TEST_CASE("source tags are resolved, whatever the type") {
  const TestLink link = read(
      "lanes: 4 [sheet]\nlatency: 2 us [log]\nfull_duplex: true [assumed]\n"
      "name: plain [sheet]\nbandwidth: 3 GB/s [sheet, log]\npower: 7 W [log]\n"
      "kind: mesh [log]\nsourced_kind: mesh [log]\n" +
      sources);
  CHECK(link.lanes == 4);
  CHECK(link.name == "plain");
  CHECK(link.bandwidth.value == 3_GBps);
  CHECK(link.bandwidth.source == "A datasheet [2023], example.com; A log");
  CHECK(link.power == 7_W);
  CHECK(link.kind == Kind::Mesh);
  CHECK(link.sourced_kind.source == "A log");
  CHECK(read("lanes: 4\nbandwidth: 3 GB/s [assumed]\n").bandwidth.is_assumed());
}

TEST_CASE("a quoted text is taken word for word") {
  CHECK(read("lanes: 4\nname: 'plain [sheet]'\n").name == "plain [sheet]");
  CHECK(read("lanes: 4\nname: |\n  a block [x]\n").name == "a block [x]\n");
}

TEST_CASE("an unknown source is refused with the nearest known one") {
  CHECK(link_refusal("lanes: 4 [shet]\n" + sources) ==
        "l.yaml:1:8: lanes: unknown source 'shet', did you mean 'sheet'? "
        "valid sources: assumed, log, sheet");
  CHECK(link_refusal("lanes: 4\nbandwidth: 3 GB/s [sheet]\n") ==
        "l.yaml:2:12: bandwidth: unknown source 'sheet'; valid sources: assumed");
  CHECK(link_refusal("lanes: 4 []\n") ==
        "l.yaml:1:8: lanes: unknown source ''; valid sources: assumed");
}

TEST_CASE("the map of sources is held to its form") {
  CHECK(parse_refusal("sources: 4\n") == "l.yaml:1:10: sources: expected a map");
  CHECK(parse_refusal("a: 1\nsources:\n  x:\n") ==
        "l.yaml:3:3: sources: 'x' needs a reference as text");
  CHECK(parse_refusal("sources:\n  assumed: me\n") == "l.yaml:2:3: sources: 'assumed' is built in");
}

TEST_CASE("an unknown key is refused at its own place") {
  CHECK(link_refusal("lanes: 4\neficiency: 0.9\n") ==
        "l.yaml:2:1: unknown key 'eficiency', did you mean 'efficiency'? valid keys: lanes, "
        "latency, efficiency, full_duplex, name, bandwidth, power, loads, kind, sourced_kind, "
        "optional_kind, sources");
}

TEST_CASE("a key that is missing is refused at its map") {
  CHECK(link_refusal("latency: 2 us\n") == "l.yaml:1:1: missing key 'lanes'");
}

TEST_CASE("a duplicate key is refused at its second place, before anything is read") {
  CHECK(link_refusal("lanes: x\nlanes: 8\n") == "l.yaml:2:1: duplicate key 'lanes'");
  CHECK(parse_refusal("a:\n  b:\n    c: 1\n    d: 2\n    c: 3\n") ==
        "l.yaml:5:5: a.b: duplicate key 'c'");
}

TEST_CASE("a scalar of the wrong type is refused with its text") {
  CHECK(link_refusal("lanes: 0x10\n") == "l.yaml:1:8: lanes: expected a whole number, got '0x10'");
  CHECK(link_refusal("lanes: 1.5\n") == "l.yaml:1:8: lanes: expected a whole number, got '1.5'");
  CHECK(link_refusal("lanes: 3000000000\n") ==
        "l.yaml:1:8: lanes: expected a whole number from -2147483648 to 2147483647, got "
        "3000000000");
  CHECK(link_refusal("lanes:\n") == "l.yaml:1:1: lanes: expected a whole number, got nothing");
  CHECK(link_refusal("lanes: [1]\n") == "l.yaml:1:8: lanes: expected a whole number, got a list");
  CHECK(link_refusal("lanes: 4\nefficiency: .nan\n") ==
        "l.yaml:2:13: efficiency: expected a number, got '.nan'");
  CHECK(link_refusal("lanes: 4\nefficiency: 1e999\n") ==
        "l.yaml:2:13: efficiency: expected a number, got '1e999'");
  CHECK(link_refusal("lanes: 4\nfull_duplex: yes\n") ==
        "l.yaml:2:14: full_duplex: expected true or false (on or off), got 'yes'");
  CHECK(link_refusal("lanes: 4\nname:\n  a: 1\n") == "l.yaml:3:3: name: expected text, got a map");
  CHECK(link_refusal("lanes: 4\nlatency: 5\n") ==
        "l.yaml:2:10: latency: a unit is missing: expected a time such as '3.5 us', got '5'");
  CHECK(link_refusal("lanes: 4\nlatency: [5]\n") ==
        "l.yaml:2:10: latency: expected a time such as '3.5 us', got a list");
  CHECK(link_refusal("lanes: 4\nloads: 5\n") == "l.yaml:2:8: loads: expected a list, got '5'");
  CHECK(link_refusal("lanes: 4\nloads:\n  - 5\n  - six\n") ==
        "l.yaml:4:5: loads: expected a number, got 'six'");
  CHECK(link_refusal("lanes: 4\nkind: mehs\n") ==
        "l.yaml:2:7: kind: unknown value 'mehs', did you mean 'mesh'? valid values: switch, mesh");
  CHECK(link_refusal("lanes: 4\nkind: [mesh]\n") ==
        "l.yaml:2:7: kind: expected one of switch, mesh, got a list");
}

TEST_CASE("nested maps, lists and free keys keep their path") {
  const YamlNode root = YamlNode::parse(
      "node:\n  nics:\n    - rate: 1\n    - rate: x\nprices:\n  h100: 2\n  a100: 1\n", "l.yaml");
  Fields fields = root.fields();
  const YamlNode node = fields.child("node");
  CHECK(node.key() == "node");
  CHECK(to_text(node.location()) == "l.yaml:2:3");
  Fields node_fields = node.fields();
  const auto nics = node_fields.child("nics").items();
  node_fields.done();
  REQUIRE(nics.size() == 2);
  double rate = 0;
  nics[1].fields().required("rate", rate).done();
  CHECK(rate == 1);
  const auto prices = fields.child("prices").entries();
  CHECK(refusal([&] { fields.done(); }) ==
        "l.yaml:4:13: node.nics.rate: expected a number, got 'x'");
  REQUIRE(prices.size() == 2);
  CHECK(prices[0].first == "h100");
  prices[1].second.read(rate);
  CHECK(rate == 1);
  CHECK(refusal([&] { prices[0].second.fail("is too dear"); }) ==
        "l.yaml:6:9: prices.h100: is too dear");
  CHECK(refusal([&] { prices[0].second.fields(); }) ==
        "l.yaml:6:9: prices.h100: expected a map, got '2'");
}

TEST_CASE("what configuration does not need of YAML is refused where it stands") {
  CHECK(parse_refusal("") == "l.yaml: is empty");
  CHECK(parse_refusal("# nothing\n") == "l.yaml: is empty");
  CHECK(parse_refusal("---\n") == "l.yaml: is empty");
  CHECK(parse_refusal("a: 1\n---\nb: 2\n") ==
        "l.yaml:2:1: a second document; one file holds one document");
  CHECK_THAT(parse_refusal("a: &x 1\nb: 2\n"),
             Equals("l.yaml:1:4: anchors and merge keys are not supported"));
  CHECK_THAT(parse_refusal("a:\n  <<: 1\n"),
             Equals("l.yaml:2:3: a: anchors and merge keys are not supported"));
  CHECK_THAT(parse_refusal("a: !!int 1\n"), ContainsText("l.yaml:1:4: the YAML tag "));
  CHECK(parse_refusal("? [1, 2]\n: 3\n") == "l.yaml:1:3: a key must be plain text");
  CHECK(parse_refusal(": 3\n") == "l.yaml:1:1: a key is missing");
}

TEST_CASE("a text that is no YAML is refused with what its writer would change") {
  const std::string indentation =
      "this line is indented unlike its neighbours: the keys of one map, and the entries of one "
      "list, begin in one column";
  const std::string value_and_keys =
      "a key cannot stand here, because the line before it has a value or lacks its colon: a key "
      "has either a value or keys below it";
  const std::string tab = "a tab indents this line: indent with spaces";
  for (const auto& [text, place, words] :
       std::vector<std::array<std::string, 3>>{{"a:\n  b: 1\n c: 2\n", "3:2", indentation},
                                               {"a:\n  - b: 1\n   c: 2\n", "3:4", indentation},
                                               {" a: 1\nb: 2\n", "2:1", indentation},
                                               {"a: 1\n  b: 2\n", "2:4", value_and_keys},
                                               {"a 1\nb: 2\n", "2:2", value_and_keys},
                                               {"a: b: c\n", "1:5",
                                                "a value that has ': ' in it "
                                                "needs quotes"},
                                               {"a:\n\t- b\n", "2:2", tab},
                                               {"a:\n  b: 1\n\tc: 2\n", "3:1", tab}}) {
    CAPTURE(text);
    CHECK(parse_refusal(text) == "l.yaml:" + place + ": " + words);
  }
}

TEST_CASE("a file of JSON that was cut is refused where what it leaves open begins") {
  const auto refused = [](const std::string& json) {
    return refusal([&] { parse_yaml(json, "ds.json"); });
  };
  const std::string ends = ": the file ends before this ";
  CHECK(refused("{\"a\": 1, \"zero\": {\"stage\": 2,") == "ds.json:1:18" + ends + "{ is closed");
  CHECK(refused("{\n  \"a\": {\"b\": \"}\"},\n  \"c\": [1, 2") ==
        "ds.json:3:8" + ends + "[ is closed");
  CHECK(refused("{\"a\": 1, \"train_ba") == "ds.json:1:10" + ends + "\" is closed");
  CHECK(refused("{\"a\": \"\\\"") == "ds.json:1:7" + ends + "\" is closed");
  CHECK(refused("{\"a\": 1").ends_with("ds.json:1:1" + ends + "{ is closed"));
  // A complete text is refused for its actual error.
  CHECK_THAT(refused("{\"a\": 1, \"a\": 2}"), ContainsText("duplicate key 'a'"));
}

TEST_CASE("what is no YAML is refused where the parser stops") {
  CHECK_THAT(parse_refusal("a: 1\n\tb: 2\n"), ContainsText("l.yaml:2:"));
  CHECK_THAT(parse_refusal("a: [1, 2\nb: 3\n"), ContainsText("l.yaml:"));
  CHECK_THAT(parse_refusal("a: *x\n"), ContainsText("l.yaml:1:"));
  CHECK(parse_refusal(std::string("a: \0", 4)) == "l.yaml: is not a text file");
}

TEST_CASE("deep nesting is an error, not a crash") {
  CHECK(parse_refusal(std::string(1000, '[') + std::string(1000, ']')) ==
        "l.yaml:1:65: nested too deeply");
  CHECK_THAT(parse_refusal(std::string(100000, '[')), ContainsText("l.yaml:1:"));
  CHECK_THAT(parse_refusal(std::string(20000, '{')), ContainsText("l.yaml:1:"));
  std::string list;
  for (int i = 0; i < 20000; ++i) list += "- ";
  CHECK(parse_refusal(list) == "l.yaml:1:129: nested too deeply");
}

TEST_CASE("columns of a YAML file count characters, not bytes") {
  CHECK(link_refusal("lanes: 4\n\"\u00b5\u20ac\": {x: 1, x: 2}\n") ==
        "l.yaml:2:14: \u00b5\u20ac: duplicate key 'x'");
}

TEST_CASE("a file is read with its byte order mark, and named when it cannot be read") {
  CHECK(read("\xEF\xBB\xBFlanes: 4\n").lanes == 4);
  CHECK_THROWS_WITH(YamlNode::load("/nowhere/l.yaml"),
                    Equals("/nowhere/l.yaml: cannot be read: No such file or directory"));
}

TEST_CASE("all keys that are missing or unknown are said at once, a line each") {
  const auto read_both = [](const std::string& text) {
    double width = 0;
    int count = 0;
    std::string name;
    Fields fields = YamlNode::parse(text, "b.yaml").fields();
    fields.required("name", name);
    Fields inner = fields.child("inner").fields();
    inner.required("width", width).required("count", count).done();
    fields.required("title", name);
    fields.done();
  };
  CHECK(refusal([&] { read_both("inner: {widht: 3}\n"); }) ==
        "b.yaml:1:1: missing key 'name'\n"
        "b.yaml:1:8: inner: missing key 'width'\n"
        "b.yaml:1:8: inner: missing key 'count'\n"
        "b.yaml:1:9: inner: unknown key 'widht', did you mean 'width'? valid keys: width, count\n"
        "b.yaml:1:1: missing key 'title'");
  // Keys inside a missing map are not reported as well.
  CHECK(refusal([&] { read_both("name: n\ntitle: t\n"); }) == "b.yaml:1:1: missing key 'inner'");
}

TEST_CASE("bad values are said with the keys that are missing, each once") {
  CHECK(link_refusal("latency: 2\nefficiency: high\nfull_duplex: maybe\nkind: torus\nwidth: 3\n"
                     "loads: [1, two]\nname: {a: 1}\nbandwidth: 1 GB/s [sheat]\n" +
                     sources) ==
        "l.yaml:1:1: missing key 'lanes'\n"
        "l.yaml:1:10: latency: a unit is missing: expected a time such as '3.5 us', got '2'\n"
        "l.yaml:2:13: efficiency: expected a number, got 'high'\n"
        "l.yaml:3:14: full_duplex: expected true or false (on or off), got 'maybe'\n"
        "l.yaml:7:7: name: expected text, got a map\n"
        "l.yaml:8:12: bandwidth: unknown source 'sheat', did you mean 'sheet'? valid sources: "
        "assumed, log, sheet\n"
        "l.yaml:6:12: loads: expected a number, got 'two'\n"
        "l.yaml:4:7: kind: unknown value 'torus'; valid values: switch, mesh\n"
        "l.yaml:5:1: unknown key 'width'; valid keys: lanes, latency, efficiency, full_duplex, "
        "name, bandwidth, power, loads, kind, sourced_kind, optional_kind, sources");
}

TEST_CASE("a rule that a text cannot break is said beside a text that is missing") {
  const auto read_named = [&](const std::string& text) {
    std::string title;
    std::string chip;
    Fields fields = YamlNode::parse(text, "d.yaml").fields();
    fields.required("title", title).required("chip", chip);
    if (chip != "H100") fields.child("chip").fail("is none");
    fields.done();
  };
  CHECK(refusal([&] { read_named("chip: H10\n"); }) ==
        "d.yaml:1:1: missing key 'title'\nd.yaml:1:7: chip: is none");
  CHECK(refusal([&] { read_named("title: t\n"); }) == "d.yaml:1:1: missing key 'chip'");
}

TEST_CASE("a mistake that may follow from a missing key is not said") {
  int groups = 0;
  const auto read_divided = [&](const std::string& text) {
    Fields fields = YamlNode::parse(text, "d.yaml").fields();
    fields.required("groups", groups);
    if (groups != 4) fields.map().fail("must be 4");
    fields.done();
  };
  CHECK(refusal([&] { read_divided("other: 1\n"); }) == "d.yaml:1:1: missing key 'groups'");
  CHECK(refusal([&] { read_divided("groups: 3\n"); }) == "d.yaml:1:1: must be 4");
}
