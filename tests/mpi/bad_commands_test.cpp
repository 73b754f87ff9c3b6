#include <array>

#include "microbench/app/rig.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/job.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

struct BadCommand {
  const char* arguments;
  const char* message;
};

constexpr auto bad_commands = std::to_array<BadCommand>({
    {"", "which command? `tofn-bench --help` lists them"},
    {"collectiv",
     "unknown command 'collectiv', did you mean 'collective'? valid commands: collective, compute, "
     "step, suite"},
    {"collective", "the option '--backend' is required but missing"},
    {"collective --backend mpii",
     "--backend: unknown value 'mpii', did you mean 'mpi'? valid values: nccl, mpi"},
    {"collective --backend mpi --opp x", "unrecognised option '--opp', did you mean '--op'?"},
    {"collective --backend mpi --op allreduce",
     "--op: unknown operation 'allreduce', did you mean 'all-reduce'? valid operations: "
     "all-reduce, reduce-scatter, all-gather, broadcast, all-to-all, send-receive-ring, "
     "send-receive-pairs, all"},
    {"collective --backend mpi --sizes 8B --min-size 8B",
     "--min-size: changes nothing with --sizes"},
    {"collective --backend mpi --type fp33",
     "--type: unknown type 'fp33', did you mean 'fp32'? valid types: fp32, fp16, bf16, fp8_e4m3, "
     "fp8_e5m2, int32"},
    {"collective --backend mpi --group wrld",
     "--group: unknown group 'wrld', did you mean 'world'? valid groups: world, node, leaders, "
     "rails"},
    {"collective --backend mpi --place beside",
     "--place: unknown value 'beside'; valid values: out, in, both"},
    {"collective --backend mpi --memory disk",
     "--memory: unknown value 'disk'; valid values: host, device"},
    {"collective --backend mpi --sizes 8",
     "--sizes: a unit is missing: expected a size such as '80 GiB', got '8'"},
    {"collective --backend mpi --sizes 8B,x", "--sizes: expected a size such as '80 GiB', got 'x'"},
    {"collective --backend mpi --min-size 0B", "--min-size: must be more than zero, got '0B'"},
    {"collective --backend mpi --min-size 1MiB --max-size 8B", "--max-size: is below --min-size"},
    {"collective --backend mpi --factor 1", "--factor: must be at least 2"},
    {"collective --backend mpi --precision 0",
     "--precision: expected a number above 0 and up to 100 (in %), got '0'"},
    {"collective --backend mpi --max-time 2",
     "--max-time: a unit is missing: expected a time such as '3.5 us', got '2'"},
    {"collective --backend mpi --timeout 0s", "--timeout: must be more than zero, got '0s'"},
    {"collective --backend mpi --ranks-per-node 0",
     "--ranks-per-node: expected a whole number from 1 to 1000000, got '0'"},
    {"collective --backend mpi --resume", "--resume and --overwrite need a record: -o FILE"},
    {"collective --backend mpi --resume --overwrite -o x",
     "--resume goes on with the record, --overwrite drops it: choose one"},
    {"collective --backend mpi --cuda-graph",
     "--cuda-graph, --register, --symmetric and --device-api are for the nccl backend"},
});

}  // namespace

TEST_CASE("a bad command line of tofn-bench is refused") {
  for (const auto& [arguments, message] : bad_commands) {
    INFO("tofn-bench " << arguments);
    const Outcome outcome = run_command(tofn_bench(arguments));
    CHECK(outcome.errors == std::string("tofn-bench: ") + message + "\n");
    CHECK(outcome.output.empty());
    CHECK(outcome.exit_code == 2);
  }
}

TEST_CASE("ranks of srun that MPI does not join are no job of one rank each") {
  // Variables as srun --mpi=none leaves them, so that the test needs no Slurm.
  const Outcome lonely = run_command("env SLURM_STEP_NUM_TASKS=8 " +
                                     tofn_bench("compute --processor cpu --kind memory"));
  CHECK(lonely.exit_code == 2);
  CHECK(lonely.errors ==
        "tofn-bench: srun started 8 ranks that it does not join by MPI: say --mpi=pmix, or another "
        "of `srun --mpi=list`\n");
  const Outcome single =
      run_command("env SLURM_STEP_NUM_TASKS=1 " +
                  tofn_bench("compute --processor cpu --kind memory --sizes 8KiB "
                             "--max-time 10ms --visit-time 1ms"));
  CHECK(single.exit_code == 0);
}

TEST_CASE("a mistake that all ranks make is said once") {
  const Outcome parsed = run_ranks(4, "collective --backend mpi --op allreduce");
  CHECK(parsed.exit_code == 2);
  CHECK(own_lines(parsed.errors).size() == 1);
  const Outcome placed = run_ranks(4, "collective --backend mpi --ranks-per-node 3");
  CHECK(placed.exit_code == 2);
  CHECK(own_lines(placed.errors) ==
        std::vector<std::string>{"tofn-bench: --ranks-per-node: 3 does not divide the 4 ranks"});
}

TEST_CASE("one rank alone has nothing to communicate with") {
  const Outcome outcome = run_command(tofn_bench("collective --backend mpi --place out"));
  CHECK(outcome.exit_code == 2);
  CHECK(own_lines(outcome.errors) ==
        std::vector<std::string>{
            "tofn-bench: nothing of this can be measured here; the reasons stand above"});
  CHECK_THAT(outcome.output, ContainsText("left out: the group 'world' has a single rank here\n"));
}

TEST_CASE("of nodes with one rank each, groups that are the world or nobody are left out") {
  const auto measured = [](const std::string& groups) {
    const Outcome outcome = run_ranks(
        2,
        "collective --backend mpi --op all-reduce --place out --sizes 8B --ranks-per-node 1 "
        "--max-time 10ms --visit-time 1ms --group " +
            groups);
    CHECK(outcome.exit_code == 0);
    return outcome.output;
  };
  const std::string all = measured("world,node,leaders,rails");
  CHECK_THAT(all, ContainsText("left out: the group 'node' has a single rank here\n"));
  for (const std::string group : {"leaders", "rails"})
    CHECK_THAT(all, ContainsText("left out: the group '" + group + "' is the world here\n"));
  CHECK_THAT(measured("rails"), ContainsText("rails: 2 ranks on 2 nodes"));
}

TEST_CASE("sizes for which there is no room are named") {
  const Outcome some = run_ranks(2,
                                 "collective --backend mpi --op all-reduce --place out --sizes "
                                 "8B,1PiB --max-time 10ms --visit-time 1ms");
  CHECK(some.exit_code == 0);
  CHECK_THAT(some.output, ContainsText("left out: 1.126 PB: no room in memory\n"));
  const Outcome none =
      run_command(tofn_bench("compute --processor cpu --kind memory --sizes 1PiB"));
  CHECK(none.exit_code == 2);
  CHECK(own_lines(none.errors) ==
        std::vector<std::string>{
            "tofn-bench: no size of memory can be measured here; why stands above"});
  CHECK_THAT(none.output, ContainsText("# memory copy: left out: 1.126 PB: no room in memory\n"));
}

#ifdef TOFN_HAS_NCCL
TEST_CASE("the nccl backend needs a GPU") {
  bool has_gpu = true;
  try {
    has_gpu = bench::usable_gpus() > 0;
  } catch (const std::exception&) {
    has_gpu = false;
  }
  if (has_gpu) {
    WARN("this machine has a GPU: not tested");
    return;
  }
  const Outcome outcome = run_command(tofn_bench("collective --backend nccl"));
  CHECK(outcome.exit_code == 2);
  REQUIRE(own_lines(outcome.errors).size() == 1);
  CHECK(outcome.errors.starts_with("tofn-bench: no CUDA device: "));
}
#else
TEST_CASE("the nccl backend needs a program that has it") {
  const Outcome outcome = run_command(tofn_bench("collective --backend nccl"));
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.errors ==
        "tofn-bench: this tofn-bench was built without CUDA and NCCL: install it and configure "
        "with -DTOFN_NCCL=ON\n");
}
#endif
