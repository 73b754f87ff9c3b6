#include "sim/formats/text/job_end.hpp"

#include <array>

#include <fmt/format.h>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Words that end a job, and their short form.
struct EndOfJob {
  std::string_view words;
  std::string_view name;
  bool is_failure = true;
};

/// The first row with words in the log decides, so an orderly end comes before the errors that may
/// follow it, and the cause of a failure before what it causes.
constexpr std::array ends_of_jobs{
    // Hugging Face's Trainer.
    EndOfJob{"'train_runtime':", "train_runtime", false},
    // Megatron-LM: megatron/training/training.py, print_datetime.
    EndOfJob{"[after training is done]", "training is done", false},
    EndOfJob{"[exiting program at iteration", "exiting program", false},
    EndOfJob{"[exiting program after", "exiting program", false},
    // torchtitan: torchtitan/train.py.
    EndOfJob{"Training completed", "Training completed", false},
    // Lightning, and NeMo on top of it: loops/fit_loop.py.
    EndOfJob{"`Trainer.fit` stopped:", "Trainer.fit stopped", false},
    // PyTorch: c10/cuda/CUDACachingAllocator.cpp.
    EndOfJob{"OutOfMemoryError", "CUDA out of memory"},
    EndOfJob{"CUDA out of memory", "CUDA out of memory"},
    // XLA: the status that jax raises.
    EndOfJob{"RESOURCE_EXHAUSTED", "RESOURCE_EXHAUSTED"},
    // nccl-tests: src/common.h, NCCLCHECK and CUDACHECK.
    EndOfJob{"Test NCCL failure", "Test NCCL failure"},
    EndOfJob{"Test CUDA failure", "Test CUDA failure"},
    // NCCL: src/misc/utils.cc, ncclGetErrorString.
    EndOfJob{"unhandled cuda error", "unhandled CUDA error in NCCL"},
    EndOfJob{"unhandled system error", "unhandled system error in NCCL"},
    EndOfJob{"remote process exited or there was a network error", "a remote process exited"},
    // PyTorch: torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp.
    EndOfJob{"Watchdog caught collective operation timeout", "a collective timed out"},
    // Slurm: slurmstepd.
    EndOfJob{"DUE TO TIME LIMIT", "cancelled at Slurm's time limit"},
    EndOfJob{"DUE TO PREEMPTION", "preempted by Slurm"},
    EndOfJob{"DUE TO NODE FAILURE", "cancelled by Slurm: a node failed"},
    EndOfJob{"oom_kill event", "out of host memory"},
    EndOfJob{"CANCELLED AT", "cancelled by Slurm"},
    // Open MPI: MPI_Abort.
    EndOfJob{"MPI_ABORT was invoked", "MPI_ABORT"},
    EndOfJob{"Segmentation fault", "segmentation fault"},
    // PyTorch: torch/distributed/elastic.
    EndOfJob{"ChildFailedError", "a rank failed (ChildFailedError)"},
    EndOfJob{"death signal, shutting down workers", "stopped by a signal"},
    EndOfJob{"SignalException: ", "stopped by a signal"},
    // Any program in Python.
    EndOfJob{"Traceback (most recent call last)", "an exception"}};

}  // namespace

JobEnd end_of_job(const LogText& log, int last_result) {
  for (const EndOfJob& end : ends_of_jobs)
    for (const LogLine& line : log.lines)
      if (line.number >= last_result && line.text.find(end.words) != std::string_view::npos)
        return {.words = std::string(end.name), .is_failure = end.is_failure, .line = line.number};
  return {};
}

std::string failure_remark(const LogText& log, const JobEnd& end, std::string_view result) {
  return fmt::format("{}:{}: the job FAILED after its last {}: {}", log.file, end.line, result,
                     end.words);
}

}  // namespace formats
}  // namespace tofn
