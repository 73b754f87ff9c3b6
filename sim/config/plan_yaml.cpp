#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_parts.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace config {
namespace {

template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_same_v<T, StageLayers>)
    return fmt::format("[{}]", fmt::join(value.counts, ", "));
  else if constexpr (requires { value.value(); })
    return value ? value_text(*value) : std::string();
  else if constexpr (std::is_arithmetic_v<T>)
    return fmt::format("{}", value);
  else
    return std::string(name_in(names_of(value), value));
}

}  // namespace

std::string plan_yaml(const Plan& plan, std::string_view name, std::string_view source) {
  std::string text =
      fmt::format("name: {}\nsources:\n  tofn: {}\n", yaml_text(name), yaml_text(source));
  const auto add = [&](std::string_view key, const auto& value) {
    text += fmt::format("{}: {} [tofn]\n", key, value_text(value));
  };
  visit_plan([&](const PlanField& field, auto member) {
    const auto& value = plan.*member;
    if (field.key.empty() || (!field.is_required && value == Plan{}.*member)) return;
    add(field.key, value);
  });
  add("micro_batch", static_cast<int>(plan.micro_batch));
  RunSettings settings;
  settings.precision = plan.precision;
  if (plan.fp8_attention) settings.fp8_attention = true;
  if (plan.tensor_overlap) settings.tensor_overlap = true;
  if (plan.cuda_graphs != CudaGraphs::None) settings.cuda_graphs = plan.cuda_graphs;
  if (plan.in_network_reduction) settings.in_network_reduction = true;
  if (!plan.data_overlap) settings.overlap_gradient_reduction = false;
  return text + run_settings_yaml(settings);
}

}  // namespace config
}  // namespace tofn
