#include "sim/parallelism/plan_fields.hpp"

#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/name_table.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace parallelism {
namespace {

std::string word(std::string_view words, int size) {
  return fmt::format(fmt::runtime(words), size);
}
std::string word(std::string_view words, bool /*is_unusual*/) { return std::string(words); }
std::string word(std::string_view words, const StageLayers& layers) {
  return fmt::format(fmt::runtime(words), to_text(layers));
}
std::string word(std::string_view words, RecomputeModules modules) {
  return fmt::format(fmt::runtime(words), to_text(modules));
}
std::string word(std::string_view words, std::optional<int> size) {
  return word(words, size.value_or(0));
}
template <class E>
std::string word(std::string_view words, E choice) {
  return fmt::format(fmt::runtime(words), name_of(choice));
}
template <class E>
std::string word(std::string_view words, std::optional<E> choice) {
  return word(words, choice.value_or(E{}));
}

/// Adds the words of those rows that `is_wanted` accepts and the plan states.
template <class IsWanted>
void add_words(const Plan& plan, const IsWanted& is_wanted, std::vector<std::string>& words) {
  visit_plan([&](const PlanField& field, auto member) {
    if (!is_wanted(plan.*member) || field.words.empty()) return;
    const bool is_stated = field.printed == Printed::OnPipelines
                               ? plan.pipeline_parallel_size > 1
                               : field.printed == Printed::Always || plan.*member != Plan{}.*member;
    if (!is_stated) return;
    if (field.words.starts_with(' ') && !words.empty())
      words.back() += word(field.words, plan.*member);
    else
      words.push_back(word(field.words, plan.*member));
  });
}

}  // namespace

Plan without_idle_options(Plan plan) {
  visit_idle(plan, [&](const PlanField&, auto member) { plan.*member = Plan{}.*member; });
  return plan;
}

std::string plan_words(const Plan& plan) {
  const auto is_size = [](auto value) { return std::is_same_v<decltype(value), int>; };
  std::vector<std::string> words;
  add_words(plan, is_size, words);
  words.push_back(fmt::format(
      "{} of {:g}", counted(plan.gradient_accumulation, "micro-batch", "es"), plan.micro_batch));
  add_words(
      plan, [&](auto value) { return !is_size(value); }, words);
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace parallelism
}  // namespace tofn
