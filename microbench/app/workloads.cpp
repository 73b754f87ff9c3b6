#include "microbench/app/workloads.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/config/library.hpp"
#include "sim/config/load.hpp"

namespace tofn::bench {

Workload find_workload(const std::filesystem::path& configs, const std::string& name_or_file) {
  if (name_or_file.ends_with(".yaml") || name_or_file.ends_with(".yml"))
    return load_workload(name_or_file, configs);
  return Library::load(configs).workload(name_or_file);
}

namespace {

/// Products of a pass, and how often each runs.
std::map<GemmShape, double> times_of_shapes(const Workload& workload, int samples) {
  std::map<GemmShape, double> times;
  for (const Layer& layer : workload.layers) {
    if (layer.arithmetic != Arithmetic::Matmul) continue;
    for (const Gemm& gemm : layer.gemms) {
      if (gemm.count != 1) continue;
      for (const GemmShape& shape :
           training_shapes({.m = gemm.rows * samples, .n = gemm.outputs, .k = gemm.inputs}))
        times[shape] += layer.count;
    }
  }
  return times;
}

}  // namespace

std::vector<GemmShape> shapes_of(const Workload& workload, int samples) {
  std::vector<GemmShape> shapes;
  for (const auto& [shape, times] : times_of_shapes(workload, samples)) shapes.push_back(shape);
  return shapes;
}

std::vector<GemmShape> heaviest_shapes(const Workload& workload, int samples, double share) {
  std::vector<std::pair<double, GemmShape>> by_work;
  double all = 0;
  for (const auto& [shape, times] : times_of_shapes(workload, samples)) {
    by_work.emplace_back(times * shape.flops(), shape);
    all += times * shape.flops();
  }
  std::sort(by_work.rbegin(), by_work.rend());
  std::vector<GemmShape> shapes;
  double done = 0;
  for (const auto& [work, shape] : by_work) {
    if (done >= share * all) break;
    shapes.push_back(shape);
    done += work;
  }
  return shapes;
}

}  // namespace tofn::bench
