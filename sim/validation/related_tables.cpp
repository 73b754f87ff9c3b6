#include "sim/validation/related_tables.hpp"

namespace tofn {
inline namespace validation {

void RelatedTables::add(const LinkTable& table, const Evidence& evidence) {
  for (int effect = 0; effect < effect_count; ++effect)
    if (evidence.precision(effect, effect) > 0) known_.push_back({&table, &evidence, effect});
}

LinkPosterior RelatedTables::posterior(const EffectVector& mean,
                                       const EffectMatrix& variance) const {
  const auto size = static_cast<Eigen::Index>(known_.size());
  Eigen::MatrixXd to_requested(effect_count, size);
  Eigen::MatrixXd evidence(size, size + 1);  // precision; last column: sum beyond the mean
  for (Eigen::Index i = 0; i < size; ++i) {
    const Known& each = at(i);
    to_requested.col(i) = variance.col(each.effect) +
                          similarity(request_, *each.table, spreads_) * apart_.col(each.effect);
    for (Eigen::Index j = 0; j < size; ++j)
      evidence(i, j) =
          each.table == at(j).table ? each.evidence->precision(each.effect, at(j).effect) : 0;
    evidence(i, size) =
        each.evidence->sum[each.effect] - each.evidence->precision.row(each.effect).dot(mean);
  }
  const Eigen::MatrixXd reported =
      (Eigen::MatrixXd::Identity(size, size) + evidence.leftCols(size) * covariance(variance))
          .partialPivLu()
          .solve(evidence);
  return posterior_of(
      mean + to_requested * reported.col(size),
      variance + apart_ - to_requested * reported.leftCols(size) * to_requested.transpose());
}

Eigen::MatrixXd RelatedTables::covariance(const EffectMatrix& variance) const {
  const auto size = static_cast<Eigen::Index>(known_.size());
  Eigen::MatrixXd result(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j) {
      const Known &a = at(i), &b = at(j);
      result(i, j) = variance(a.effect, b.effect);
      if (a.effect != b.effect) continue;
      const double near = a.table == b.table ? 1 : similarity(*a.table, *b.table, spreads_);
      result(i, j) += near * apart_(a.effect, a.effect);
    }
  return result;
}

}  // namespace validation
}  // namespace tofn
