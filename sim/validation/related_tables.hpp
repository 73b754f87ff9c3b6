#pragma once

#include <vector>

#include "sim/validation/link_evidence.hpp"

namespace tofn {
inline namespace validation {

/// Tables of one system. The more similar they are to the requested table, the more they count:
/// effects are a normal deviation of the system plus one of the table, and the latter is correlated
/// between tables by their similarity (kriging: Rasmussen & Williams 2006, ch. 2).
class RelatedTables {
 public:
  RelatedTables(const LinkTable& request, const LinkSpreads& spreads)
      : request_(request), spreads_(spreads), apart_(variance_of(spreads, EffectLevel::Table)) {}

  /// Adds a table with its evidence; both must outlive this object.
  void add(const LinkTable&, const Evidence&);

  /// Posterior of the requested table if the prior of its system is N(mean, variance).
  LinkPosterior posterior(const EffectVector& mean, const EffectMatrix& variance) const;

 private:
  /// An effect on which a table's rows have evidence.
  struct Known {
    const LinkTable* table;
    const Evidence* evidence;
    int effect;
  };

  const Known& at(Eigen::Index i) const { return known_[static_cast<std::size_t>(i)]; }

  Eigen::MatrixXd covariance(const EffectMatrix& variance) const;

  const LinkTable& request_;
  const LinkSpreads& spreads_;
  EffectMatrix apart_;
  std::vector<Known> known_;
};

}  // namespace validation
}  // namespace tofn
