#include "sim/formats/text/job_end.hpp"

#include <string>

#include "sim/formats/collective_logs/collective_log.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "sim/formats/text/log_text.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

JobEnd end_after(const std::string& steps, const std::string& rest) {
  const std::string whole = steps + rest;
  return end_of_job(cut_into_lines(whole, "run.log"), 2);
}

const std::string two_steps = "step: 1\nstep: 2\n";

std::string megatron_log() {
  std::string text;
  for (int i = 1; i <= 8; ++i)
    text += " iteration " + std::to_string(i) +
            "/ 100 | elapsed time per iteration (ms): 1300.0 | global batch size: 64 | lm loss: "
            "2.0E+00 | number of nan iterations:   0 |\n";
  return text;
}

/// All-reduces of eight ranks on one node, as nccl-tests prints them.
std::string nccl_tests(const std::string& wrong, const std::string& below) {
  return "# nThread 1 nGpus 8 minBytes 8 maxBytes 16\n"
         "#  size  count type redop root  time algbw busbw #wrong  time algbw busbw #wrong\n"
         "   8192  2048 float sum -1 10.0 0.82 1.43 " +
         wrong + " 10.0 0.82 1.43 0\n   16384 4096 float sum -1 10.0 1.64 2.87 " + wrong +
         " 10.0 1.64 2.87 0\n" + below;
}

const LogHints of_a_node{.collective = CollectiveKind::AllReduce, .ranks = 8, .nodes = 1};

}  // namespace

TEST_CASE("a job failed if its last lines say so, and the cause comes before its consequences") {
  CHECK_FALSE(end_after(two_steps, "saving checkpoint\n").is_known());
  const JobEnd memory = end_after(
      two_steps,
      "[rank3]:Traceback (most recent call last):\n[rank3]:torch.OutOfMemoryError: CUDA out of "
      "memory. Tried to allocate 2 GiB\ntorch.distributed.elastic...errors.ChildFailedError:\n");
  CHECK(memory.words == "CUDA out of memory");
  CHECK(memory.is_failure);
  CHECK(memory.line == 4);
  CHECK(end_after(two_steps,
                  "slurmstepd: error: *** STEP 1.0 ON n1 CANCELLED AT 2025-06-01 DUE TO "
                  "TIME LIMIT ***\n")
            .words == "cancelled at Slurm's time limit");
  const std::string stopped =
      "W0101 10:00:00.1 torch/distributed/elastic/agent/server/api.py:704] Received "
      "Signals.SIGTERM death signal, shutting down workers\n";
  const std::string raised =
      "Traceback (most recent call last):\n"
      "torch.distributed.elastic.multiprocessing.api.SignalException: Process 7 got signal: 15\n";
  for (const std::string& text : {stopped, raised, stopped + raised})
    CHECK(end_after(two_steps, text).words == "stopped by a signal");
  CHECK(end_after(two_steps, "Watchdog caught collective operation timeout: WorkNCCL(\n").words ==
        "a collective timed out");
}

TEST_CASE("an orderly end is none of the errors behind it, nor is an error before the last step") {
  const JobEnd orderly =
      end_after(two_steps,
                "[after training is done] datetime: 2024-05-01\nTraceback (most recent "
                "call last):\n");
  CHECK(orderly.words == "training is done");
  CHECK_FALSE(orderly.is_failure);
  CHECK_FALSE(end_after("CUDA out of memory\nstep: 2\n", "saving\n").is_known());
}

TEST_CASE("a failed run and a loss that is no number are remarks on the steps of a log") {
  const StepHints sizes{.accelerators = 8, .tensor_parallel_size = 1, .gradient_accumulation = 8};
  const auto remarks = [&](const std::string& text) {
    std::string all;
    for (const std::string& each : read_step_log(text, "run.log", sizes).remarks)
      all += each + '\n';
    return all;
  };
  CHECK_THAT(remarks(megatron_log()), !ContainsText("FAILED") && !ContainsText("WARNING"));
  CHECK_THAT(remarks(megatron_log() + "torch.OutOfMemoryError: CUDA out of memory\n"),
             ContainsText("run.log:9: the job FAILED after its last step: CUDA out of memory"));
  std::string nan = megatron_log();
  for (std::size_t at = nan.find("2.0E+00"); at != std::string::npos; at = nan.find("2.0E+00"))
    nan.replace(at, 7, "nan");
  CHECK_THAT(remarks(nan), ContainsText("run.log:1: WARNING of 'loss' on 8 lines"));
  CHECK(survey_step_log(megatron_log() + "MPI_ABORT was invoked on rank 3\n", "run.log", sizes)
            .runs.back()
            .end.is_failure);
}

TEST_CASE("a benchmark that failed or computed wrong results is said to have") {
  const auto reading = read_collective_log(
      nccl_tests("0", "node1: Test NCCL failure common.cu:958 'unhandled cuda error'\n"), "ar.txt",
      of_a_node);
  CHECK(reading.remarks.back() == "ar.txt:5: the job FAILED after its last row: Test NCCL failure");
  CHECK(read_collective_log(nccl_tests("0", "# Out of bounds values : 0 OK\n"), "ar.txt", of_a_node)
            .tables.at(0)
            .wrong_results.empty());
  CHECK(read_collective_log(nccl_tests("0", "# Out of bounds values : 27 FAILED\n"), "ar.txt",
                            of_a_node)
            .tables.at(0)
            .wrong_results == "values out of bounds: 27");
  CHECK_THAT(
      refusal([&] { read_collective_log(nccl_tests("3", ""), "ar.txt", of_a_node); }),
      ContainsText("ar.txt:3: every row has wrong results, beginning with 3 wrong values at "));
}
