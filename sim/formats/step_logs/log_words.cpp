// Words of programs and drivers in a log of steps: how its run ended, why steps are slow, and which
// are lost.
#include <algorithm>
#include <array>
#include <cctype>

#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Words that end a run, and their short form.
struct EndOfRun {
  std::string_view words;
  std::string_view name;
};
constexpr std::array ends_of_runs{// Megatron-LM: megatron/training/training.py, print_datetime.
                                  EndOfRun{"[after training is done]", "training is done"},
                                  EndOfRun{"[exiting program at iteration", "exiting program"},
                                  EndOfRun{"[exiting program after", "exiting program"},
                                  // torchtitan: torchtitan/train.py.
                                  EndOfRun{"Training completed", "Training completed"},
                                  // Lightning, and NeMo on top of it: loops/fit_loop.py.
                                  EndOfRun{"`Trainer.fit` stopped:", "Trainer.fit stopped"},
                                  // Hugging Face's Trainer.
                                  EndOfRun{"'train_runtime':", "train_runtime"}};

struct KnownWarning {
  std::string_view words;
  std::string_view meaning;
  /// Checks the text after the words; null: always.
  bool (*warns)(std::string_view behind) = nullptr;
};

/// True for `:   2`, false for `:   0`.
bool is_counted(std::string_view behind) {
  const std::size_t digit = behind.find_first_not_of(": \t");
  return digit != std::string_view::npos && behind[digit] >= '1' && behind[digit] <= '9';
}

/// True for `: nan`, `=NaN`, `': nan`.
bool is_not_a_number(std::string_view behind) {
  const std::size_t at = behind.find_first_not_of("'\":= \t");
  if (at == std::string_view::npos || at == 0) return false;
  const std::string_view word = behind.substr(at, 3);
  const auto is = [&](std::string_view wanted) {
    return std::equal(word.begin(), word.end(), wanted.begin(), wanted.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == b;
    });
  };
  return is("nan") || is("inf");
}

/// True if the line contains the words, followed by what they warn of.
bool warns(const KnownWarning& known, std::string_view line) {
  for (std::size_t at = line.find(known.words); at != std::string_view::npos;
       at = line.find(known.words, at + 1))
    if (known.warns == nullptr || known.warns(line.substr(at + known.words.size()))) return true;
  return false;
}

constexpr std::string_view full_allocator =
    "memory is full: the allocator gives its cache back to the device and asks again, and steps "
    "wait (smaller micro-batches or more recomputation leave room)";
constexpr std::string_view lost_steps =
    "the optimizer left these steps out: their time is spent, and they train nothing";
constexpr std::array known_warnings{
    // The loss of any program.
    KnownWarning{"loss",
                 "the loss is no number: what follows trains nothing, so restart from a "
                 "checkpoint before it",
                 is_not_a_number},
    // Megatron-LM: training/training.py.
    KnownWarning{"number of nan iterations", lost_steps, is_counted},
    KnownWarning{"number of skipped iterations", lost_steps, is_counted},
    // DeepSpeed: runtime/fp16/fused_optimizer.py, runtime/zero/stage_1_and_2.py.
    KnownWarning{"OVERFLOW! Rank 0 Skipping step", lost_steps},
    // torchtitan: components/metrics.py.
    KnownWarning{"CUDA memory allocation retries", full_allocator},
    // DeepSpeed: runtime/zero/stage3.py.
    KnownWarning{"pytorch allocator cache flushes", full_allocator},
    // PyTorch: torch/_dynamo/convert_frame.py.
    KnownWarning{"torch._dynamo hit config.",
                 "functions were compiled anew too often, and run uncompiled from here"},
    // NVIDIA's driver, docs.nvidia.com/deploy/xid-errors.
    KnownWarning{"NVRM: Xid", "the driver saw a fault of a device or of its links"},
    KnownWarning{"ECC error", "memory of a device fails"}};

}  // namespace

std::string end_of_run(const LogText& log, const LogLine& last_step) {
  std::string_view ended;
  for (const LogLine& line : log.lines)
    for (const EndOfRun& each : ends_of_runs)
      if (line.number >= last_step.number && line.text.find(each.words) != std::string_view::npos)
        ended = each.name;
  return std::string(ended);
}

std::vector<LogWarning> slow_warnings(const LogText& log) {
  std::vector<LogWarning> found;
  for (const KnownWarning& known : known_warnings) {
    LogWarning warning{.meaning = std::string(known.meaning)};
    for (const LogLine& line : log.lines) {
      if (!warns(known, line.text) || warning.count++ > 0) continue;
      warning.line = line.number;
      warning.words = known.words;
    }
    if (warning.count > 0) found.push_back(std::move(warning));
  }
  return found;
}

}  // namespace formats
}  // namespace tofn
