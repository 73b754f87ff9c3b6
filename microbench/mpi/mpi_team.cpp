#include "microbench/mpi/mpi_team.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "microbench/mpi/mpi_call.hpp"

namespace tofn::bench {
namespace {

/// Uses its own communicator, so that it is separate from the measured traffic.
class MpiTeam : public Team {
 public:
  MpiTeam() {
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &control_), "MPI_Comm_dup");
    check_mpi(MPI_Comm_set_errhandler(control_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(control_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(control_, &size_), "MPI_Comm_size");
  }
  ~MpiTeam() override { MPI_Comm_free(&control_); }
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void barrier() override { check_mpi(MPI_Barrier(control_), "MPI_Barrier"); }

  void maximum(std::span<double> values) override {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                            MPI_DOUBLE, MPI_MAX, control_),
              "MPI_Allreduce");
  }

  std::vector<std::string> gather(std::string_view mine) override {
    const auto ranks = static_cast<std::size_t>(size_);
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(ranks);
    check_mpi(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, control_),
              "MPI_Allgather");
    std::vector<int> starts(ranks);
    std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
    std::string all(static_cast<std::size_t>(starts.back() + lengths.back()), '\0');
    check_mpi(MPI_Allgatherv(mine.data(), length, MPI_BYTE, all.data(), lengths.data(),
                             starts.data(), MPI_BYTE, control_),
              "MPI_Allgatherv");
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      texts.push_back(all.substr(static_cast<std::size_t>(starts[rank]),
                                 static_cast<std::size_t>(lengths[rank])));
    return texts;
  }

  void abort(int exit_code) noexcept override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  MPI_Comm control_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

int run_mpi(int argc, char** argv, const std::function<int(Team&)>& work) {
  // One thread calls MPI. MPI_THREAD_FUNNELED would be exact, since other threads watch and
  // compute, but with it Open MPI 4.1 takes locks: 160 ns for a message of 8 B instead of 130.
  check_mpi(MPI_Init(&argc, &argv), "MPI_Init");
  int exit_code = 0;
  {
    MpiTeam team;
    exit_code = work(team);
  }
  check_mpi(MPI_Finalize(), "MPI_Finalize");
  return exit_code;
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  // Open MPI appends its package and build; the name ends at the first comma or newline.
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

}  // namespace tofn::bench
