#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace kernel {

/// Assumed of every stack that says nothing of its own: the share of the memory's bandwidth that
/// element-wise kernels and optimizers reach, and what compute loses of the time that communication
/// lasts beside it.
inline constexpr double default_memory_efficiency = 0.85;
inline constexpr double default_overlap_slowdown = 0.10;

/// What reports call peak memory: bytes of tensors; those that the allocator holds for them; all
/// that is taken of the device. Each holds those before it.
enum class MemoryReading { Allocated, Reserved, Device };
inline constexpr std::array<std::pair<std::string_view, MemoryReading>, 3> memory_reading_names{
    {{"allocated", MemoryReading::Allocated},
     {"reserved", MemoryReading::Reserved},
     {"device", MemoryReading::Device}}};
constexpr const auto& names_of(MemoryReading) { return memory_reading_names; }

/// What a stack does where its user does not say otherwise; absent: as the model or the plan has
/// it.
struct StackDefaults {
  std::optional<bool> fused_attention;
  std::optional<bool> data_overlap;
  std::optional<bool> parameter_overlap;
  std::optional<bool> tensor_overlap;
  std::optional<bool> send_overlap;
  std::optional<bool> balanced_stages;
  std::optional<CudaGraphs> cuda_graphs;
  std::optional<ExpertDispatch> expert_dispatch;
  std::optional<bool> whole_experts;
  std::optional<Compile> compile;
  std::optional<int> vocabulary_multiple;  ///< that entries on a rank are padded to
  /// What plans that shard parameters become on pipelines.
  std::optional<Sharded> sharded_in_pipeline;
  std::optional<SelectiveRecompute> selective_recompute;
  // What it keeps between steps, as Plan has it.
  std::optional<KeptFormat> kept_parameters;
  std::optional<KeptFormat> kept_gradients;
  std::optional<KeptFormat> kept_master;
  std::optional<KeptFormat> kept_moments;
  // What it can run; absent or empty: anything.
  std::optional<bool> runs_tensor_parallel;
  std::optional<bool> runs_pipelines;
  std::optional<bool> runs_context_parallel;
  std::vector<Sharded> runs_sharded;
  std::vector<PipelineSchedule> runs_schedules;
  // What it keeps, as TransformerLayers and Vocabulary have it.
  std::optional<bool> keeps_activation;
  std::optional<bool> keeps_gathered;
  std::optional<bool> keeps_answers;
  std::optional<double> loss_bytes;
  std::optional<double> split_loss_bytes;
  std::optional<bool> whole_logits;
  /// Of one layer, in 16 bits, beside those that are accumulated.
  std::optional<bool> keeps_layer_gradients;
  std::optional<bool> gradients_grow;
  std::optional<MemoryReading> reported_memory;
  /// Of what comes and goes in a step, what the allocator loses to fragments.
  std::optional<double> fragmentation;
};

/// Standard deviations of what of the logarithm of a step no figure explains: of a run, of steps
/// that differ in their replicas alone, of a model on a stack and a chip.
struct Discrepancy {
  double run = 0;
  double plan = 0;
  double model = 0;

  double total() const { return std::hypot(run, plan, model); }
};

/// How well the figures of a stack are known, from the steps that they were learnt from.
struct StackUncertainty {
  /// Of the logarithms of `stack_figures`, row by row; empty: not learnt.
  std::vector<double> covariance{};
  Discrepancy discrepancy{};
  Discrepancy of_mixtures{};  ///< the same of steps of models with experts
  /// Covariance of each figure with the factor of a model that was measured; empty: none was.
  std::vector<double> with_model{};
};

/// What measured steps teach of a chip beside the figures of the stack: a factor on all that its
/// steps compute, how far it may be off, and its covariance with each of `stack_figures`.
struct ChipFactor {
  std::string chip;
  double factor = 1;
  double deviation = 0;  ///< of its logarithm
  std::vector<double> with_figures{};
};

/// A job of which a step was measured: there the answer is the measurement.
struct MeasuredJob {
  std::string key;                   ///< `job_key` of its model, plan and cluster
  double factor = 1;                 ///< measured step over what the stack's figures make of it
  double deviation = 0;              ///< of the step's logarithm from run to run
  std::vector<std::string> notes{};  ///< what was taken as measured, a sentence each
};

/// A software stack: how much of an accelerator it gets, and what a framework adds. Efficiencies
/// are shares of the datasheet's rates, 0..1; bytes are per parameter.
struct KernelProfile {
  std::string name;
  std::string description{};
  std::string family{};               ///< of stacks that are alike; its own name where it is alone
  std::vector<std::string> tables{};  ///< what tables of measured steps call it
  int steps = 0;                      ///< that its figures were learnt from
  int measured_on = 0;                ///< accelerators at most of those, where that says how far
  StackDefaults framework_defaults{};
  int own_steps = 0;  ///< measured by who asks, that moved its figures since
  /// Of a model of which a step was measured: what its steps take over what the figures say.
  double model_factor = 1;
  std::vector<MeasuredJob> measured_jobs{};  ///< each of its own `key`
  /// Whether who asks measured steps of their own software.
  bool has_own_steps() const { return own_steps > 0 || !measured_jobs.empty(); }

  Sourced<double> gemm_efficiency;  ///< of the main loop of a large product
  /// Share of its peak that the best product reaches on the accelerator which that was fitted on;
  /// elsewhere the efficiency goes with the accelerator's own `best_product`.
  Sourced<double> best_product_share;
  Sourced<double> fp8_efficiency{1};  ///< of products in 8 and 4 bits, beside those in 16
  /// Moved to convert each element that comes to a product in 8 or 4 bits.
  Sourced<double> quantise_bytes{0};
  /// Time of a linear layer whose rows are no multiple of 128 bytes over that of one that is
  /// aligned, and of one whose rows are no multiple of 16; of attention products with such heads.
  Sourced<double> misaligned_factor{1};
  Sourced<double> unaligned_factor{1};
  Sourced<double> unaligned_heads_factor{1};
  /// Of the rates of products and of fused attention on each architecture, beside
  /// `gemm_efficiency` and `fused_attention_efficiency`.
  std::array<double, architecture_names.size()> product_factors{1, 1, 1, 1, 1, 1};
  std::array<double, architecture_names.size()> attention_factors{1, 1, 1, 1, 1, 1};
  // Of models with experts, which teach these figures and none of the others: time of what is
  // routed to experts over its kernels', launches of the host for these over those of others, and
  // time of exchanges between experts over what their formulas say.
  Sourced<double> mixture_factor{1};
  Sourced<double> mixture_launches{1};
  Sourced<double> expert_exchange_factor{1};
  /// Where operators are launched as they are written over compiled ones: launches of the host, and
  /// time of kernels that only move bytes.
  Sourced<double> eager_factor{2};
  /// Bytes that element-wise kernels move over those of kernels that read and write once: below 1
  /// where they are fused, above where one operator is several.
  Sourced<double> traffic_factor{1};
  Sourced<double> fused_attention_efficiency;     ///< of a kernel that keeps scores on chip
  Sourced<double> memory_efficiency;              ///< of element-wise kernels and epilogues
  Sourced<Seconds> kernel_start;                  ///< start and drain of a kernel on the device
  Sourced<Seconds> host_per_kernel;               ///< of an operator that the host launches
  Sourced<double> overlap_slowdown;               ///< of communication, what compute loses to it
  Sourced<double> optimizer_bytes;                ///< moved by the optimizer step
  Sourced<double> gradient_bytes;                 ///< of a gradient as it travels
  Sourced<double> parameter_bytes;                ///< of a parameter as it travels
  Sourced<double> fp8_parameter_bytes{2};         ///< the same where products are in 8 bits or less
  Sourced<Bytes> gradient_bucket;                 ///< gradients that travel in one collective
  Sourced<Bytes> gradient_bucket_of_a_replica{};  ///< which it grows to, times those that reduce
  Sourced<BytesPerSecond> host_memory_bandwidth;  ///< one accelerator's share of its host's
  Sourced<double> rank_noise;  ///< relative standard deviation of compute between equal nodes
  StackUncertainty uncertainty{};
  std::vector<ChipFactor> chips{};  ///< of those that steps were measured on
  /// The same of steps of models with experts, whose hosts and releases differ by chip.
  std::vector<ChipFactor> mixture_chips{};

  /// One that is stated does not grow with replicas.
  void state_gradient_bucket(const Sourced<Bytes>& bucket) {
    gradient_bucket = bucket;
    gradient_bucket_of_a_replica = {};
  }
  /// Of the accelerator; else of its die, as far as others on it speak of it.
  const ChipFactor* find_chip(const Accelerator& accelerator, bool of_mixture = false) const {
    const ChipFactor* of_die = nullptr;
    for (const ChipFactor& each : of_mixture ? mixture_chips : chips) {
      if (each.chip == accelerator.name) return &each;
      if (each.chip == accelerator.die) of_die = &each;
    }
    return of_die;
  }
  /// On the time of all that a step computes there.
  double factor_on(const Accelerator& accelerator, bool of_mixture = false) const {
    const ChipFactor* chip = find_chip(accelerator, of_mixture);
    return model_factor * (chip == nullptr ? 1 : chip->factor);
  }
};

}  // namespace kernel
}  // namespace tofn
