#include "microbench/app/launch.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "microbench/harness/thread_team.hpp"
#include "sim/core/error.hpp"
#include "sim/core/launcher.hpp"
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

/// InputError if `srun` started several ranks without joining them by MPI: each would be a job of
/// its own, on the same GPUs and with the same record.
void refuse_lonely_ranks() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets variables here
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (tasks == nullptr || launcher() || std::string_view(tasks) == "1") return;
  throw InputError(
      fmt::format("srun started {} ranks that it does not join by MPI: say --mpi=pmix, or "
                  "another of `srun --mpi=list`",
                  tasks));
}

}  // namespace

bool uses_mpi(bool needs_mpi) { return needs_mpi || launcher().has_value(); }

int launch(int argc, char** argv, bool needs_mpi, int threads,
           const std::function<int(Team&)>& work) {
  if (!uses_mpi(needs_mpi)) {
    refuse_lonely_ranks();
    return run_threads(threads, work);
  }
  if (!has_mpi)
    throw InputError(needs_mpi
                         ? "this tofn-bench was built without MPI: configure with -DTOFN_MPI=ON"
                         : "started by " + *launcher() +
                               ", but this tofn-bench was built without MPI: configure with "
                               "-DTOFN_MPI=ON, or start it alone");
  return run_mpi(argc, argv, work);
}

}  // namespace tofn::bench
