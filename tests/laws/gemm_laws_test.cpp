#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

// Compares the GEMMs of all workloads with the work and operators that their layers state.
using namespace tofn;
using namespace tofn::test;

namespace {

double forward_work(const Layer& layer) {
  double sum = 0;
  for (const Gemm& gemm : layer.gemms) sum += flops(gemm).base();
  return sum;
}

/// True if the layer's GEMMs have one row a packed sequence, which is less than one a sample.
bool has_parts_of_rows(const Layer& layer) {
  return layer.name == "pooler" || layer.name == "next-sentence head";
}

template <class F>
void for_layers(F f) {
  for (const Workload& workload : library().workloads())
    for (const Layer& layer : workload.layers) {
      INFO(workload.name << ": " << layer.name);
      f(layer);
    }
}

}  // namespace

TEST_CASE("GEMMs are all of a forward pass but its attention") {
  for (const Workload& workload : library().workloads()) {
    INFO(workload.name);
    double sum = 0;
    for (const Layer& layer : workload.layers) sum += forward_work(layer) * layer.count;
    CHECK_THAT(sum, WithinRel(total_work(workload).matmul_forward.base(), 1e-4));
  }
}

TEST_CASE("GEMMs do their layer's work") {
  for_layers([](const Layer& layer) {
    if (!has_parts_of_rows(layer))
      CHECK_THAT(forward_work(layer), WithinRel(layer.forward.value.base(), 1e-6));
  });
}

TEST_CASE("an operator is a GEMM, or attention's") {
  for_layers([](const Layer& layer) {
    const double others = layer.forward_operators - static_cast<double>(layer.gemms.size());
    CHECK((layer.attention_forward > Flops{} ? others >= 1 : others == 0));
  });
}
