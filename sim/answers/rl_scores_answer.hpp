#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/evidence/rl_rows.hpp"

namespace tofn {
inline namespace answers {

/// A measured RL step beside its prediction by fits that did not see its model.
struct ScoredRl {
  RlRow row;
  double measured = 0;   ///< seconds
  double predicted = 0;  ///< seconds
  double deviation = 0;  ///< of the logarithm, from the errors of the other models
  std::string limit{};   ///< what its length rests on, as predicted
  Seconds generation{};
  Seconds training{};

  bool is_scored() const { return row.left_out.empty(); }
  Scored scored() const { return log_normal(measured, predicted, deviation); }
};

/// A measured rate of generation beside such a prediction; tokens/s of an accelerator, or seconds
/// from one token of a sequence to the next.
struct ScoredDecode {
  DecodeRow row;
  double measured = 0;
  double predicted = 0;
  double deviation = 0;

  bool is_scored() const { return true; }
  Scored scored() const { return log_normal(measured, predicted, deviation); }
};

/// On-policy and off-policy rows of one job, by the tokens that an accelerator trains in a second.
struct RlPair {
  std::string on;
  std::string off;
  double measured = 1;  ///< speed of the off-policy row over that of the on-policy row
  double predicted = 1;
  bool agrees() const { return (measured > 1) == (predicted > 1); }
};

struct RlScores {
  std::vector<ScoredRl> steps{};  ///< also those that are shown and not scored, if predicted
  std::vector<ScoredDecode> rates{};
  std::vector<RlPair> pairs{};
  std::vector<RlRow> left_out{};  ///< rows without a prediction
  std::vector<DecodeRow> rates_left_out{};
  EngineFigures engine;  ///< fitted to all rows
  RlFigures rl;
  double step_deviation = 0;  ///< of the logarithm of steps, from all scored rows
  double rate_deviation = 0;
  /// Shares of scored rows in their 90 % intervals, each model counting alike: rows of one model
  /// lie on the same side of their prediction.
  double steps_inside = 0;
  double rates_inside = 0;
};

/// Tables of RL steps and of generation rates.
struct RlTables {
  std::filesystem::path steps;
  std::filesystem::path rates;
};
RlTables shipped_rl_tables(const std::filesystem::path& configs);

/// Standard deviation of the logarithm for a model that no fit has seen, from the errors of the
/// rows of each other model. Rows of one model share most of their error, so that each model counts
/// once with the mean of its squared errors. An error of 20 % counts as one model more, and
/// Student's t widens the deviation for so small a number.
double deviation_of_unseen_model(const std::vector<std::vector<double>>& errors);

/// Scores tables of RL steps and of generation rates. Each model's rows are predicted by figures
/// that are fitted to the rows of the other models in the shipped tables.
RlScores rl_scores_answer(const std::filesystem::path& configs, const RlTables& scored);

}  // namespace answers
}  // namespace tofn
