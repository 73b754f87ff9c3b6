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

/// Defaults for stacks that state nothing: the share of the memory's bandwidth that element-wise
/// kernels and optimizers reach, and the share of overlapped communication's time that compute
/// loses to it.
inline constexpr double default_memory_efficiency = 0.85;
inline constexpr double default_overlap_slowdown = 0.10;

/// The peak memory that a report states: bytes of tensors, bytes that the allocator holds for them,
/// or all bytes taken of the device. Each includes those before it.
enum class MemoryReading { Allocated, Reserved, Device };
inline constexpr std::array<std::pair<std::string_view, MemoryReading>, 3> memory_reading_names{
    {{"allocated", MemoryReading::Allocated},
     {"reserved", MemoryReading::Reserved},
     {"device", MemoryReading::Device}}};
constexpr const auto& names_of(MemoryReading) { return memory_reading_names; }

/// Defaults of a stack, used if its user states nothing; an absent one leaves the model's or the
/// plan's.
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
  std::optional<int> vocabulary_multiple;  ///< to which the entries on a rank are padded
  /// Replaces the sharding of plans that shard parameters on pipelines.
  std::optional<Sharded> sharded_in_pipeline;
  std::optional<SelectiveRecompute> selective_recompute;
  // State kept between steps, as in Plan.
  std::optional<KeptFormat> kept_parameters;
  std::optional<KeptFormat> kept_gradients;
  std::optional<KeptFormat> kept_master;
  std::optional<KeptFormat> kept_moments;
  // Plans that the stack can run; absent or empty: any.
  std::optional<bool> runs_tensor_parallel;
  std::optional<bool> runs_pipelines;
  std::optional<bool> runs_context_parallel;
  std::vector<Sharded> runs_sharded;
  std::vector<PipelineSchedule> runs_schedules;
  // Activations kept for the backward pass, as in TransformerLayers and Vocabulary.
  std::optional<bool> keeps_activation;
  std::optional<bool> keeps_gathered;
  std::optional<bool> keeps_answers;
  std::optional<double> loss_bytes;
  std::optional<double> split_loss_bytes;
  std::optional<bool> whole_logits;
  /// True if gradients of one layer are held in 16 bits beside the accumulated ones.
  std::optional<bool> keeps_layer_gradients;
  std::optional<bool> gradients_grow;
  std::optional<MemoryReading> reported_memory;
  /// Share of the memory that is allocated and freed within a step that is lost to fragments.
  std::optional<double> fragmentation;
};

/// Standard deviations of the part of the logarithm of a step's time that no figure explains: of a
/// run, of steps that differ only in their replicas, of a model on a stack and a chip.
struct Discrepancy {
  double run = 0;
  double plan = 0;
  double model = 0;

  double total() const { return std::hypot(run, plan, model); }
};

/// Uncertainty of a stack's figures, from the steps that they were fitted to.
struct StackUncertainty {
  /// Covariance of the logarithms of `stack_figures`, row by row; empty if they were not fitted.
  std::vector<double> covariance{};
  Discrepancy discrepancy{};
  Discrepancy of_mixtures{};  ///< for models with experts
  /// Covariance of each figure with the factor of a measured model; empty if none was measured.
  std::vector<double> with_model{};
};

/// A factor on all compute of a chip, fitted to measured steps beside the figures of the stack,
/// with its uncertainty and its covariance with each of `stack_figures`.
struct ChipFactor {
  std::string chip;
  double factor = 1;
  double deviation = 0;  ///< standard deviation of its logarithm
  std::vector<double> with_figures{};
  double with_model =
      0;  ///< covariance with the factor of a model that was measured on other chips
};

/// A job with a measured step, for which the answer is the measurement.
struct MeasuredJob {
  std::string key;                   ///< `job_key` of its model, plan and cluster
  double factor = 1;                 ///< measured step over the step that the stack's figures give
  double deviation = 0;              ///< standard deviation of the step's logarithm from run to run
  std::vector<std::string> notes{};  ///< on values taken as measured, a sentence each
};

/// A software stack: the share of an accelerator that it reaches, and the overhead of its
/// framework. Efficiencies are shares of the datasheet's rates, 0..1; bytes are per parameter.
struct KernelProfile {
  std::string name;
  std::string description{};
  std::string family{};                ///< shared by stacks that are alike; else the stack's own
                                       ///< name
  std::vector<std::string> tables{};   ///< its names in tables of measured steps
  int steps = 0;                       ///< to which its figures were fitted
  std::vector<std::string> vendors{};  ///< makers of the chips of these steps; empty: any
  int measured_on = 0;                 ///< most accelerators in these steps; limits how far the
                                       ///< figures apply
  StackDefaults framework_defaults{};
  int own_steps = 0;  ///< the user's own measured steps that refined its figures
  /// Measured time over computed time of a model's steps; 1 unless one was measured.
  double model_factor = 1;
  std::vector<MeasuredJob> measured_jobs{};  ///< one for each `key`
  /// Name of its family; its own if no other stack is known to be alike.
  const std::string& own_family() const { return family.empty() ? name : family; }
  /// True if the user measured steps of their own software.
  bool has_own_steps() const { return own_steps > 0 || !measured_jobs.empty(); }

  Sourced<double> gemm_efficiency;  ///< of the main loop of a large product
  /// Share of the peak that the best product reaches on the accelerator for which `gemm_efficiency`
  /// was fitted; on others the efficiency scales with their own `best_product`.
  Sourced<double> best_product_share;
  Sourced<double> fp8_efficiency{1};  ///< of products in 8 and 4 bits, relative to 16
  /// Bytes moved to convert each input element of a product in 8 or 4 bits.
  Sourced<double> quantise_bytes{0};
  /// Slowdown of misaligned products against aligned ones: linear layers whose rows are no multiple
  /// of 128 bytes, those whose rows are no multiple of 16, and attention whose heads are no
  /// multiple of 16.
  Sourced<double> misaligned_factor{1};
  Sourced<double> unaligned_factor{1};
  Sourced<double> unaligned_heads_factor{1};
  /// Factors on the rates of products and of fused attention, indexed by architecture, beside
  /// `gemm_efficiency` and `fused_attention_efficiency`.
  std::array<double, architecture_names.size()> product_factors{1, 1, 1, 1, 1, 1};
  std::array<double, architecture_names.size()> attention_factors{1, 1, 1, 1, 1, 1};
  // Only models with experts determine these figures, and they determine no others: time of routed
  // kernels, the host's launches for them, and time of exchanges between experts, each over what
  // the other figures or formulas give.
  Sourced<double> mixture_factor{1};
  Sourced<double> mixture_launches{1};
  Sourced<double> expert_exchange_factor{1};
  /// Factor of eager over compiled operators, on launches of the host and on the time of kernels
  /// that only move bytes.
  Sourced<double> eager_factor{2};
  /// Bytes that element-wise kernels move over those of kernels that read and write once: below 1
  /// if kernels are fused, above 1 if one operator is several kernels.
  Sourced<double> traffic_factor{1};
  Sourced<double> fused_attention_efficiency;     ///< if one kernel keeps scores on chip
  Sourced<double> memory_efficiency;              ///< of element-wise kernels and epilogues
  Sourced<Seconds> kernel_start;                  ///< start and drain of a kernel on the device
  Sourced<Seconds> host_per_kernel;               ///< host time of each operator that it launches
  Sourced<double> overlap_slowdown;               ///< share of overlapped communication's time that
                                                  ///< compute loses
  Sourced<double> optimizer_bytes;                ///< moved by the optimizer step
  Sourced<double> gradient_bytes;                 ///< of a gradient on the network
  Sourced<double> parameter_bytes;                ///< of a parameter on the network
  Sourced<double> fp8_parameter_bytes{2};         ///< if products are in 8 bits or less
  Sourced<Bytes> gradient_bucket;                 ///< gradients of one collective
  Sourced<Bytes> gradient_bucket_of_a_replica{};  ///< its least size for each rank that reduces
  Sourced<BytesPerSecond> host_memory_bandwidth;  ///< one accelerator's share of the host's
  Sourced<double> rank_noise;  ///< relative standard deviation of compute between equal nodes
  StackUncertainty uncertainty{};
  std::vector<ChipFactor> chips{};  ///< those with measured steps
  /// Factors for models with experts, whose hosts and releases differ by chip.
  std::vector<ChipFactor> mixture_chips{};

  /// States the bucket; a stated bucket does not grow with replicas.
  void state_gradient_bucket(const Sourced<Bytes>& bucket) {
    gradient_bucket = bucket;
    gradient_bucket_of_a_replica = {};
  }
  /// Factor of the accelerator, else of its die; null if neither was measured.
  const ChipFactor* find_chip(const Accelerator& accelerator, bool of_mixture = false) const {
    const ChipFactor* of_die = nullptr;
    for (const ChipFactor& each : of_mixture ? mixture_chips : chips) {
      if (each.chip == accelerator.name) return &each;
      if (each.chip == accelerator.die) of_die = &each;
    }
    return of_die;
  }
  /// Factor on the time of all compute of a step on the accelerator.
  double factor_on(const Accelerator& accelerator, bool of_mixture = false) const {
    const ChipFactor* chip = find_chip(accelerator, of_mixture);
    return model_factor * (chip == nullptr ? 1 : chip->factor);
  }
};

}  // namespace kernel
}  // namespace tofn
