#include "sim/simulation/step_substitutions.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/words.hpp"
#include "sim/kernel/kernel_time.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace simulation {
namespace {

bool has_latent_attention(const Model& model) {
  return std::ranges::any_of(model.parts, [](const ModelPart& part) {
    const auto* layers = std::get_if<TransformerLayers>(&part.shape);
    return layers != nullptr && layers->latent;
  });
}

/// Formats stated by the plan that have no effect because of the products' precision or the other
/// formats. Defaults of the stack are not listed.
std::vector<std::string> idle_formats(const Plan& plan, Precision products,
                                      const StackDefaults& framework_defaults) {
  std::vector<std::string> all;
  const bool are_narrow = products == Precision::Fp8 || products == Precision::Fp4;
  if (plan.kept_parameters == KeptFormat::Fp8 && !are_narrow &&
      plan.kept_parameters != framework_defaults.kept_parameters)
    all.push_back(
        fmt::format("parameters kept in fp8 go with products in fp8 or fp4: products run in {}, "
                    "and parameters are kept as by default",
                    to_text(products)));
  Plan other = plan;
  other.kept_master = plan.kept_master == KeptFormat::Bf16 ? KeptFormat::Fp8 : KeptFormat::Bf16;
  if (plan.kept_master && state_of(products, plan).optimizer == state_of(products, other).optimizer)
    all.emplace_back(
        "--kept-master does nothing here: the optimizer has no parameters beside those in fp32");
  return all;
}

/// Sentence on a chip of a maker on whose chips no step of the stack was measured.
std::vector<std::string> other_vendors(const KernelProfile& profile, const Accelerator& chip) {
  const auto is_of = [&](const std::string& vendor) {
    return lower_case(vendor) == lower_case(chip.vendor);
  };
  if (profile.vendors.empty() || std::ranges::any_of(profile.vendors, is_of)) return {};
  return {
      fmt::format("stack {} was measured on chips of {} alone, and is not known to run on {} of {}",
                  profile.name, list_text(profile.vendors, "and"), chip.name, chip.vendor)};
}

}  // namespace

std::vector<std::string> unaligned_layers(const Model& model, const Plan& plan,
                                          const Accelerator& accelerator,
                                          const KernelProfile& profile) {
  const Plan computed = computed_plan(plan, model, accelerator);
  const PassPrecision precision =
      pass_precision(accelerator.computes_in(requested_precision(model, plan)), plan.fp8_attention);
  std::vector<std::string> all;
  for (const LayerWork& layer : layer_work(model, computed))
    for (const Kernel& kernel : layer.forward.kernels) {
      const double rows = unaligned_rows(kernel, precision);
      if (rows == 0) continue;
      const bool is_attention = kernel.arithmetic == Arithmetic::Attention;
      const auto& factor = is_attention ? profile.unaligned_heads_factor : profile.unaligned_factor;
      if (factor.value == 1) continue;
      add_new(all, {fmt::format("{}: {} of {:g} elements are no multiple of 16 bytes: products "
                                "with them take {:.2g} times as long",
                                layer.name, is_attention ? "heads" : "rows", rows, factor.value)});
    }
  return all;
}

std::vector<std::string> substitutions(const Model& model, const Plan& plan, const Cluster& cluster,
                                       const StackDefaults& framework_defaults) {
  std::vector<std::string> all = model.substitutions;
  const bool runs_graphs =
      plan.cuda_graphs == run_graphs(framework_defaults, plan.cuda_graphs, cluster.accelerator);
  add_new(all, substitutions(
                   {.precision = requested_precision(model, plan),
                    .fp8_attention = plan.fp8_attention,
                    .in_network_reduction = plan.in_network_reduction,
                    .cuda_graphs = runs_graphs ? CudaGraphs::None : plan.cuda_graphs,
                    .expert_dispatch = plan.expert_parallel_size > 1 ? plan.expert_dispatch
                                                                     : ExpertDispatch::AllToAll},
                   cluster));
  if (!plan.has_whole_samples())
    all.push_back(
        fmt::format("micro-batches of {:.6g} samples are a mean: programs run whole ones, and wait "
                    "for the largest",
                    plan.micro_batch));
  add_new(all, idle_formats(plan, cluster.accelerator.computes_in(requested_precision(model, plan)),
                            framework_defaults));
  if (plan.recompute_modules.has(RecomputeModule::LatentUpProjection) &&
      !has_latent_attention(model))
    all.push_back(
        fmt::format("{} has no latent attention: there is none to recompute", model.name));
  if (plan.compile && !framework_defaults.compile)
    all.emplace_back(
        "compile does nothing here: the stack's measured steps do not say whether they were "
        "compiled");
  if (runs_graphs && plan.cuda_graphs == CudaGraphs::Segmented)
    all.emplace_back("CUDA graphs of segments are modelled as one for each layer's pass");
  if (cluster.accelerator.computes_in(requested_precision(model, plan)) == Precision::Fp4)
    all.emplace_back(
        "products in fp4 reach the share of peak that those in fp8 reach, since no step in fp4 was "
        "measured");
  const int node = cluster.accelerators_per_node.value;
  const int size = plan.accelerators();
  if (size > node && size % node != 0)
    all.push_back(
        fmt::format("{} accelerators are {} of {} and {} of another: whole nodes are {} or {}",
                    size, counted(size / node, "full node"), node, size % node, size / node * node,
                    (size / node + 1) * node));
  return all;
}

std::vector<std::string> step_substitutions(const SimulatedStep& step,
                                            const KernelProfile& profile) {
  std::vector<std::string> all =
      substitutions(step.model, step.plan, step.cluster, profile.framework_defaults);
  if (step.heterogeneous.mixed)
    add_new(all, substitutions(step.model, step.plan, step.heterogeneous.mixed->cluster,
                               profile.framework_defaults));
  add_new(all, collective_substitutions(step.cluster, step.plan.in_network_reduction,
                                        step.work.answered));
  if (const std::string why = cannot_run(profile.framework_defaults, step.plan); !why.empty())
    add_new(all, {"stack " + profile.name + ' ' + why + ": taken as if it had"});
  add_new(all, unaligned_layers(step.model, step.plan, step.cluster.accelerator, profile));
  if (!profile.uncertainty.covariance.empty() && profile.steps == 0)
    add_new(all, {profile.family.empty()
                      ? "the average of all frameworks, with their spread (--stack)"
                      : "stack " + profile.name + " has the figures of its family, " +
                            profile.family + ", since fewer than 10 of its steps were measured"});
  add_new(all, other_vendors(profile, step.cluster.accelerator));
  if (profile.measured_on > 0 && step.plan.accelerators() > profile.measured_on)
    add_new(all,
            {fmt::format("stack {} was measured on {} at most; what more of them add to a step "
                         "follows {}",
                         profile.name, counted(profile.measured_on, "accelerator"),
                         profile.family.empty() ? "the average of all frameworks"
                                                : "its family, " + profile.family)});
  if (profile.own_steps > 0)
    add_new(all, {fmt::format("stack {} adjusted by {}{}", profile.name,
                              counted(profile.own_steps, "measured step"),
                              profile.model_factor == 1
                                  ? " of another model"
                                  : fmt::format(", with a factor of {:.3f} for this model",
                                                profile.model_factor))});
  return all;
}

}  // namespace simulation
}  // namespace tofn
