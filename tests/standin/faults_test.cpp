// Tests faults that the stand-in simulates: tofn-bench ends with the reason in one line, and an
// exit code.
#include "tests/catch.hpp"
#include "tests/mpi/job.hpp"

namespace tofn::test {
namespace {

constexpr const char* collective = "collective --backend nccl --op all-reduce --place out";
constexpr const char* by_kernels = "collective --backend nccl --device-api --place out";
constexpr const char* in_windows = "collective --backend nccl --symmetric --place out";
constexpr const char* step = "step --processor gpu --workload '" TOFN_SOURCE_DIR
                             "/tests/mpi/data/four-layers.yaml' --samples 1 --bucket 1MB --ranks 2";
constexpr const char* memory = "compute --processor gpu --kind memory";

struct SeededFault {
  const char* fault;
  const char* command;
  int exit_code;
  const char* line;      ///< part of the line
  const char* end = "";  ///< another part
};

/// Lines that state a reason. mpirun may also end the first rank after another rank has ended, and
/// its line is left out.
std::vector<std::string> reasons(const std::string& errors) {
  std::vector<std::string> lines = own_lines(errors);
  std::erase_if(lines, [](const std::string& line) {
    return line.find(", rank 0: ended by SIGTERM during ") != std::string::npos;
  });
  return lines;
}

Outcome run_with(const std::string& fault, const std::string& arguments) {
  const std::string sizes = arguments.starts_with("step") ? "" : " --sizes 8B,1KiB";
  return run_command("env TOFN_STANDIN_FAULT=" + fault + " " + mpirun(2) +
                     tofn_bench(arguments + sizes + " --max-time 10ms --visit-time 1ms"));
}

}  // namespace

TEST_CASE("each fault ends tofn-bench with one line and its exit code", "[bench]") {
  const auto faults = std::to_array<SeededFault>({
      {"out_of_memory@2/1", collective, 1,
       ", rank 1: all-reduce of 1.024 kB (fp32, world): cudaMalloc: out of memory: 1.02 kB asked "
       "for, "},
      {"no_algorithm@1/1", "compute --processor gpu --kind gemm --type bf16 --shapes 64x64x64", 1,
       ", rank 1: gemm bf16 256x256x256: cuBLASLt has no bf16 kernel for m 256, n 256, k 256: "},
      {"ecc@1/1", memory, 1, "rank 1: memory copy: cudaDeviceSynchronize: uncorrectable ECC error"},
      {"asynchronous_error@2/1", memory, 1, ", rank 1: memory copy of 8 B: cuda",
       ": unspecified launch failure"},  // the next call reports it
      {"failing_collective@3/1", collective, 1,
       ", rank 1: all-reduce of 8 B (fp32, world): NCCL, in the background: remote process exited "
       "or "
       "there was a network error: a fault that was asked for"},
      {"split_domain/1", by_kernels, 1,
       ", rank 1: joining through NCCL: --device-api: loads and stores reach 1 of the group's 2 "
       "ranks: their GPUs must be of one domain of NVLink"},
      {"no_symmetric_memory/1", by_kernels, 1,
       ", rank 1: joining through NCCL: NCCL makes no symmetric memory of these ranks: their GPUs "
       "must "
       "be of one domain of NVLink"},
      {"no_symmetric_memory/1", in_windows, 1,
       ", rank 1: joining through NCCL: NCCL makes no symmetric memory of these ranks: their GPUs "
       "must "
       "be of one domain of NVLink"},
      {"failing_join@1/1", collective, 1,
       ", rank 1: joining the ranks of all-reduce (fp32, world): ncclCommInitRank: unhandled "
       "system "
       "error"},
      {"failing_join@1/1", step, 1,
       ", rank 1: joining the ranks of the step of four_layers on 2 ranks: ncclCommInitRank: "
       "unhandled "
       "system error"},
      {"out_of_memory@1/1", in_windows, 1,
       ", rank 1: allocating for all-reduce of 1.024 kB (fp32, world): ncclMemAlloc of 1.02 kB: "},
      {"other_nccl", by_kernels, 2, "this tofn-bench was built with NCCL 2.", ", and runs with 2."},
      {"other_nccl", in_windows, 2, "this tofn-bench was built with NCCL 2.", ", and runs with 2."},
      {"hanging_registration@1/1", in_windows, 1,
       ": allocating for all-reduce of 1.024 kB (fp32, world): nothing has moved for 5 s "
       "(--timeout): another rank or the network has stalled"},
      {"failing_collective@3/1", by_kernels, 1,
       ", rank 1: all-reduce of 8 B (fp32, world): NCCL, in the background: remote process exited"},
      {"hang@3/1", collective, 1,
       ", rank 0: all-reduce of 8 B (fp32, world): nothing has moved for 5 s (--timeout): another "
       "rank or the network has stalled"},
      {"wrong_result@1/1", collective, 1,
       ", rank 1: all-reduce of 8 B (fp32, world): wrong result: element 0 is "},
      {"wrong_result@1/1",
       "compute --processor gpu --kind slowdown --type bf16 --beside-shape 64x64x64 "
       "--beside-size 1KiB",
       1, ", rank 1: gemm bf16 64x64x64 beside an all-reduce: wrong result: element 0 is "},
  });
  for (const auto& [fault, command, exit_code, line, end] : faults) {
    INFO(fault);
    const bool hangs = std::string(fault).starts_with("hang");
    const Outcome outcome = run_with(fault, std::string(command) + (hangs ? " --timeout 5s" : ""));
    INFO(outcome.errors);
    CHECK(outcome.exit_code == exit_code);
    const auto lines = reasons(outcome.errors);
    CHECK(lines.size() == 1);
    if (!lines.empty()) CHECK_THAT(lines[0], ContainsText(line) && ContainsText(end));
  }
}

TEST_CASE("a rank that dies takes the job along", "[bench]") {
  const Outcome outcome = run_with("dead_rank@3/1", collective);
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 137);  // 128 + SIGKILL
  CHECK(reasons(outcome.errors).empty());
}

TEST_CASE("points of a GPU that was held back are flagged", "[bench]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  const Outcome outcome =
      run_with("throttled_clock/1", std::string(collective) + " -o '" + file + "'");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, ContainsText("throttled: heat or a power brake slowed the GPU down"));
  for (const RecordPoint& point : load_record(file).points) {
    CHECK(std::count(point.flags.begin(), point.flags.end(),
                     "throttled: heat or a power brake slowed the GPU down") == 1);
    CHECK(point.device_state.size() == 7);
  }
}

TEST_CASE("a product for which cuBLASLt finds no algorithm is named and left out", "[bench]") {
  const Outcome outcome = run_with("no_algorithm@2/1",  // the first search is for a rough estimate
                                   "compute --processor gpu --kind gemm --type bf16 --shapes "
                                   "64x64x64,128x64x64");
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output + outcome.errors,
             ContainsText("# gemm bf16 64x64x64: left out: another rank has no kernel for it") &&
                 ContainsText("128x64x64"));
}

TEST_CASE("a fault that there is not is refused by name", "[bench]") {
  const Outcome outcome = run_with("flood", collective);
  CHECK(outcome.exit_code == 70);
  CHECK_THAT(outcome.errors,
             ContainsText("stand-in: TOFN_STANDIN_FAULT: expected KIND[@N][/DEVICE]"));
}

}  // namespace tofn::test
