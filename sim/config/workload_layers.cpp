#include "sim/config/workload_layers.hpp"

#include <algorithm>
#include <string>

#include "sim/core/error.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace config {
namespace {

const std::string source = "the model's dimensions";

/// FLOPs and operators of one pass.
struct PassSums {
  Flops matmul, attention;
  double operators = 0;
};

PassSums sums_of(const PassWork& pass) {
  PassSums sums;
  for (const Kernel& kernel : pass.kernels) {
    if (kernel.k == 0) continue;
    const bool is_attention = kernel.arithmetic == Arithmetic::Attention;
    (is_attention ? sums.attention : sums.matmul) += kernel.flops() * (1 - kernel.repeated);
    sums.operators += kernel.count;
  }
  return sums;
}

std::vector<Gemm> gemms_of(const PassWork& pass, double samples) {
  std::vector<Gemm> gemms;
  for (const Kernel& kernel : pass.kernels) {
    if (kernel.k == 0 || kernel.arithmetic != Arithmetic::Matmul) continue;
    const Gemm gemm{.rows = static_cast<int>(std::max(1.0, kernel.m / samples)),
                    .inputs = static_cast<int>(kernel.k),
                    .outputs = static_cast<int>(kernel.n),
                    .count = static_cast<int>(kernel.batch)};
    for (int i = 0; i < static_cast<int>(kernel.count); ++i) gemms.push_back(gemm);
  }
  return gemms;
}

/// The repeated layer of the model, on a rank of the plan.
LayerWork repeated_layer(const Model& model, const Plan& plan) {
  const std::vector<LayerWork> layers = layer_work(model, plan);
  const auto most = std::ranges::max_element(
      layers, [](const auto& a, const auto& b) { return a.count < b.count; });
  return *most;
}

/// Number of collectives of one group in a pass, and their largest payload.
struct GroupTraffic {
  double count = 0;
  Bytes payload;
};
GroupTraffic traffic_of(const PassWork& pass, Group group) {
  GroupTraffic traffic;
  for (const Exchange& exchange : pass.exchanges) {
    if (exchange.group != group) continue;
    traffic.count += exchange.count;
    traffic.payload = std::max(traffic.payload, exchange.payload);
  }
  return traffic;
}

[[noreturn]] void refuse(const Model& model, const char* what) {
  throw InputError("the layers of model " + model.name + " exchange nothing where they are split " +
                   what);
}

}  // namespace

std::vector<Layer> workload_layers(const Model& model, const ModelUse& use) {
  std::vector<Layer> layers;
  const double samples = use.samples_per_sequence;
  for (const LayerWork& work : layer_work(model, Plan{})) {
    const PassSums forward = sums_of(work.forward);
    const PassSums backward = sums_of(work.backward);
    layers.push_back({.name = work.name,
                      .count = work.count,
                      .parameters = work.parameters + work.expert_parameters,
                      .trainable_parameters = work.trained() + work.trained_experts(),
                      .arithmetic = Arithmetic::Matmul,
                      .forward = {forward.matmul / samples, source},
                      .backward = {backward.matmul / samples, source},
                      .forward_operators = forward.operators,
                      .backward_operators = backward.operators,
                      .attention_forward = use.attention_share * forward.attention / samples,
                      .attention_backward = use.attention_share * backward.attention / samples,
                      .gemms = gemms_of(work.forward, samples)});
  }
  return layers;
}

TensorParallelTraffic tensor_traffic(const Model& model, const ModelUse& use) {
  const LayerWork layer =
      repeated_layer(model, Plan{.tensor_parallel_size = 2, .sequence_parallel = true});
  const GroupTraffic forward = traffic_of(layer.forward, Group::Tensor);
  const GroupTraffic backward = traffic_of(layer.backward, Group::Tensor);
  if (forward.count == 0) refuse(model, "over tensor-parallel ranks");
  return {.layers = {layer.count, source},
          .forward_collectives = {static_cast<int>(forward.count), source},
          .backward_collectives = {static_cast<int>(backward.count), source},
          .payload = {forward.payload / use.samples_per_sequence, source}};
}

ContextParallelTraffic context_traffic(const Model& model, const ModelUse& use) {
  constexpr int ranks = 2;
  const LayerWork layer = repeated_layer(model, Plan{.context_parallel_size = ranks});
  const GroupTraffic forward = traffic_of(layer.forward, Group::Context);
  if (forward.count == 0) refuse(model, "over context-parallel ranks");
  return {.layers = {layer.count, source},
          .payload = {ranks * forward.payload / use.samples_per_sequence, source}};
}

}  // namespace config
}  // namespace tofn
