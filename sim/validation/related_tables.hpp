#pragma once

#include <vector>

#include "sim/validation/link_evidence.hpp"

namespace tofn {
inline namespace validation {

/// Tables of one system, which tell the more of the requested one the more similar they are:
/// effects are a normal deviation of the system plus one of the table, the latter correlated
/// between tables by their similarity (kriging: Rasmussen & Williams 2006, ch. 2).
class RelatedTables {
 public:
  RelatedTables(const LinkTable& asked, const LinkSpreads& spreads)
      : asked_(asked), spreads_(spreads), apart_(variance_of(spreads, EffectLevel::Table)) {}

  /// Both are kept by reference.
  void add(const LinkTable&, const Evidence&);

  /// Posterior of the requested table, where N(mean, variance) is the prior of its system.
  LinkPosterior posterior(const EffectVector& mean, const EffectMatrix& variance) const;

 private:
  /// An effect that a table's rows say something of.
  struct Known {
    const LinkTable* table;
    const Evidence* evidence;
    int effect;
  };

  const Known& at(Eigen::Index i) const { return known_[static_cast<std::size_t>(i)]; }

  Eigen::MatrixXd covariance(const EffectMatrix& variance) const;

  const LinkTable& asked_;
  const LinkSpreads& spreads_;
  EffectMatrix apart_;
  std::vector<Known> known_;
};

}  // namespace validation
}  // namespace tofn
