// Choices without effect at a point's sizes, for every field of a plan.
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "tests/catch.hpp"
#include "tests/unit/sweep/swept.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Values of a field as files spell them. The last one has an effect where possible.
std::vector<std::string> values_of(int) { return {"1", "2"}; }
std::vector<std::string> values_of(std::optional<int>) { return {"4", "8"}; }
std::vector<std::string> values_of(bool) { return {"false", "true"}; }
std::vector<std::string> values_of(const StageLayers&) { return {"[15, 17]", "[16, 16]"}; }
std::vector<std::string> values_of(RecomputeModules) { return {"[core_attn]", "[layernorm]"}; }
template <class E>
std::vector<std::string> values_of(E choice) {
  std::vector<std::string> values;
  for (const auto& [name, value] : names_of(choice)) values.emplace_back(name);
  return values;
}

bool is_of_experts(const std::string& word) {
  return word == "ep" || word == "whole_experts" || word.starts_with("expert_") ||
         word == "fp8_dispatch";
}

std::string on(int accelerators, const std::string& base, const std::string& word,
               const std::vector<std::string>& values) {
  return fmt::format(
      "name: test\ntitle: a test\nbase:\n  model: {}\n  cluster: dgx-h100\n"
      "  plan: data-parallel\n"
      "  accelerators: {}\n  batch: 16\n{}axes:\n  - {}: [{}]\ncolumns: [{}, step_s]\n",
      is_of_experts(word) ? "mixtral-8x7b" : "llama3-8b", accelerators, base, word,
      fmt::join(values, ", "), word);
}

/// Base settings of a sweep in which every field can have an effect: 2 of each.
std::string everywhere(const std::string& word) {
  std::string base = "  micro_batch: 1\n";
  if (is_of_experts(word) && word != "ep" && word != "whole_experts") base += "  ep: 2\n";
  if (word == "expert_overlap") base += "  chunks: 2\n";
  if (word == "recompute_modules") base += "  recompute: selective\n";
  for (const auto& [key, value] :
       {std::pair{"tp", "2"}, std::pair{"pp", "2"}, std::pair{"cp", "2"},
        std::pair{"sequence_parallel", "true"},
        std::pair{"sharded", word == "compression" ? "nothing" : "optimizer"}})
    if (word != key) base += fmt::format("  {}: {}\n", key, value);
  return base;
}

}  // namespace

TEST_CASE("a choice that does nothing at a size is neutral there, whatever it is") {
  visit_plan([](const PlanField& field, auto member) {
    if (field.key.empty() || field.need.is_met(Plan{})) return;
    const auto values = values_of(Plan{}.*member);
    INFO(field.name);
    Swept swept(on(1, "", std::string(field.name), values));
    const auto rows = swept.rows();
    CHECK(rows.size() == 1);
    CHECK(swept.maker.left_out().refused.count == 0);
    CHECK(swept.maker.left_out().repeated.count == values.size() - 1);
    CHECK_THAT(swept.maker.left_out().repeated.why, ContainsText(std::string(field.need.words)));
    // A choice without effect is valid on its own too, and costs no time.
    Swept alone(on(1, "", std::string(field.name), {values.back()}));
    const auto row = alone.rows();
    REQUIRE(row.size() == 1);
    CHECK(row[0].at("step_s") == rows[0].at("step_s"));
  });
}

TEST_CASE("the words of a plan reach its fields, where these act") {
  std::set<std::string> tried;
  visit_plan([&](const PlanField& field, auto member) {
    if (field.key.empty()) return;
    INFO(field.name);
    const std::string word(field.name);
    auto values = values_of(Plan{}.*member);
    if (word == "schedule") values = {"1f1b", "gpipe"};
    if (word == "shard_ranks") values = {"2", "4"};
    if (word == "recompute") values = {"none", "full"};
    if (word.starts_with("kept_") && word != "kept_master") values.pop_back();  // no `none`
    Swept swept(on(16, everywhere(word), word, values));
    PointMaker maker(swept.sources);
    std::set<bool> are_typical;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Point point = maker.plan(i);
      CHECK_FALSE(point.repetition.has_value());
      are_typical.insert(point.plan.*member == Plan{}.*member);
    }
    CHECK(are_typical.contains(false));
    const std::set<std::string> without_a_typical_value{"stage_layers",
                                                        "precision",
                                                        "gradient_precision",
                                                        "parameter_precision",
                                                        "accelerators_per_domain",
                                                        "recompute_modules",
                                                        "compile",
                                                        "shard_ranks"};
    const bool is_absent = without_a_typical_value.contains(word) || word.starts_with("kept_");
    CHECK(are_typical.size() == (is_absent ? 1 : 2));
    tried.insert(word);
  });
  for (const PlanKey& each : plan_keys())
    if (each.word != "micro_batch" && each.word != "grad_accum")
      CHECK(tried.contains(std::string(each.word)));
}
