#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/curves/collective_table.hpp"
#include "sim/curves/cost_curve.hpp"

namespace tofn {
inline namespace validation {

/// A measured time beside its prediction without that measurement.
struct ScoredRow {
  std::string file;
  CollectiveKind collective = CollectiveKind::AllReduce;
  int ranks = 0;
  int nodes = 0;
  Bytes size;
  Seconds measured;
  Seconds predicted;
  Seconds low;  ///< of the 90 % interval
  Seconds high;
  Basis basis = Basis::Interpolated;
  double beyond = 1;         ///< factor by which size or nodes lie outside the calibrated range
  int calibrated_nodes = 0;  ///< most nodes in the calibration
  std::string fault;         ///< reason why lint rejects the table; empty: it does not
  std::string laboratory{};  ///< source of the measurements, if known
  std::string taught{};      ///< parts of the formulas that come from the laboratory's own tables;
                             ///< empty: independent

  Scored scored() const {
    return within(measured.base(), predicted.base(), {low.base(), high.base()});
  }
};

/// A table, or rows of a table, that a protocol could not score.
struct Unscored {
  std::string file;
  std::string reason;
};

struct Scores {
  std::vector<ScoredRow> rows;
  std::vector<Unscored> left_out;
};

Accuracy accuracy_of(std::span<const ScoredRow>);

/// Scores rows of `table` by `curve`, which is calibrated on up to `calibrated_nodes` nodes.
std::vector<ScoredRow> score_rows(const CollectiveTable& table, std::span<const CollectiveRow> rows,
                                  const CostCurve& curve, int calibrated_nodes);

}  // namespace validation
}  // namespace tofn
