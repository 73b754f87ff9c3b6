#include "sim/answers/variable_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "sim/cluster/best_products.hpp"
#include "sim/cluster/cluster_fields.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/kernel/stack_fields.hpp"

namespace tofn {
inline namespace answers {
namespace {

template <class T>
std::string text_of(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return fmt::format("{:.4g}", number_of(value));
  else
    return to_text(value, 4);
}

template <class T>
void assign(T& figure, double value) {
  if constexpr (std::is_integral_v<T>)
    figure = static_cast<T>(std::lround(value));
  else
    figure = T{value};
}

template <class Field>
bool is_layout(const Field& field) {
  if constexpr (requires { field.role; })
    return !field.role.bears_basis && field.role.slower != Slower::OfSlowerLink;
  else
    return false;
}

template <class Field>
std::string input_key(const Field& field) {
  if constexpr (requires { field.dotted(); })
    return field.dotted();
  else
    return std::string(field.key);
}

/// Adds an input for each figure that `walk` visits; its name is `path` followed by its key.
template <class Walk>
void add_fields(std::vector<VariableInput>& all, const PredictionInputs& inputs,
                const std::string& path, const Walk& walk) {
  const auto add = [&](const auto& field, const auto& figure) {
    const auto* found = stated(figure);
    if (found == nullptr || !(number_of(*found) > 0) || is_layout(field)) return;
    using T = std::remove_cvref_t<decltype(found->value)>;
    if constexpr (std::is_same_v<T, bool>) {
      return;
    } else {
      const std::string key = input_key(field);
      const auto set = [=](PredictionInputs& changed, double value) {
        const auto change = [&](const auto& other, auto& held) {
          if (input_key(other) != key) return;
          if (auto* target = stated(held)) assign(target->value, value);
        };
        walk(change, changed);
      };
      all.push_back({.name = path + key,
                     .value = number_of(*found),
                     .text = text_of(found->value),
                     .source = found->is_assumed() ? "assumed" : found->source,
                     .set = set,
                     .bounds = field.range,
                     .is_whole = std::is_integral_v<T>});
    }
  };
  walk(add, inputs);
}

const char* const of_accelerator = "accelerator.";

VariableInput& input_named(std::vector<VariableInput>& all, std::string_view name) {
  return *std::ranges::find(all, name, &VariableInput::name);
}

/// Ties measured products to the peak that they are a share of.
void tie_best_products(std::vector<VariableInput>& all, const Accelerator& accelerator) {
  for (const auto& [name, precision] : precision_names)
    for (const BestProduct& best : best_products_of_peak(accelerator, precision)) {
      const std::string moved = of_accelerator + std::string(best.key);
      input_named(all, moved).bounds.most = accelerator.peak_at(precision).base();
      VariableInput& peak = input_named(all, fmt::format("{}peak.{}", of_accelerator, name));
      peak.moves.push_back(moved);
      peak.set = [set = peak.set, of = precision, figure = best.figure](PredictionInputs& changed,
                                                                        double value) {
        Accelerator& chip = changed.cluster.accelerator;
        FlopsPerSecond& reached = (chip.*figure)->value;
        const double share = reached / chip.peak_at(of);
        set(changed, value);
        reached = share * chip.peak_at(of);
      };
    }
}

/// A figure of a run that options can state.
struct RunFigure {
  std::string_view name;
  Seconds typical;
  std::optional<Seconds> ExpenseOptions::*request;
};
constexpr std::array run_figures{
    RunFigure{"failure-every", default_time_to_failure, &ExpenseOptions::time_to_failure},
    RunFigure{"restart", default_restart, &ExpenseOptions::restart},
    RunFigure{"checkpoint-cost", default_checkpoint, &ExpenseOptions::checkpoint}};

void add_run_figures(std::vector<VariableInput>& all, const PredictionInputs& inputs) {
  for (const RunFigure& figure : run_figures) {
    const auto& request = inputs.expenses.*figure.request;
    const Seconds value = request.value_or(figure.typical);
    all.push_back(
        {.name = std::string(figure.name),
         .value = value.base(),
         .text = to_text(value),
         .source = request ? "stated" : "assumed",
         .set = [field = figure.request](PredictionInputs& changed,
                                         double to) { changed.expenses.*field = Seconds{to}; },
         .bounds = range::positive});
  }
  if (inputs.start_up.base() > 0)
    all.push_back(
        {.name = "start-up",
         .value = inputs.start_up.base(),
         .text = to_text(inputs.start_up),
         .source = "assumed",
         .set = [](PredictionInputs& changed, double to) { changed.start_up = Seconds{to}; },
         .bounds = range::not_negative});
  if (const auto price = choose_price(inputs.cluster, inputs.expenses))
    all.push_back({.name = "price",
                   .value = price->usd_per_hour,
                   .text = fmt::format("{:.4g} USD/h", price->usd_per_hour),
                   .source = price->source,
                   .set = [](PredictionInputs& changed, double to) { changed.expenses.price = to; },
                   .bounds = range::positive});
}

}  // namespace

double VariableInput::times(double factor) const {
  const double number = std::clamp(value * factor, bounds.least, bounds.most);
  return is_whole ? std::round(number) : number;
}

std::vector<VariableInput> variable_inputs(const PredictionInputs& inputs) {
  std::vector<VariableInput> all;
  add_fields(all, inputs, of_accelerator,
             [](const auto& visit, auto& of) { visit_accelerator(visit, of.cluster.accelerator); });
  // Multiprocessors share the peak, so that their number says nothing by itself.
  std::erase_if(
      all, [](const VariableInput& each) { return each.name == "accelerator.multiprocessors"; });
  tie_best_products(all, inputs.cluster.accelerator);
  add_fields(all, inputs, "",
             [](const auto& visit, auto& of) { visit_cluster(visit, of.cluster); });
  add_fields(all, inputs, "stack.",
             [](const auto& visit, auto& of) { visit_stack(visit, of.stack); });
  add_run_figures(all, inputs);
  return all;
}

}  // namespace answers
}  // namespace tofn
