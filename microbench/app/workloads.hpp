#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "microbench/compute/shape.hpp"
#include "sim/workload/workload.hpp"

namespace tofn::bench {

/// Loads a workload by its name in configs/workloads or its .yaml file; InputError otherwise.
Workload find_workload(const std::filesystem::path& configs, const std::string& name_or_file);

/// Distinct products of forward and backward pass of the workload's matmul layers with `samples`
/// per rank. Excludes grouped convolutions and attention heads: batches of small products, which
/// have their own kernels.
std::vector<GemmShape> shapes_of(const Workload&, int samples);

/// The shapes with the most work that together do `share` of it.
std::vector<GemmShape> heaviest_shapes(const Workload&, int samples, double share);

}  // namespace tofn::bench
