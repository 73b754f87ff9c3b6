#include "sim/validation/lint.hpp"
#include "sim/validation/score.hpp"

namespace tofn {
inline namespace validation {

std::vector<ScoredRow> score_rows(const CollectiveTable& table, std::span<const CollectiveRow> rows,
                                  const CostCurve& curve, int calibrated_nodes) {
  std::vector<ScoredRow> scored;
  const std::string fault = faults_of(table).first();
  for (const CollectiveRow& row : rows) {
    const CurveAnswer answer = curve.at(row.size);
    scored.push_back({.file = table.file,
                      .collective = table.collective,
                      .ranks = table.ranks,
                      .nodes = table.nodes,
                      .size = row.size,
                      .measured = row.time(),
                      .predicted = answer.time,
                      .low = answer.low,
                      .high = answer.high,
                      .basis = answer.basis,
                      .beyond = answer.beyond,
                      .calibrated_nodes = calibrated_nodes,
                      .fault = fault});
  }
  return scored;
}

}  // namespace validation
}  // namespace tofn
