#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/load_plan.hpp"
#include "sim/expense/expense.hpp"
#include "sim/model/model.hpp"
#include "sim/training/job.hpp"

namespace tofn {
inline namespace config {

class YamlNode;

/// Steps at one batch.
struct BatchStretch {
  double batch = 0;    ///< samples of a step
  double samples = 0;  ///< that it trains
};

/// A part of a run: a plan is held over it, a batch that ramps is several stretches.
struct RunPhase {
  std::string name{};
  Model model;  ///< with the phase's sequence length
  std::vector<BatchStretch> stretches{};
  std::optional<int> most_accelerators{};  ///< takes part of a larger job; absent: all
  PlanFile plan{};

  double samples() const;
  double last_batch() const { return stretches.back().batch; }
};

/// What a run of a model does, whatever it runs on: a file of runs/, or one phase that options ask
/// for.
struct RunFile {
  std::string name{};
  std::string title{};
  std::vector<RunPhase> phases;    ///< at least one
  bool is_one_step = false;        ///< nobody said how much it trains
  bool has_default_batch = false;  ///< nobody said its batch
  std::optional<std::string> stack{};
  JobEvaluation evaluation{};
  std::optional<double> input_rate{};  ///< samples/s of a node
  Seconds start_up = default_start_up;
  ExpenseOptions interruptions{};  ///< failures, restarts and checkpoints
  /// Stated, or fitted to the reference points of a target; absent: by the law, of texts.
  std::optional<Amount> critical_batch{};

  double samples() const;
  double tokens() const;  ///< 0 where samples are no texts
};

/// Whether a file describes a run.
bool is_run(const YamlNode& root);

/// With the models, plans and workloads of `configs` that it names. Mistakes are InputErrors at
/// file, line and column.
RunFile load_run(const std::filesystem::path& file, const std::filesystem::path& configs);

/// A path (it ends in .yaml), or the name of a file of runs/. InputError with the valid names.
RunFile find_run(const std::filesystem::path& configs, std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
