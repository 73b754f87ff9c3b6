#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace answers {

/// Rows that a prediction of a published run is fitted to: those that `compare` uses; the same
/// without the run's organisation; every other round.
inline constexpr std::array<std::pair<std::string_view, CalibrationRule>, 3> published_protocols{
    {{"standing", CalibrationRule::OneNode},
     {"submitter", CalibrationRule::OtherSubmitters},
     {"round", CalibrationRule::OtherRounds}}};

/// A published time to train with its prediction, in seconds.
struct ScoredRun {
  std::string benchmark;
  std::string organisation;
  std::string system;
  std::string accelerator;
  std::string table;  ///< name of its file without `.csv`
  int accelerators = 0;
  bool is_in_one_domain = false;
  Scored time;
  std::optional<double> linear;   ///< the 8-accelerator score x 8/N
  std::string skipped_because{};  ///< empty if it was scored
  Location location{};
  std::string contradiction{};  ///< between the row's own numbers; its time is scored all the same

  const Scored& scored() const { return time; }
};

/// Scores every row of these tables, each run of a table once. `read_published_table` fills
/// `notes`.
std::vector<ScoredRun> published_answer(Shipped&, const std::vector<std::filesystem::path>& tables,
                                        CalibrationRule, std::vector<std::string>* notes = nullptr);

}  // namespace answers
}  // namespace tofn
