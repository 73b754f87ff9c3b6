#include <functional>

#include "sim/answers/predict_answer.hpp"
#include "sim/answers/run_batch.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// A batch that is not stated is chosen to reach the same loss soonest. A better machine may choose
// a larger batch, which takes longer over as many tokens, but never longer to that loss.
using namespace tofn;

namespace {

struct Request {
  const char* model;
  const char* cluster;
  int accelerators;
};

double days_to_loss(const Request& request, const Cluster& cluster) {
  static const KernelProfile stack = find_kernel_profile(configs, "unknown");
  StatedRun run{.name = request.model, .phases = {{.model = find_model(configs, request.model)}}};
  run.phases[0].stretches = {{1, 1e12 / run.phases[0].model.sequence_length}};
  run.phases[0].stretches[0].batch = default_batch(run);
  run.has_default_batch = true;
  const RunPoint point = run_point({.of = ModelRun{.run = run, .cluster = cluster, .stack = stack}},
                                   request.accelerators);
  REQUIRE(point.fits);
  return point.days_to_default_loss.value_or(point.estimate->expected.days);
}

}  // namespace

TEST_CASE("a faster network or more memory never delays the loss that a batch is chosen for") {
  Library library = Library::load(configs);
  const std::vector<std::pair<const char*, std::function<void(Cluster&)>>> better{
      {"network", [](Cluster& c) { c.network->nic_bandwidth.value *= 2; }},
      {"scale-up", [](Cluster& c) { c.scale_up.bandwidth.value *= 2; }},
      {"memory", [](Cluster& c) { c.accelerator.memory.value *= 2; }}};
  for (const Request& request :
       {Request{"llama3-405b", "dgx-h100", 2048}, Request{"llama3-70b", "dgx-h100", 512},
        Request{"llama3-70b", "dgx-a100", 256}, Request{"llama3-8b", "dgx-h100", 64},
        Request{"mixtral-8x7b", "dgx-h100", 128}}) {
    Cluster cluster = library.cluster(request.cluster);
    cluster.network->nic_bandwidth.value *= 1.0 / 16;  // so that communication matters more
    const double before = days_to_loss(request, cluster);
    for (const auto& [name, improve] : better) {
      INFO(request.model << " on " << request.accelerators << ", " << name);
      Cluster other = cluster;
      improve(other);
      CHECK(days_to_loss(request, other) <= 1.003 * before);
    }
  }
}
