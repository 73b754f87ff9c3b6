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
EffectMatrix matrix_of(const LinkBelief&);
LinkBelief belief_of(const EffectVector& mean, const EffectMatrix& covariance);

/// What effects are sums of.
enum class EffectLevel { All, Family, Make, Table };
TableEffects deviations(const LinkSpreads&, EffectLevel);
EffectMatrix variance_of(const LinkSpreads&, EffectLevel);

/// Normal evidence on effects u: log p = -u'Pu/2 + u's.
struct Evidence {
  EffectMatrix precision = EffectMatrix::Zero();
  EffectVector sum = EffectVector::Zero();

  void add(const Evidence& other);
  /// On u where these are evidence on u plus a deviation of that variance.
  Evidence blurred(const EffectMatrix& variance) const;
  /// The belief in u of one who believed N(mean, variance).
  LinkBelief with_prior(const EffectVector& mean, const EffectMatrix& variance) const;
};

/// What a table's rows say: linear about what the table by itself makes of N(mean, variance), so
/// that no other table matters.
Evidence evidence_of(const LinkTable&, const EffectVector& mean, const EffectMatrix& variance,
                     const LinkSpreads&);

}  // namespace validation
}  // namespace tofn
