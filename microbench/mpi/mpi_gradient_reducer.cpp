#include "microbench/mpi/mpi_gradient_reducer.hpp"

#include <algorithm>
#include <limits>

#include "microbench/mpi/mpi_call.hpp"

namespace tofn::bench {

MpiGradientReducer::MpiGradientReducer(MPI_Comm ranks) : ranks_(ranks) {
  check_mpi(MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

MpiGradientReducer::~MpiGradientReducer() { MPI_Comm_free(&ranks_); }

void MpiGradientReducer::start(float* gradients, std::size_t count) {
  constexpr std::size_t most = std::numeric_limits<int>::max();  // elements of one call
  for (std::size_t done = 0; done < count; done += most) {
    const int part = static_cast<int>(std::min(most, count - done));
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, gradients + done, part, MPI_FLOAT, MPI_SUM, ranks_,
                             &requests_.emplace_back()),
              "MPI_Iallreduce");
  }
}

void MpiGradientReducer::poll() {
  int all_done = 0;
  check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all_done,
                        MPI_STATUSES_IGNORE),
            "MPI_Testall");
}

void MpiGradientReducer::finish() {
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  requests_.clear();
}

}  // namespace tofn::bench
