#include "sim/formats/text/stated_command.hpp"

#include <string>
#include <vector>

#include "sim/formats/collective_logs/collective_log.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

struct Command {
  std::string text;
  std::optional<int> ranks;
  std::optional<int> nodes;
};

const std::string table =
    "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
    "1048576 262144 float sum -1 500.0 2.10 0.00 0 500.0 2.10 0.00 0\n";

CollectiveTable table_below(const std::string& command, const LogHints& hints,
                            std::vector<std::string>& remarks) {
  LogReading reading = read_collective_log(command + table, "run.txt", hints);
  remarks = reading.remarks;
  return reading.tables.front();
}

}  // namespace

TEST_CASE("a launcher's options say ranks and nodes") {
  for (const Command& each : {
           Command{"$ srun --nodes=4 --ntasks-per-node=8 --cpus-per-task=8 -- prog", 32, 4},
           Command{"srun -N4 -n32 ./prog", 32, 4},
           Command{"srun -N 2 -n 10 --ntasks-per-node 8 ./prog", 10, 2},
           Command{"user@login:~> srun -N 2 ./prog", {}, 2},
           Command{"mpirun -np 1024 -N 128 --mca btl ^openib -x UCX_TLS=sm,rc osu_bcast -f", 1024,
                   8},
           Command{"mpirun -n 16 --map-by ppr:8:node ./prog", 16, 2},
           Command{"mpirun -n 20 --map-by ppr:8:node:PE=4 ./prog", 20, 3},
           Command{"mpirun -n 16 --map-by ppr:4:socket ./prog", 16, {}},
           Command{"/opt/mpi/bin/mpiexec -n 24 -ppn 12 ./prog", 24, 2},
           Command{"+ mpirun --np 16 -H node-a:8,node-b:8 ./prog", 16, 2},
           Command{"mpirun -np 12 -H node-a:8,node-b:8 ./prog", 12, {}},
           Command{"mpirun -np 2 -host node-a,node-b ./prog", 2, {}},
           Command{"torchrun --nnodes 2 --nproc_per_node=8 bench.py -n 5", 16, 2},
           Command{"python -m torch.distributed.run --nnodes=2 --nproc-per-node 4 b.py", 8, 2},
           Command{"deepspeed --num_nodes 2 --num_gpus 8 b.py", 16, 2},
           // One task on each node starts the processes of that node.
           Command{"srun -N 4 --ntasks-per-node=1 torchrun --nnodes $N --nproc-per-node 8 b.py", 32,
                   4},
       }) {
    INFO(each.text);
    const StatedPlacement stated = placement_of_command(each.text);
    CHECK(stated.all_ranks() == each.ranks);
    CHECK(stated.nodes == each.nodes);
    CHECK_FALSE(stated.stated.empty());
  }
}

TEST_CASE("accelerators of a process are ranks each, and options of a program are its own") {
  // nccl-tests: -n counts iterations, -g the accelerators of a thread, -t the threads of a process.
  const StatedPlacement each =
      placement_of_command("mpirun -N 1 -np 2 ./build/all_reduce_perf -b 8 -e 8G -f 2 -g 8 -n 100");
  CHECK(each.all_ranks() == 16);
  CHECK(each.nodes == 2);
  CHECK(each.stated == "mpirun -N 1 -np 2 -g 8");
  CHECK(placement_of_command("mpirun -np 2 all_reduce_perf -t 2 -g 4").all_ranks() == 16);
  CHECK(placement_of_command("mpirun -N 8 ./all_reduce_perf -n 20").all_ranks() == std::nullopt);
  CHECK(placement_of_command("mpirun -np 8 osu_allreduce -N 2 > out").nodes == std::nullopt);
}

TEST_CASE("words that start nothing say nothing") {
  for (const char* text : {"mpirun: error: not enough slots", "ran with -n 8 on 4 nodes",
                           "usage: mpirun -np <n> -N <n>", "srun --nodes=2-4 ./prog",
                           "mpirun -np 99999999999 ./prog", "./all_reduce_perf -g 8", ""}) {
    INFO(text);
    CHECK(placement_of_command(text).stated.empty());
  }
  CHECK_FALSE(StatedPlacement{.nodes = 10'000'000, .ranks_per_node = 2}.all_ranks());
}

TEST_CASE("a table is of the command above it, and the reading says so") {
  std::vector<std::string> remarks;
  const std::string command = "$ mpirun -np 16 \\\n  --map-by ppr:8:node ./all_reduce_perf -g 1\n";
  const CollectiveTable own =
      table_below(command, {.collective = CollectiveKind::AllReduce}, remarks);
  CHECK(own.ranks == 16);
  CHECK(own.nodes == 2);
  CHECK(remarks.front() ==
        "run.txt:1: taken from the command `mpirun -np 16 --map-by ppr:8:node`: 16 ranks, 2 nodes");
  const LogReading two = read_collective_log("mpirun -np 16 -N 8 ./all_reduce_perf\n" + table +
                                                 "mpirun -np 8 -N 8 ./all_reduce_perf\n" + table,
                                             "run.txt");
  REQUIRE(two.tables.size() == 2);
  CHECK(two.tables[1].ranks == 8);
  CHECK(two.tables[1].nodes == 1);
  CHECK(two.remarks.at(1).ends_with("`mpirun -np 8 -N 8`: 8 ranks, 1 node"));
}

TEST_CASE("options, and the log's list of devices, go before the command") {
  std::vector<std::string> remarks;
  const LogHints hints{.collective = CollectiveKind::AllReduce, .ranks = 4, .nodes = 1};
  const CollectiveTable request = table_below("srun -N 2 -n 16 x\n", hints, remarks);
  CHECK(request.ranks == 4);
  CHECK(request.nodes == 1);
  CHECK(remarks.empty());
  const std::string devices =
      "#  Rank  0 Group  0 Pid 7 on a device  0 [0000:05:00] X\n"
      "#  Rank  1 Group  0 Pid 8 on a device  1 [0000:06:00] X\n";
  const CollectiveTable listed = table_below("srun -N 2 -n 16 x\n" + devices,
                                             {.collective = CollectiveKind::AllReduce}, remarks);
  CHECK(listed.ranks == 2);
  CHECK(listed.nodes == 1);
  // The ranks of the command fill the nodes that an option states.
  const CollectiveTable both = table_below(
      "mpirun -np 16 x\n", {.collective = CollectiveKind::AllReduce, .nodes = 2}, remarks);
  CHECK(both.ranks == 16);
}

TEST_CASE("Intel MPI's benchmarks have the nodes of the command that starts as many ranks") {
  const std::string imb =
      "# Benchmarking Allreduce\n# #processes = 8\n"
      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
      "      4194304           10       843.86       928.25       886.05\n";
  CHECK(read_collective_log("mpirun -np 8 -ppn 4 IMB-MPI1 Allreduce\n" + imb, "i.txt")
            .tables.front()
            .nodes == 2);
  CHECK(refusal([&] {
          read_collective_log("mpirun -np 16 -ppn 4 IMB-MPI1 Allreduce\n" + imb, "i.txt");
        }) == "i.txt:2: nodes: the log does not say how many: give --nodes");
}
