#pragma once

#include <vector>

#include "sim/validation/link_evidence.hpp"

namespace tofn {
inline namespace validation {

/// Tables of a make, of which the one that is asked for shares the more the nearer they are:
/// its effects are one normal deviation of the make and one of the table, the latter correlated
/// between tables by their nearness (kriging: Rasmussen & Williams 2006, ch. 2).
class Kin {
 public:
  Kin(const LinkTable& asked, const LinkSpreads& spreads)
      : asked_(asked), spreads_(spreads), apart_(variance_of(spreads, EffectLevel::Table)) {}

  /// Both are kept by reference.
  void add(const LinkTable&, const Evidence&);

  /// Posterior of the requested table, where N(mean, make) is the prior of its make.
  LinkPosterior posterior(const EffectVector& mean, const EffectMatrix& make) const;

 private:
  /// An effect that a table's rows say something of.
  struct Known {
    const LinkTable* table;
    const Evidence* evidence;
    int effect;
  };

  const Known& at(Eigen::Index i) const { return known_[static_cast<std::size_t>(i)]; }

  Eigen::MatrixXd covariance(const EffectMatrix& make) const;

  const LinkTable& asked_;
  const LinkSpreads& spreads_;
  EffectMatrix apart_;
  std::vector<Known> known_;
};

}  // namespace validation
}  // namespace tofn
