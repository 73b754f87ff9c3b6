#include "sim/config/read_workload_parts.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/config/load_parts.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace config {
namespace {

Gemm read_gemm(const YamlNode& node) {
  Gemm gemm;
  Fields fields = node.fields();
  read_in(range::at_least_one, fields, "rows", gemm.rows);
  read_in(range::at_least_one, fields, "inputs", gemm.inputs);
  read_in(range::at_least_one, fields, "outputs", gemm.outputs);
  if (fields.has("count")) read_in(range::at_least_one, fields, "count", gemm.count);
  fields.done();
  return gemm;
}

std::vector<Gemm> read_gemms(const YamlNode& node, Flops forward) {
  constexpr double tolerance = 0.01;  // layers state rounded figures of their work
  std::vector<Gemm> gemms;
  Flops sum;
  for (const YamlNode& item : node.items()) {
    gemms.push_back(read_gemm(item));
    sum += flops(gemms.back());
  }
  if (std::abs((sum - forward).base()) > tolerance * forward.base())
    node.fail(
        fmt::format("the GEMMs have {}, 'forward' says {}", to_text(sum, 7), to_text(forward, 7)));
  return gemms;
}

SyncStep read_sync_step(const YamlNode& node) {
  SyncStep step;
  Fields fields = node.fields();
  fields.required_choice("collective", step.collective, collective_kinds);
  fields.required_choice("group", step.group, sync_groups);
  fields.required_choice("payload", step.payload, sync_payloads);
  fields.required_choice("overlaps", step.overlaps, overlap_names);
  fields.required_choice("when", step.when, sync_conditions);
  fields.done();
  return step;
}

}  // namespace

Layer read_layer(const YamlNode& node) {
  Layer layer;
  Fields fields = node.fields();
  fields.required("name", layer.name);
  read_in(range::at_least_one, fields, "count", layer.count);
  read_in(range::not_negative, fields, "parameters", layer.parameters);
  read_in(range::not_negative, fields, "trainable_parameters", layer.trainable_parameters);
  fields.required_choice("arithmetic", layer.arithmetic, arithmetic_names);
  read_in(range::not_negative, fields, "forward", layer.forward);
  read_in(range::not_negative, fields, "backward", layer.backward);
  read_in(range::not_negative, fields, "forward_operators", layer.forward_operators);
  read_in(range::not_negative, fields, "backward_operators", layer.backward_operators);
  if (const auto gemms = fields.optional_child("gemms"))
    layer.gemms = read_gemms(*gemms, layer.forward);
  fields.done();
  return layer;
}

Gradients read_gradients(const YamlNode& node) {
  Gradients gradients;
  Fields fields = node.fields();
  read_positive(fields, "bytes_per_parameter", gradients.bytes_per_parameter);
  gradients.parameters_bytes_per_parameter = gradients.bytes_per_parameter;
  if (fields.has("parameters_bytes_per_parameter"))
    read_positive(fields, "parameters_bytes_per_parameter",
                  gradients.parameters_bytes_per_parameter);
  read_positive(fields, "bucket", gradients.bucket);
  read_positive(fields, "overlapped_bucket", gradients.overlapped_bucket);
  for (const YamlNode& item : fields.child("synchronisation").items())
    gradients.synchronisation.push_back(read_sync_step(item));
  fields.done();
  return gradients;
}

Optimizer read_optimizer(const YamlNode& node) {
  Optimizer optimizer;
  Fields fields = node.fields();
  read_positive(fields, "bytes_per_parameter", optimizer.bytes_per_parameter);
  fields.required_choice("sharded_over", optimizer.sharded_over, sharding_names);
  fields.done();
  return optimizer;
}

TensorParallelTraffic read_tensor_parallel(const YamlNode& node) {
  TensorParallelTraffic traffic;
  Fields fields = node.fields();
  read_in(range::at_least_one, fields, "layers", traffic.layers);
  read_in(range::not_negative, fields, "forward_collectives", traffic.forward_collectives);
  read_in(range::not_negative, fields, "backward_collectives", traffic.backward_collectives);
  read_positive(fields, "payload", traffic.payload);
  fields.done();
  return traffic;
}

ContextParallelTraffic read_context_parallel(const YamlNode& node) {
  ContextParallelTraffic traffic;
  Fields fields = node.fields();
  read_in(range::at_least_one, fields, "layers", traffic.layers);
  read_positive(fields, "payload", traffic.payload);
  fields.done();
  return traffic;
}

Evaluation read_evaluation(const YamlNode& node) {
  Evaluation evaluation;
  Fields fields = node.fields();
  fields.required_choice("mode", evaluation.mode, evaluation_modes);
  read_positive(fields, "samples", evaluation.samples);
  read_positive(fields, "batch", evaluation.batch);
  read_positive(fields, "interval", evaluation.interval);
  if (const auto rule = fields.optional_child("interval_rule")) {
    std::string name;
    rule->read(name);
    if (name != "mlperf-bert") rule->fail("unknown rule '" + name + "'; valid rules: mlperf-bert");
    evaluation.mlperf_bert_interval = true;
  }
  if (evaluation.mlperf_bert_interval == evaluation.interval.has_value())
    node.fail("needs either interval or interval_rule");
  read_in(range::not_negative, fields, "skipped", evaluation.skipped);
  fields.done();
  return evaluation;
}

}  // namespace config
}  // namespace tofn
