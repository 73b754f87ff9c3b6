#include "microbench/app/launch.hpp"

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

}  // namespace

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
