#pragma once

#include <Eigen/Dense>

#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace validation {

/// Effects on tables as vectors.
inline constexpr int effect_count = table_effect_count;
using EffectVector = Eigen::Matrix<double, effect_count, 1>;
using EffectMatrix = Eigen::Matrix<double, effect_count, effect_count>;
EffectVector vector_of(const TableEffects&);
EffectMatrix matrix_of(const LinkPosterior&);
LinkPosterior posterior_of(const EffectVector& mean, const EffectMatrix& covariance);

/// Levels whose effects add up to the effect on a table.
enum class EffectLevel { All, Family, System, Table };
TableEffects deviations(const LinkSpreads&, EffectLevel);
EffectMatrix variance_of(const LinkSpreads&, EffectLevel);

/// Normal evidence on effects u: log p = -u'Pu/2 + u's.
struct Evidence {
  EffectMatrix precision = EffectMatrix::Zero();
  EffectVector sum = EffectVector::Zero();

  void add(const Evidence& other);
  /// Evidence on u if this is evidence on u plus a deviation of that variance.
  Evidence blurred(const EffectMatrix& variance) const;
  /// Posterior of u if the prior is N(mean, variance).
  LinkPosterior with_prior(const EffectVector& mean, const EffectMatrix& variance) const;
};

/// Evidence of a table's rows. It is linear about the posterior of the table alone with the prior
/// N(mean, variance), so that no other table matters.
Evidence evidence_of(const LinkTable&, const EffectVector& mean, const EffectMatrix& variance,
                     const LinkSpreads&);

}  // namespace validation
}  // namespace tofn
