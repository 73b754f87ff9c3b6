#pragma once

#include <vector>

#include <mpi.h>

#include "microbench/collective/gradient_reducer.hpp"

namespace tofn::bench {

/// MPI_Iallreduce of gradients in memory that MPI can read. Most libraries move data only while
/// they are called, hence poll().
class MpiGradientReducer : public GradientReducer {
 public:
  /// Takes ownership of the communicator.
  explicit MpiGradientReducer(MPI_Comm ranks);
  ~MpiGradientReducer() override;
  MpiGradientReducer(const MpiGradientReducer&) = delete;
  MpiGradientReducer& operator=(const MpiGradientReducer&) = delete;

  void start(float* gradients, std::size_t count) override;
  void poll() override;
  void finish() override;

 private:
  MPI_Comm ranks_;
  std::vector<MPI_Request> requests_;
};

}  // namespace tofn::bench
