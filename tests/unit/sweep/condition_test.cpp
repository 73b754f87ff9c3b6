#include "sim/sweep/condition.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::vector<std::string> known_names{"tp", "pp", "gpus_per_node", "fits_memory"};

bool holds(const std::string& text, std::vector<double> values) {
  return Condition({.text = text, .location = {}}, known_names).holds(values);
}

}  // namespace

TEST_CASE("constraints compare and calculate") {
  CHECK(holds("tp <= 8", {8}));
  CHECK_FALSE(holds("tp <= 8", {16}));
  CHECK(holds("fits_memory", {1}));
  CHECK_FALSE(holds("fits_memory", {0}));
  // Values are in the alphabetical order of the names: pp, tp.
  CHECK(holds("tp * pp <= 64 && tp >= pp", {8, 8}));
  CHECK_FALSE(holds("tp * pp <= 64 && tp >= pp", {9, 8}));
  CHECK(holds("tp % 2 == 0", {4}));
  CHECK_FALSE(holds("tp % 2 == 0", {3}));
  CHECK(holds("tp==8&&tp!=4&&tp>=8", {8}));
}

TEST_CASE("a condition says which names it uses") {
  CHECK(Condition({.text = "tp + pp < 3", .location = {}}, known_names).names() ==
        std::vector<std::string>{"pp", "tp"});
}

TEST_CASE("what is no expression, or of unknown names, is refused at its place") {
  const auto stated = [](const std::string& text) {
    return refusal([&] { Condition({.text = text, .location = {"s.yaml", 4, 5}}, known_names); });
  };
  CHECK_THAT(stated("tpp <= 8"),
             Equals("s.yaml:4:5: constraints: 'tpp <= 8': unknown name 'tpp', did you mean 'tp'? "
                    "valid names: tp, pp, gpus_per_node, fits_memory"));
  CHECK_THAT(stated("tp <="), ContainsText("s.yaml:4:5: constraints: 'tp <=': "));
  for (const char* text : {"tp = 8", "tp=8", "tp == 8 && pp = 2", "tp <= 8 && pp ="})
    CHECK_THAT(stated(text), ContainsText("equality is written =="));
}
