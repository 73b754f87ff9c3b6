#pragma once

#include "sim/config/yaml_reader.hpp"
#include "sim/workload/workload.hpp"

// Readers of the parts of a workload's file. InputErrors name the place.

namespace tofn {
inline namespace config {

Layer read_layer(const YamlNode&);
Gradients read_gradients(const YamlNode&);
Optimizer read_optimizer(const YamlNode&);
TensorParallelTraffic read_tensor_parallel(const YamlNode&);
ContextParallelTraffic read_context_parallel(const YamlNode&);
Evaluation read_evaluation(const YamlNode&);

}  // namespace config
}  // namespace tofn
