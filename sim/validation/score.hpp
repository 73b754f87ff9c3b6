#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace validation {

/// A measured time beside what was foretold without it.
struct ScoredRow {
  std::string file;
  CollectiveKind collective = CollectiveKind::AllReduce;
  int ranks = 0;
  int nodes = 0;
  Bytes size;
  Seconds measured;
  Seconds predicted;
  Seconds low;  ///< of the interval that holds 9 of 10 measurements
  Seconds high;
  Basis basis = Basis::Interpolated;
  double beyond = 1;         ///< times that size or nodes lie outside what calibrated
  int calibrated_nodes = 0;  ///< the most nodes that the prediction had seen
  std::string fault;         ///< why lint distrusts the whole table; empty: it does not
  std::string laboratory{};  ///< who measured it, where that is known
  std::string taught{};      ///< what the laboratory's own tables told the formulas; empty: blind

  Scored scored() const {
    return within(measured.base(), predicted.base(), {low.base(), high.base()});
  }
};

/// A table, or rows of one, that a protocol could not score.
struct Unscored {
  std::string file;
  std::string reason;
};

struct Scores {
  std::vector<ScoredRow> rows;
  std::vector<Unscored> left_out;
};

Accuracy accuracy_of(std::span<const ScoredRow>);

/// Rows of `table` beside what `curve`, which had seen up to `calibrated_nodes`, says of them.
std::vector<ScoredRow> score_rows(const CollectiveTable& table, std::span<const CollectiveRow> rows,
                                  const CostCurve& curve, int calibrated_nodes);

}  // namespace validation
}  // namespace tofn
