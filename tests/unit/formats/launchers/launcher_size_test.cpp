#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string flags =
    "pretrain_gpt.py --num-layers 8 --hidden-size 1024 --num-attention-heads 16 --seq-length 2048 "
    "--vocab-size 1024 --micro-batch-size 1\n";

/// Number of accelerators of a batch script with these options; 0 if the reader asks for -N.
int accelerators(const std::string& batch, const std::string& launcher) {
  const std::string text = "#!/bin/bash\n#SBATCH " + batch + "\n" + launcher + " " + flags;
  int count = 0;
  const std::string refused =
      refusal([&] { count = reading(text, "a.sh").training.plan.accelerators(); });
  if (count == 0) CHECK_THAT(refused, ContainsText("does not say on how many accelerators"));
  return count;
}

}  // namespace

TEST_CASE("Slurm's options count nodes however they are written") {
  const std::string eight = " --gpus-per-node=8";
  for (const char* nodes : {"-N4", "-N 4", "--nodes=4", "--nodes   4", "-J name -N4 --exclusive"}) {
    INFO(nodes);
    CHECK(accelerators(nodes + eight, "srun python") == 32);
    CHECK(accelerators(nodes + eight, "srun torchrun --nnodes $SLURM_NNODES") == 32);
  }
  CHECK(accelerators(eight, "srun -N4 -n32 python") == 32);
  CHECK(accelerators(eight, "python") == 8);
}

TEST_CASE("nodes that are stated and not understood do not count as one") {
  const std::string eight = "--gpus-per-node=8";
  CHECK(accelerators(eight + " --nodes=4-8", "srun python") == 0);
  CHECK(accelerators(eight + " --nodes=4-8", "torchrun --nnodes $SLURM_NNODES") == 0);
  CHECK(accelerators(eight, "srun -N$COUNT python") == 0);
  CHECK(accelerators(eight, "torchrun --nnodes=4:8") == 0);
  CHECK(accelerators(eight + " --nodes=4-8", "torchrun --nnodes=4") == 32);
  CHECK(accelerators(eight, "deepspeed --hostfile hosts --num_gpus 8") == 0);
  CHECK(accelerators(eight, "deepspeed --hostfile hosts --num_gpus 8 --num_nodes 2") == 16);
}

TEST_CASE("more processes than a node starts are on several nodes") {
  const std::string eight = " --gpus-per-node=8";
  CHECK(accelerators("-n 32" + eight, "srun python") == 0);
  CHECK(accelerators("-n 32 -N 4" + eight, "srun python") == 32);
  CHECK(accelerators("-n 8" + eight, "srun python") == 8);
  CHECK(accelerators(eight, "srun --ntasks=32 python") == 0);
  CHECK(accelerators(eight, "mpirun -np 32 python") == 0);
  const std::string text =
      "#SBATCH --gpus-per-node=8\naccelerate launch --num_processes 32 a.py "
      "--per_device_train_batch_size 1\n";
  CHECK(plan(text, "a.sh").accelerators() == 32);
}

TEST_CASE("tasks on stated nodes are a process an accelerator where a node has several") {
  CHECK(accelerators("-N 2 -n 16", "srun python") == 16);
  CHECK(accelerators("-N 2", "srun -n 16 python") == 16);
  CHECK(accelerators("-N 2 -n 2", "srun python") == 0);
  CHECK(accelerators("-n 16", "srun python") == 0);
  CHECK(accelerators("-N 2 -n 16", "srun -N$COUNT python") == 0);
}
