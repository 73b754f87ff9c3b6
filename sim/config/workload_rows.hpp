#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/workload/workload.hpp"
#include "sim/yaml/field_rows.hpp"

// Rows of the keys of workloads/, which load_workload.cpp reads and lists.

namespace tofn {
inline namespace config {

template <class Walk>
void gemm_rows(Walk& walk, Gemm& of) {
  walk({"rows", "rows of the activations", true, range::at_least_one}, of.rows);
  walk({"inputs", "columns of the activations, and rows of the weight", true, range::at_least_one},
       of.inputs);
  walk({"outputs", "columns of the weight", true, range::at_least_one}, of.outputs);
  walk({"count", "number of equal products in one operator", false, range::at_least_one}, of.count);
}

/// The GEMMs of a forward pass, which must make up the work that the layer states.
inline std::vector<Gemm> read_gemms(const YamlNode& node, Flops forward) {
  constexpr double tolerance = 0.01;  // layers state their work in rounded figures
  std::vector<Gemm> gemms;
  Flops sum;
  for (const YamlNode& item : node.items()) {
    FieldReader::read_map(item, [&](auto& walk) { gemm_rows(walk, gemms.emplace_back()); });
    sum += flops(gemms.back());
  }
  if (std::abs((sum - forward).base()) > tolerance * forward.base())
    node.fail(
        fmt::format("the GEMMs have {}, 'forward' says {}", to_text(sum, 7), to_text(forward, 7)));
  return gemms;
}

/// Figures of one layer and one sample.
template <class Walk>
void layer_rows(Walk& walk, Layer& of) {
  walk({"name", "name of the layer", true}, of.name);
  walk({"count", "number of equal layers", true, range::at_least_one}, of.count);
  walk({"parameters", "parameters of one layer", true, range::not_negative}, of.parameters);
  walk({"trainable_parameters", "parameters that are not frozen", true, range::not_negative},
       of.trainable_parameters);
  walk({"arithmetic", "kind of its matrix products", true}, of.arithmetic);
  walk({"forward", "work of the forward pass", true, range::not_negative}, of.forward);
  walk({"backward", "work of the backward pass", true, range::not_negative}, of.backward);
  walk({"forward_operators", "GEMMs, convolutions and fused attention kernels of the forward pass",
        true, range::not_negative},
       of.forward_operators);
  walk(
      {"backward_operators", "GEMMs, convolutions and fused attention kernels of the backward pass",
       true, range::not_negative},
      of.backward_operators);
  walk.with({"gemms", "matrix products of the forward pass"}, "list of maps",
            [&](const YamlNode& node) { of.gemms = read_gemms(node, of.forward.value); });
}

template <class Walk>
void sync_step_rows(Walk& walk, SyncStep& of) {
  walk({"collective", "collective operation", true}, of.collective);
  walk({"group", "ranks that take part in it", true}, of.group);
  walk({"payload", "data that it sends", true}, of.payload);
  walk({"overlaps", "computation that it overlaps with", true}, of.overlaps);
  walk({"when", "sizes of jobs in which it runs", true}, of.when);
}

template <class Walk>
void gradient_rows(Walk& walk, Gradients& of) {
  walk({"bytes_per_parameter", "bytes of a gradient as it is sent", true, range::positive},
       of.bytes_per_parameter);
  of.parameters_bytes_per_parameter = of.bytes_per_parameter;
  walk({"parameters_bytes_per_parameter",
        "bytes of an updated parameter as it is sent (default: those of a gradient)", false,
        range::positive},
       of.parameters_bytes_per_parameter);
  walk({"bucket", "gradients that are sent together", true, range::positive}, of.bucket);
  walk({"overlapped_bucket", "bucket in runs that overlap gradients with backward", false,
        range::positive},
       of.overlapped_bucket);
  walk.list({"synchronisation", "collectives of a step in their order", true}, "",
            of.synchronisation, [](auto& inner, SyncStep& step) { sync_step_rows(inner, step); });
}

template <class Walk>
void optimizer_rows(Walk& walk, Optimizer& of) {
  walk({"bytes_per_parameter", "memory traffic of each updated parameter", true, range::positive},
       of.bytes_per_parameter);
  walk({"sharded_over", "ranks that share the update", true}, of.sharded_over);
}

template <class Walk>
void tensor_parallel_rows(Walk& walk, TensorParallelTraffic& of) {
  walk({"layers", "number of layers that are split", true, range::at_least_one}, of.layers);
  walk({"forward_collectives", "all-gathers and reduce-scatters of one layer in the forward pass",
        true, range::not_negative},
       of.forward_collectives);
  walk({"backward_collectives", "all-gathers and reduce-scatters of one layer in the backward pass",
        true, range::not_negative},
       of.backward_collectives);
  walk({"payload", "activation of one sample before it is split", true, range::positive},
       of.payload);
}

template <class Walk>
void context_parallel_rows(Walk& walk, ContextParallelTraffic& of) {
  walk({"layers", "number of layers that are split", true, range::at_least_one}, of.layers);
  walk({"payload", "keys and values of one layer and sample before they are split", true,
        range::positive},
       of.payload);
}

template <class Walk>
void evaluation_rows(Walk& walk, Evaluation& of) {
  walk({"mode", "whether training waits for an evaluation", true}, of.mode);
  walk({"samples", "samples of one evaluation", true, range::positive}, of.samples);
  walk({"batch", "samples of a replica and pass (default: all at once)", false, range::positive},
       of.batch);
  walk({"interval", "training samples between two evaluations", false, range::positive},
       of.interval);
  walk.with({"interval_rule", "rule of the interval, in place of a number"}, "mlperf-bert",
            [&](const YamlNode& node) {
              std::string name;
              node.read(name);
              if (name != "mlperf-bert")
                node.fail("unknown rule '" + name + "'; valid rules: mlperf-bert");
              of.mlperf_bert_interval = true;
            });
  walk({"skipped", "evaluations that are skipped at the start", true, range::not_negative},
       of.skipped);
}

template <class Walk>
void reference_point_rows(Walk& walk, ReferencePoint& of) {
  walk({"batch", "samples of a step", true, range::positive}, of.batch);
  walk({"samples", "mean samples to the target", true, range::positive}, of.samples);
  walk({"standard_deviation", "standard deviation of the samples of single runs", true,
        range::not_negative},
       of.standard_deviation);
  walk({"runs", "runs in the mean", true, range::at_least_one}, of.runs);
}

}  // namespace config
}  // namespace tofn
