// Measures the time that the harness adds to its fastest call, an all-reduce of 8 B over MPI. A
// bare loop and the harness take turns in one process. Run by hand: `mpirun -np 2
// harness_overhead`.
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "microbench/collective/trial.hpp"
#include "microbench/harness/visit.hpp"
#include "microbench/mpi/mpi_backend.hpp"
#include "microbench/mpi/mpi_team.hpp"
#include "sim/core/statistics.hpp"

using namespace tofn;
using namespace tofn::bench;

namespace {

/// Seconds per call on the slowest rank: the median of as many loops of as many calls as the
/// harness takes, because a loop that another process interrupts says nothing about either.
double bare_loops(Team& team, MPI_Comm ranks, const VisitSamples& like) {
  float send[2] = {1, 2};
  float receive[2] = {};
  std::vector<double> loops;
  for (int loop = 0; loop < like.samples_per_visit; ++loop) {
    MPI_Barrier(ranks);
    const double start = MPI_Wtime();
    for (int i = 0; i < like.calls_per_sample; ++i)
      MPI_Allreduce(send, receive, 2, MPI_FLOAT, MPI_SUM, ranks);
    loops.push_back((MPI_Wtime() - start) / like.calls_per_sample);
  }
  team.maximum(loops);
  return median(loops);
}

int compare(Team& team) {
  constexpr int turns = 41;
  MPI_Comm ranks = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &ranks);
  const auto backend = mpi_backend(host_memory(team.size()));
  const auto communicator = backend->join(team, 0);
  TrialBuffers buffers{.send = communicator->allocate(8), .receive = communicator->allocate(8)};
  const ElementType& fp32 = element_type("fp32", "type");
  const Operation& all_reduce = operation("all-reduce");
  Trial trial(*communicator, buffers, all_reduce, fp32,
              extent_of(all_reduce, fp32, team.size(), 8));
  Watchdog watchdog(60, [&](const std::string&, double) { team.abort(failure_of_the_job); });
  const StoppingRule rule;
  VisitSamples samples;
  warm_up(team, watchdog, rule, &trial, samples);
  const int calls = samples.calls_per_sample * samples.samples_per_visit;
  std::vector<double> bare;
  std::vector<double> harness;
  std::vector<double> ratios;
  for (int turn = 0; turn < turns; ++turn) {
    bare.push_back(bare_loops(team, ranks, samples));
    samples.host.clear();
    visit(team, watchdog, &trial, samples);
    harness.push_back(median(samples.host));
    ratios.push_back(harness.back() / bare.back());
  }
  if (team.rank() == 0)
    fmt::print(
        "all-reduce of 8 B on {} ranks, medians of {} turns of {} calls\n"
        "bare loop {:.1f} ns, harness {:.1f} ns, the harness adds {:+.1f} % "
        "(middle half of the turns {:+.1f} to {:+.1f} %)\n",
        team.size(), turns, calls, 1e9 * median(bare), 1e9 * median(harness),
        100 * (median(ratios) - 1), 100 * (quantile(ratios, 0.25) - 1),
        100 * (quantile(ratios, 0.75) - 1));
  MPI_Comm_free(&ranks);
  return median(ratios) < 1.05 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_mpi(argc, argv, compare); }
