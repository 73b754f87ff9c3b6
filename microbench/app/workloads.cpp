#include "microbench/app/workloads.hpp"

#include "sim/config/library.hpp"
#include "sim/config/load.hpp"

namespace tofn::bench {

Workload find_workload(const std::filesystem::path& configs, const std::string& name_or_file) {
  if (name_or_file.ends_with(".yaml") || name_or_file.ends_with(".yml"))
    return load_workload(name_or_file);
  return Library::load(configs).workload(name_or_file);
}

std::vector<GemmShape> shapes_of(const Workload& workload, int samples) {
  std::vector<GemmShape> shapes;
  for (const Layer& layer : workload.layers) {
    if (layer.arithmetic != Arithmetic::Matmul) continue;
    for (const Gemm& gemm : layer.gemms) {
      if (gemm.count != 1) continue;
      for (const GemmShape& shape :
           training_shapes({.m = gemm.rows * samples, .n = gemm.outputs, .k = gemm.inputs}))
        shapes.push_back(shape);
    }
  }
  return shapes;
}

}  // namespace tofn::bench
