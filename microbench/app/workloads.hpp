#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "microbench/compute/shape.hpp"
#include "sim/workload/workload.hpp"

namespace tofn::bench {

/// A workload of configs/workloads by name, or of a file that ends in .yaml. InputError otherwise.
Workload find_workload(const std::filesystem::path& configs, const std::string& name_or_file);

/// The distinct products of forward and backward pass of the workload's matmul layers at a batch of
/// samples a rank. Grouped convolutions and attention heads are batches of small products for which
/// kernels of their own exist; they are not among them.
std::vector<GemmShape> shapes_of(const Workload&, int samples);

/// Of these the ones with most work, that together do `share` of it.
std::vector<GemmShape> heaviest_shapes(const Workload&, int samples, double share);

}  // namespace tofn::bench
