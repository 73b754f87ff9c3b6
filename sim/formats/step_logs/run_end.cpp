// Words that programs print when training ends.
#include <array>
#include <string_view>

#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Words that end a run, and their short form.
struct EndOfRun {
  std::string_view words;
  std::string_view figures;
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

}  // namespace

void take_end(const LogText& log, LoggedRuns& read) {
  if (read.runs.empty() || !read.runs.back().ended.empty()) return;
  LoggedSteps& last = read.runs.back();
  if (last.steps.empty()) return;
  const int from = last.steps.back().line.number;
  for (const LogLine& line : log.lines)
    for (const EndOfRun& each : ends_of_runs)
      if (line.number >= from && line.text.find(each.words) != std::string_view::npos)
        last.ended = each.figures;
}

}  // namespace formats
}  // namespace tofn
