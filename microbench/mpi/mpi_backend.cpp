#include "microbench/mpi/mpi_backend.hpp"

#include <limits>
#include <utility>

#include "microbench/harness/host_buffer.hpp"
#include "microbench/harness/machine.hpp"
#include "microbench/mpi/mpi_call.hpp"
#include "microbench/mpi/mpi_gradient_reducer.hpp"
#include "microbench/mpi/mpi_operations.hpp"
#include "microbench/mpi/mpi_team.hpp"
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace tofn::bench {
namespace {

class MpiCommunicator : public LibraryCommunicator {
 public:
  MpiCommunicator(MPI_Comm group, const MpiMemory& memory) : group_(group), memory_(memory) {
    check_mpi(MPI_Comm_set_errhandler(group_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(group_, &member_.rank), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(group_, &member_.size), "MPI_Comm_size");
  }
  ~MpiCommunicator() override { MPI_Comm_free(&group_); }
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  Member member() const override { return member_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override { return memory_.allocate(bytes); }

  Elapsed run(const Call& first, int calls) override {
    const MpiFunction function = mpi_function(*first.operation);
    const MPI_Datatype type = mpi_type(*first.type, *first.operation);
    MpiCall call{.call = first,
                 .type = type,
                 .count = static_cast<int>(first.chunk),
                 .member = member_,
                 .partner = partner_of(member_),
                 .group = group_};
    const int turns = 2 * member_.size;  // cycles through roots and directions of a ping-pong
    const double start = host_seconds();
    for (int i = 0; i < calls; ++i) {
      function(call);
      if (++call.turn == turns) call.turn = 0;
    }
    return {.host = host_seconds() - start, .device = {}};
  }

 private:
  MPI_Comm group_;
  const MpiMemory& memory_;
  Member member_;
};

/// Communicator of this rank's group; MPI_COMM_NULL without a group.
MPI_Comm split(const Team& team, std::optional<int> group) {
  MPI_Comm communicator = MPI_COMM_NULL;
  check_mpi(
      MPI_Comm_split(MPI_COMM_WORLD, group.value_or(MPI_UNDEFINED), team.rank(), &communicator),
      "MPI_Comm_split");
  return communicator;
}

class MpiBackend : public Backend {
 public:
  explicit MpiBackend(MpiMemory memory) : memory_(std::move(memory)) {}
  std::string name() const override { return "mpi"; }
  std::string library() const override { return mpi_library(); }
  std::string memory() const override { return memory_.name; }
  double free_memory() const override { return memory_.free_bytes(); }
  std::size_t most_elements() const override { return std::numeric_limits<int>::max(); }

  std::optional<std::string> objection(const Operation& operation, const ElementType& type,
                                       bool in_place) const override {
    if (operation.reduces && mpi_type(type, operation) == MPI_DATATYPE_NULL)
      return "MPI cannot reduce " + std::string(type.name) + ": choose fp32 or int32";
    if (operation.name == "broadcast" && !in_place) return "MPI broadcasts in place only";
    if (operation.name == "reduce-scatter" && in_place)
      return "MPI's reduce-scatter in place puts every result at the start of the buffer";
    return {};
  }

  std::unique_ptr<LibraryCommunicator> join(Team& team, std::optional<int> group) override {
    const MPI_Comm communicator = split(team, group);
    if (communicator == MPI_COMM_NULL) return nullptr;
    return std::make_unique<MpiCommunicator>(communicator, memory_);
  }

  std::unique_ptr<GradientReducer> gradient_reducer(Team& team, bool takes_part) override {
    const MPI_Comm ranks = split(team, takes_part ? std::optional(0) : std::nullopt);
    if (ranks == MPI_COMM_NULL) return nullptr;
    return std::make_unique<MpiGradientReducer>(ranks);
  }

 private:
  MpiMemory memory_;
};

}  // namespace

MpiMemory host_memory(int ranks_on_host) {
  return {.name = "host",
          .allocate = [](std::size_t bytes) { return std::make_unique<HostBuffer>(bytes); },
          .free_bytes = [=] { return available_memory() / ranks_on_host; }};
}

std::unique_ptr<Backend> mpi_backend(MpiMemory memory) {
  return std::make_unique<MpiBackend>(std::move(memory));
}

bool is_cuda_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

}  // namespace tofn::bench
