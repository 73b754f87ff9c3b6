#include "microbench/app/bench_command.hpp"

#include <sstream>
#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

/// Words of a command and its options, split at blanks.
struct Words {
  explicit Words(const std::string& text) {
    std::istringstream stream(text);
    stream >> name;
    for (std::string word; stream >> word;) rest.push_back(word);
  }
  std::string name;
  std::vector<std::string> rest;
};

const BenchCommand& command_of(const Words& words) {
  for (const BenchCommand& command : commands())
    if (command.name == words.name) return command;
  throw std::logic_error("no command " + words.name);
}

options::variables_map parsed(const Words& words) {
  return parse_words(command_of(words).line(), common_rows(), words.rest);
}

std::unique_ptr<Task> task(const std::string& text) {
  const Words words(text);
  return command_of(words).read(parsed(words));
}

int points(const std::string& text) { return task(text)->most_points(); }

BenchOptions common(const std::string& text) {
  return read_common(parsed(Words("collective --backend mpi " + text)));
}

std::string refused(const std::string& text) {
  return refusal([&] { task(text); });
}

}  // namespace

TEST_CASE("a collective sweep has a point for each combination") {
  const std::string mpi = "collective --backend mpi ";
  CHECK(points(mpi) == 2 * 24);  // out of place and in place, 8 B to 64 MiB by factors of two
  CHECK(points(mpi + "--place out") == 24);
  CHECK(points(mpi + "--place in --factor 4") == 12);
  CHECK(points(mpi + "--place in --max-size 16B") == 2);
  CHECK(points(mpi + "--place in --min-size 32MiB") == 2);
  CHECK(points(mpi + "--place in --sizes 1KiB,8B,25MiB") == 3);
  CHECK(points(mpi + "--place in --sizes 8B --op all") == 7);
  CHECK(points(mpi + "--place in --sizes 8B --op all_reduce,broadcast") == 2);
  CHECK(points(mpi + "--place in --sizes 8B --type fp32,bf16,int32") == 3);
  CHECK(points(mpi + "--place in --sizes 8B --group world,rails,node,leaders") == 4);
}

TEST_CASE("a backend decides whether there must be MPI or GPUs") {
  CHECK(task("collective --backend mpi")->needs_mpi());
  CHECK_FALSE(task("collective --backend mpi")->uses_gpus());
  CHECK(task("collective --backend mpi --memory device")->uses_gpus());
  CHECK_FALSE(task("collective --backend nccl")->needs_mpi());
  CHECK(task("collective --backend nccl --cuda-graph --register")->uses_gpus());
  CHECK(task("compute --processor gpu --kind launch")->uses_gpus());
  CHECK_FALSE(task("compute --processor cpu --kind launch")->uses_gpus());
  CHECK(task("step --processor gpu --workload bert")->uses_gpus());
  CHECK(task("suite --processor gpu")->uses_gpus());
  CHECK_FALSE(task("suite --processor cpu")->uses_gpus());
}

TEST_CASE("compute has a point for each kind, type, shape and size") {
  const std::string cpu = "compute --processor cpu ";
  CHECK(points(cpu + "--kind launch") == 3);
  CHECK(points(cpu + "--kind memory") == 2 * 7);
  CHECK(points(cpu + "--kind memory --sizes 1MiB,2MiB") == 4);
  CHECK(points(cpu + "--kind slowdown --beside-shape 64x64x64 --beside-size 1MiB") == 2);
  CHECK(points(cpu + "--kind gemm --shapes 8x8x8,9x9x9,8x4x2") == 3);
  CHECK(points(cpu + "--kind gemm --shapes 8x8x8 --type fp32,bf16") == 2);
  CHECK(points(cpu + "--kind launch,gemm --shapes 8x8x8") == 4);
  const int bert = points(cpu + "--kind gemm --workload bert");
  CHECK(bert > 0);
  CHECK(points(cpu + "--kind gemm --workload bert,retinanet") > bert);
}

TEST_CASE("a step has four modes at each number of ranks") {
  const std::string bert = "step --processor cpu --workload bert ";
  CHECK(points(bert + "--ranks 1") == 4);
  CHECK(points(bert + "--ranks 1,2,4") == 12);
}

TEST_CASE("what all commands share is read") {
  const BenchOptions typical = common("");
  CHECK(typical.output.empty());
  CHECK(typical.rule.share == 0.02);
  CHECK(typical.rule.most_time == 2);
  CHECK(typical.rule.visit_time == 0.05);
  CHECK(typical.timeout == 60);
  CHECK_FALSE(typical.ranks_per_node);
  CHECK_FALSE(typical.gpus);
  const BenchOptions other = common(
      "-o x.json --resume --precision 0.5 --max-time 30s --visit-time 10ms --timeout 2min "
      "--ranks-per-node 4 --gpus 3");
  CHECK(other.output == "x.json");
  CHECK(other.resumes);
  CHECK_FALSE(other.overwrites);
  CHECK(other.rule.share == 0.005);
  CHECK(other.rule.most_time == 30);
  CHECK(other.rule.visit_time == 0.01);
  CHECK(other.timeout == 120);
  CHECK(other.ranks_per_node == 4);
  CHECK(other.gpus == 3);
  CHECK(common("-o x.json --overwrite").overwrites);
}

TEST_CASE("options that contradict each other are refused") {
  CHECK(refusal([] { common("--resume"); }) == "--resume and --overwrite need a record: -o FILE");
  CHECK(refusal([] { common("-o x.json --resume --overwrite"); }) ==
        "--resume goes on with the record, --overwrite drops it: choose one");
  CHECK(refused("collective --backend mpi --cuda-graph") ==
        "--cuda-graph, --register, --symmetric and --device-api are for the nccl backend");
  CHECK(refused("collective --backend mpi --device-api") ==
        "--cuda-graph, --register, --symmetric and --device-api are for the nccl backend");
  for (const std::string option : {"--symmetric", "--device-api"})
    CHECK(refused("collective --backend nccl --register " + option) ==
          "--register excludes --symmetric and --device-api: a window is registered");
  CHECK(refused("collective --backend nccl --cold") == "--cold is for the mpi backend");
  CHECK(refused("collective --backend mpi --max-size 8B --min-size 16B") ==
        "--max-size: is below --min-size");
}

TEST_CASE("a wrong value is named with the valid ones") {
  CHECK(refusal([] { common("--precision 0"); }) ==
        "--precision: expected a number above 0 and up to 100 (in %), got '0'");
  CHECK(refused("collective --backend mpi --factor 1") == "--factor: must be at least 2");
  CHECK(refused("compute --processor tpu") ==
        "--processor: unknown value 'tpu', did you mean 'gpu'? valid values: gpu, cpu");
  CHECK(refused("compute --processor cpu --kind gem") ==
        "--kind: unknown kind 'gem', did you mean 'gemm'? valid kinds: launch, memory, gemm, "
        "slowdown");
  CHECK(refused("compute --processor cpu --kind memory --sizes ,") ==
        "--sizes: expected at least one size");
  CHECK(refused("step --processor cpu --workload bert --bucket 1B") ==
        "--bucket: is smaller than a gradient");
}
