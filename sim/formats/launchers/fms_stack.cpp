#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/launchers/launch_stack.hpp"

// fms-fsdp: `--key=value` over the dataclass of fms_fsdp/config/training.py.

namespace tofn {
inline namespace formats {
namespace {

/// Share of the layers that are recomputed, which the program takes as a number or as text such as
/// `1/3` (fms_fsdp/policies/ac_handler.py).
double recomputed_share(const LaunchValues& values, std::string_view key) {
  const std::string text = values.text(key);
  const std::size_t slash = text.find('/');
  double part = 0;
  double whole = 1;
  const bool is_read = parse_number(text.substr(0, slash), part) &&
                       (slash == std::string::npos || parse_number(text.substr(slash + 1), whole));
  if (!is_read || part < 0 || part > whole || !(whole > 0))
    values.fail(key, fmt::format("expected a number from 0 to 1, or a fraction such as 1/3, got "
                                 "'{}'",
                                 shortened(text)));
  return part / whole;
}

Recompute fms_recompute(const LaunchValues& values) {
  constexpr std::string_view key = "selective_checkpointing";
  const double share = recomputed_share(values, key);
  if (share > 0 && share < 1)
    values.fail(key, fmt::format("the program recomputes {} of the layers, and a plan recomputes "
                                 "all of them or none: state --recompute full or none",
                                 values.text(key)));
  return share > 0 ? Recompute::Full : Recompute::None;
}

LaunchedTraining fms_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training = training_on(values, size, "sharding_strategy");
  Plan& plan = training.plan;
  plan.micro_batch = quotient_of(values, "batch_size", values.whole("batch_size"), 1);
  values.choose("sharding_strategy", plan);
  if (values.truth("fsdp_activation_checkpointing") && !size.states_recompute)
    plan.recompute = fms_recompute(values);
  plan.precision = values.truth("mixed_precision") ? Precision::Bf16 : Precision::Fp32;
  training.model = values.model();
  training.sequence_length = length_of(values, "seq_length");
  training.steps = values.whole("num_steps");
  return training;
}

}  // namespace

const LaunchCode fms_code{.launcher = "fms-fsdp", .to_training = fms_training};

}  // namespace formats
}  // namespace tofn
