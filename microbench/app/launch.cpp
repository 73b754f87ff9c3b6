#include "microbench/app/launch.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "microbench/harness/thread_team.hpp"
#include "sim/core/error.hpp"
#ifdef TOFN_HAS_MPI
#include "microbench/mpi/mpi_team.hpp"
#endif

namespace tofn::bench {
namespace {

#ifdef TOFN_HAS_MPI
constexpr bool has_mpi = true;
#else
constexpr bool has_mpi = false;
int run_mpi(int, char**, const std::function<int(Team&)>&) { return mistake_of_the_user; }
#endif

}  // namespace

std::optional<std::string> launcher() {
  constexpr std::array<std::pair<const char*, const char*>, 5> marks{
      {{"OMPI_COMM_WORLD_SIZE", "mpirun"},
       {"PMIX_RANK", "a PMIx launcher"},
       {"PMI_RANK", "a PMI launcher"},
       {"PMI_SIZE", "a PMI launcher"},
       {"MPI_LOCALNRANKS", "mpirun"}}};
  for (const auto& [variable, name] : marks)
    if (std::getenv(variable) != nullptr) return name;  // NOLINT(concurrency-mt-unsafe)
  return {};
}

bool is_first_process() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (const char* rank = std::getenv(variable))  // NOLINT(concurrency-mt-unsafe)
      return std::string(rank) == "0";
  return true;
}

void let_launcher_read() {
  // The first process is the one that speaks, so the others stay longer.
  if (launcher())
    std::this_thread::sleep_for(std::chrono::milliseconds(is_first_process() ? 300 : 900));
}

bool uses_mpi(bool needs_mpi) { return needs_mpi || launcher().has_value(); }

int launch(int argc, char** argv, bool needs_mpi, int threads,
           const std::function<int(Team&)>& work) {
  if (!uses_mpi(needs_mpi)) return run_threads(threads, work);
  if (!has_mpi)
    throw InputError(needs_mpi
                         ? "this tofn-bench was built without MPI: configure with -DTOFN_MPI=ON"
                         : "started by " + *launcher() +
                               ", but this tofn-bench was built without MPI: configure with "
                               "-DTOFN_MPI=ON, or start it alone");
  return run_mpi(argc, argv, work);
}

}  // namespace tofn::bench
