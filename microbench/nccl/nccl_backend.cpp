#include "microbench/nccl/nccl_backend.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "microbench/nccl/nccl_call.hpp"
#include "microbench/nccl/nccl_communicator.hpp"
#include "microbench/nccl/nccl_gradient_reducer.hpp"
#include "microbench/nccl/nccl_operations.hpp"
#include "sim/core/error.hpp"

namespace tofn::bench {
namespace {

class NcclBackend : public Backend {
 public:
  NcclBackend(Device& device, const NcclOptions& options) : device_(device), options_(options) {}
  std::string name() const override { return "nccl"; }
  std::string library() const override { return nccl_library(); }
  std::string memory() const override { return "device"; }
  bool has_cuda_graph() const override { return options_.cuda_graph; }
  bool has_registration() const override { return options_.registered; }
  bool has_symmetric_memory() const override { return options_.has_windows(); }
  bool has_device_api() const override { return options_.device_api; }
  double free_memory() const override { return free_device_memory(); }
  std::size_t most_elements() const override { return std::numeric_limits<std::size_t>::max(); }

  std::optional<std::string> objection(const Operation& operation, const ElementType& type,
                                       bool /*in_place*/) const override {
    if (!nccl_type(type, operation))
      return fmt::format(
          "this tofn-bench was built with NCCL {}.{}, which cannot reduce {}: NCCL "
          "2.24 can",
          NCCL_MAJOR, NCCL_MINOR, type.name);
    if (operation.reduces && type.bytes == 1 && device_.capability() < 90)
      return fmt::format("NCCL reduces {} from compute capability 9.0 on; the {} has {}", type.name,
                         device_.model(), capability_text(device_.capability()));
    if (options_.device_api) return device_api_objection(operation, type);
    return {};
  }

  std::unique_ptr<LibraryCommunicator> join(Team& team, std::optional<int> group) override {
    auto members = joined(team, group);
    std::unique_ptr<LibraryCommunicator> communicator;
    LocalProblem problem;
    try {
      if (members) communicator = std::make_unique<NcclCommunicator>(std::move(members), options_);
    } catch (const GroupObjection& objection) {  // other groups may have no objection
      problem.text = joining_text(team) + ": " + objection.what();
    }
    agree(team, problem);
    return communicator;
  }

  std::unique_ptr<GradientReducer> gradient_reducer(Team& team, bool takes_part) override {
    auto members = joined(team, takes_part ? std::optional(0) : std::nullopt);
    if (!members) return nullptr;
    return std::make_unique<NcclGradientReducer>(std::move(members), device_.stream());
  }

 private:
  Device& device_;
  NcclOptions options_;
};

/// InputError if this program was built with an NCCL before 2.`minor`.
void require_nccl(int minor, const char* feature) {
  if (NCCL_VERSION_CODE >= NCCL_VERSION(2, minor, 0)) return;
  throw InputError(
      fmt::format("this tofn-bench was built with NCCL {}.{}, which has no {}: NCCL 2.{} has",
                  NCCL_MAJOR, NCCL_MINOR, feature, minor));
}

int running_nccl() {
  int version = 0;
  check_nccl(ncclGetVersion(&version), nullptr, "ncclGetVersion");
  return version;
}

std::string version_text(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

/// InputError if the running NCCL differs from the headers', because the device API's structures
/// grew within 2.28 and do not state their version.
void require_nccl_of_headers() {
  const int running = running_nccl();
  if (running == NCCL_VERSION_CODE) return;
  throw InputError(fmt::format(
      "this tofn-bench was built with NCCL {}, and runs with {}: --symmetric and --device-api need "
      "the same",
      version_text(NCCL_VERSION_CODE), version_text(running)));
}

}  // namespace

std::unique_ptr<Backend> nccl_backend(Device& device, const NcclOptions& options) {
  if (options.registered) require_nccl(19, "registered buffers");
  if (options.symmetric) require_nccl(28, "answer to whether memory is symmetric");
  if (options.device_api) require_nccl(28, "device API");
  if (options.has_windows()) require_nccl_of_headers();
  return std::make_unique<NcclBackend>(device, options);
}

std::string nccl_library() { return "NCCL " + version_text(running_nccl()); }

}  // namespace tofn::bench
