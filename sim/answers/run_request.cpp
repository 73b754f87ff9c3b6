#include "sim/answers/run_request.hpp"

namespace tofn {
inline namespace answers {

RunNames ModelRun::names() const {
  return {.model = model().name, .run = run.name, .batch_is_assumed = run.has_default_batch};
}

RunNames WorkloadRun::names() const {
  return {.workload = open.workload->name,
          .model = open.workload->model,
          .run = open.workload->name,
          .release = open.settings.software_release};
}

const KernelProfile& WorkloadRun::kernels() const {
  static const KernelProfile none;
  return open.workload->simulated ? open.workload->simulated->kernels : none;
}

std::string WorkloadRun::batch_choice() const {
  return open.global_batch || open.replica_batch
             ? "stated"
             : "the batch of known convergence that trains soonest";
}

const Cluster& RunRequest::cluster() const {
  return std::visit([](const auto& run) -> const Cluster& { return run.machine(); }, of);
}

const KernelProfile& RunRequest::kernels() const {
  return std::visit([](const auto& run) -> const KernelProfile& { return run.kernels(); }, of);
}

RunNames RunRequest::names() const {
  return std::visit([](const auto& run) { return run.names(); }, of);
}

}  // namespace answers
}  // namespace tofn
