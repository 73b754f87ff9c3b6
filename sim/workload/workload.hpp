#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/workload/convergence.hpp"

namespace tofn {
inline namespace workload {

/// `count` equal products that one operator runs: `rows x inputs` activations by an `inputs x
/// outputs` weight. A convolution is its implicit GEMM with one product for each group; in
/// attention one product is one head.
struct Gemm {
  int rows = 1;
  int inputs = 1;
  int outputs = 1;
  int count = 1;
};
/// FLOP of the products; a multiply-add counts as two.
Flops flops(const Gemm&);

/// `count` equal layers; every figure is for one layer and one sample.
struct Layer {
  std::string name;
  int count = 1;
  double parameters = 0;
  double trainable_parameters = 0;
  Arithmetic arithmetic = Arithmetic::Matmul;
  Sourced<Flops> forward;
  Sourced<Flops> backward;
  double forward_operators = 0;  ///< GEMMs, convolutions and fused attention kernels
  double backward_operators = 0;
  Flops attention_forward{};  ///< attention inside the layer, not in `forward`
  Flops attention_backward{};
  /// Products of the forward pass as they run; empty if its work is no set of plain products.
  std::vector<Gemm> gemms{};
};

/// Ranks that a gradient collective spans: all data-parallel ones, those of one node (frameworks
/// group by local ranks, however far the scale-up fabric reaches), or one per node (every rail at
/// once).
enum class SyncGroup { Data, Node, Between };
inline constexpr std::array<std::pair<std::string_view, SyncGroup>, 3> sync_groups{
    {{"data", SyncGroup::Data}, {"node", SyncGroup::Node}, {"between", SyncGroup::Between}}};
constexpr const auto& names_of(SyncGroup) { return sync_groups; }

enum class SyncPayload { Gradients, Parameters, Shard };
inline constexpr std::array<std::pair<std::string_view, SyncPayload>, 3> sync_payloads{
    {{"gradients", SyncPayload::Gradients},
     {"parameters", SyncPayload::Parameters},
     {"shard", SyncPayload::Shard}}};
constexpr const auto& names_of(SyncPayload) { return sync_payloads; }

enum class Overlap { Backward, Nothing };
inline constexpr std::array<std::pair<std::string_view, Overlap>, 2> overlap_names{
    {{"backward", Overlap::Backward}, {"nothing", Overlap::Nothing}}};
constexpr const auto& names_of(Overlap) { return overlap_names; }

enum class SyncWhen { Always, OneNode, ManyNodes };
inline constexpr std::array<std::pair<std::string_view, SyncWhen>, 3> sync_conditions{
    {{"always", SyncWhen::Always},
     {"one-node", SyncWhen::OneNode},
     {"many-nodes", SyncWhen::ManyNodes}}};
constexpr const auto& names_of(SyncWhen) { return sync_conditions; }

/// One collective of the gradient synchronisation of an optimizer step.
struct SyncStep {
  CollectiveKind collective = CollectiveKind::AllReduce;
  SyncGroup group = SyncGroup::Data;
  SyncPayload payload = SyncPayload::Gradients;
  Overlap overlaps = Overlap::Nothing;
  SyncWhen when = SyncWhen::Always;
};

struct Gradients {
  Sourced<double> bytes_per_parameter;             ///< of a gradient on the network
  Sourced<double> parameters_bytes_per_parameter;  ///< of an updated parameter on the network
  Sourced<Bytes> bucket;
  std::optional<Sourced<Bytes>> overlapped_bucket;  ///< for runs with overlap
  std::vector<SyncStep> synchronisation;
};

enum class Sharding { None, Node, Data };
inline constexpr std::array<std::pair<std::string_view, Sharding>, 3> sharding_names{
    {{"none", Sharding::None}, {"node", Sharding::Node}, {"data", Sharding::Data}}};
constexpr const auto& names_of(Sharding) { return sharding_names; }

struct Optimizer {
  Sourced<double> bytes_per_parameter;  ///< memory traffic per parameter updated
  Sharding sharded_over = Sharding::None;
};

/// Traffic of a layer that is split over ranks, per sample.
struct TensorParallelTraffic {
  Sourced<int> layers;
  Sourced<int> forward_collectives;  ///< all-gathers and reduce-scatters per layer
  Sourced<int> backward_collectives;
  Sourced<Bytes> payload;  ///< the whole activation, before it is split over cp
};
struct ContextParallelTraffic {
  Sourced<int> layers;
  Sourced<Bytes> payload;  ///< keys and values of one layer, before the split over tp and cp
};

enum class EvaluationMode { Inline, Overlapped, Offline };
inline constexpr std::array<std::pair<std::string_view, EvaluationMode>, 3> evaluation_modes{
    {{"inline", EvaluationMode::Inline},
     {"overlapped", EvaluationMode::Overlapped},
     {"offline", EvaluationMode::Offline}}};
constexpr const auto& names_of(EvaluationMode) { return evaluation_modes; }

struct Evaluation {
  EvaluationMode mode = EvaluationMode::Inline;
  Sourced<double> samples;  ///< evaluated each time
  std::optional<Sourced<double>>
      batch;  ///< per replica and pass; absent if all local samples are in one
  std::optional<Sourced<double>> interval;  ///< training samples between evaluations
  bool mlperf_bert_interval = false;  ///< the interval follows BERT's rule of the global batch
  Sourced<double> skipped;            ///< training samples before the first evaluation

  /// Training samples between two evaluations at a global batch; 0 without evaluations.
  double interval_at(double global_batch) const;
};

/// The inputs of simulated steps, for a task without a measured step of its own because no node
/// holds the model.
struct SimulatedSteps {
  Model model;
  Plan plan;  ///< default plan of its software; a run's own sizes replace its sizes
  KernelProfile kernels;
};

/// The work of one training step, and the samples that training needs.
struct Workload {
  std::string name;
  std::string title;
  std::vector<std::string> aliases;
  std::string sample;
  std::string target;
  double parameters = 0;
  double trainable_parameters = 0;
  std::string model{};        ///< name of the model of these layers; empty if the file lists them
  std::vector<Layer> layers;  ///< in forward order
  Precision precision = Precision::Bf16;
  /// Present if steps are simulated; then the plan and the kernels replace `gradients`, `optimizer`
  /// and traffic. If absent, steps are calibrated on measured ones.
  std::optional<SimulatedSteps> simulated{};
  /// The default part of an iteration that CUDA graphs capture; absent if unknown.
  std::optional<CudaGraphs> cuda_graphs{};
  Gradients gradients;
  Optimizer optimizer;
  std::optional<TensorParallelTraffic> tensor_parallel;
  std::optional<ContextParallelTraffic> context_parallel;
  Evaluation evaluation;
  std::vector<ReferencePoint> convergence;  ///< ascending batch; empty: no time to train is
                                            ///< predicted
  std::vector<ReplacedPoint> replaced_convergence{};  ///< points of these batches in older rounds
};

/// Work of one sample over all layers.
struct WorkTotals {
  Flops matmul_forward, matmul_backward;
  Flops attention_forward, attention_backward;
  double forward_operators = 0;
  double backward_operators = 0;

  Flops total() const {
    return matmul_forward + matmul_backward + attention_forward + attention_backward;
  }
};
/// Adds `count` layers to the sum.
void add(WorkTotals&, const Layer&, double count);
WorkTotals total_work(const Workload&);

/// Speed of one accelerator that runs one workload with one software release, fitted to measured
/// steps: a pass over b samples takes overhead + b * FLOPs / (peak * efficiency). The overhead does
/// not shrink with b: launches, small kernels, kernels too small to fill the chip.
struct ComputeProfile {
  PassPrecision precision;
  double efficiency = 1;         ///< share of the dense peak at those precisions
  double efficiency_spread = 0;  ///< relative, between systems and of the fit
  double step_spread = 0;      ///< relative, of the whole step: the part that none of these figures
                               ///< explains
  Seconds overhead;            ///< per forward and backward pass
  double overhead_spread = 0;  ///< relative
  Seconds host;  ///< host time to launch both passes; 0 if they are captured as a graph
  /// Share of the time of tensor-parallel traffic hidden behind GEMMs that still costs time,
  /// because both need the same SMs and memory: 0 is free overlap, 1 is none.
  double overlap_loss = 0;
  /// Relative extra time of a pass over its sample's share if ranks split the sample's context:
  /// shorter products, attention in blocks.
  double context_loss = 0;
  double node_spread = 0;     ///< relative, between equal nodes: a job waits for its slowest
  double smallest_batch = 0;  ///< fewest samples of a pass (per replica) in calibration; below, the
                              ///< most
  double largest_batch = 0;
  bool split_was_observed = false;  ///< runs of the same tp and cp calibrated it
  Basis basis = Basis::Assumed;     ///< of the efficiency
  Basis overhead_basis = Basis::Assumed;
  /// Figures of the workload's stack after a fit to measured steps of the workload, for simulated
  /// steps; absent if the stack's own figures apply.
  std::shared_ptr<const KernelProfile> kernels{};
  std::string origin;  ///< the steps that it was calibrated on, as text for people
};

/// Time of this much work at the full peak of its precisions.
Seconds ideal_time(Flops matmul, Flops attention, const Accelerator&, PassPrecision);
/// Time of both passes of one sample at the full peak.
Seconds ideal_time(const WorkTotals&, const Accelerator&, PassPrecision);

}  // namespace workload
}  // namespace tofn
