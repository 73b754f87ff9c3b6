#include "sim/validation/link_fit.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "sim/validation/link_evidence.hpp"
#include "sim/validation/related_tables.hpp"

namespace tofn {
inline namespace validation {
namespace {

constexpr Eigen::Index links = link_effect_count;  // effects of links, which come first

bool is_of_network(int effect) { return effect >= static_cast<int>(LinkEffect::NetworkLatency); }

/// Indices of the blocks of effects: block 0 for all links, and one for each family of each tier.
class Shared {
 public:
  int family(const std::string& name, bool network) {
    if (name.empty()) return -1;
    const auto [found, is_new] = index_.emplace(std::pair(network, name), size());
    return found->second;
  }
  int size() const { return static_cast<int>(index_.size()) + 1; }
  /// Matrix that sums the blocks of effects of a machine's links: rows are effects, columns are
  /// blocks x effects.
  static Eigen::MatrixXd selector(int scale_up, int network, int blocks) {
    Eigen::MatrixXd select = Eigen::MatrixXd::Zero(links, blocks * links);
    select.leftCols(links).setIdentity();
    for (int effect = 1; effect < links; ++effect) {
      const int block = is_of_network(effect) ? network : scale_up;
      if (block > 0) select(effect, block * links + effect) = 1;
    }
    return select;
  }

 private:
  std::map<std::pair<bool, std::string>, int> index_;
};

}  // namespace

/// Evidence of a table's rows on the effects of the table, and on those of its system.
struct LinkFit::Information {
  Evidence of_table;
  Evidence of_system;
};

LinkFit::LinkFit(std::vector<LinkTable> tables, const LinkSpreads& spreads)
    : tables_(std::move(tables)), spreads_(spreads) {
  const EffectMatrix variance =
      variance_of(spreads, EffectLevel::All) + variance_of(spreads, EffectLevel::Family) +
      variance_of(spreads, EffectLevel::System) + variance_of(spreads, EffectLevel::Table);
  for (const LinkTable& table : tables_) {
    const Evidence reported = evidence_of(table, EffectVector::Zero(), variance, spreads);
    seen_.push_back({reported, reported.blurred(variance_of(spreads, EffectLevel::Table))});
  }
}

LinkFit::~LinkFit() = default;

CollectiveLibrary LinkFit::library_over(const std::string& scale_up,
                                        const std::string& network) const {
  for (const LinkTable& table : tables_)
    if ((!scale_up.empty() && table.scale_up == scale_up) ||
        (!network.empty() && table.network == network))
      return table.nominal.library;
  return CollectiveLibrary::Nccl;
}

LinkPosterior LinkFit::of_families(const std::string& scale_up, const std::string& network,
                                   const std::function<bool(const LinkTable&)>& counts) const {
  struct System {
    Evidence evidence;
    int scale_up = -1, network = -1;
  };
  Shared shared;
  const int requested_scale_up = shared.family(scale_up, false);
  const int requested_network = shared.family(network, true);
  const CollectiveLibrary library = library_over(scale_up, network);
  // Tables of a system on different links count as different systems.
  std::map<std::array<std::string, 3>, System> systems;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const LinkTable& table = tables_[i];
    if (table.nominal.library != library || !counts(table)) continue;
    System& own = systems[{table.system, table.scale_up, table.network}];
    own.scale_up = shared.family(table.scale_up, false);
    own.network = shared.family(table.network, true);
    own.evidence.add(seen_[i].of_system);
  }
  const int blocks = shared.size();
  Eigen::VectorXd prior(blocks * links);
  for (int block = 0; block < blocks; ++block)
    prior.segment(block * links, links) =
        vector_of(deviations(spreads_, block == 0 ? EffectLevel::All : EffectLevel::Family))
            .head(links)
            .array()
            .max(1e-6)
            .square()
            .inverse();
  Eigen::MatrixXd precision = prior.asDiagonal();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(blocks * links);
  for (const auto& [name, own] : systems) {
    // Effects other than those of links are zero above the level of a system.
    const Evidence evidence = own.evidence.blurred(variance_of(spreads_, EffectLevel::System));
    const Eigen::MatrixXd select = Shared::selector(own.scale_up, own.network, blocks);
    precision += select.transpose() * evidence.precision.topLeftCorner(links, links) * select;
    sum += select.transpose() * evidence.sum.head(links);
  }
  const Eigen::LDLT<Eigen::MatrixXd> solved(precision);
  const Eigen::MatrixXd select = Shared::selector(requested_scale_up, requested_network, blocks);
  EffectVector mean = EffectVector::Zero();
  EffectMatrix covariance = EffectMatrix::Zero();
  mean.head(links) = select * solved.solve(sum);
  covariance.topLeftCorner(links, links) =
      select * solved.solve(Eigen::MatrixXd(select.transpose()));
  return posterior_of(mean, covariance);
}

LinkPosterior LinkFit::posterior(const LinkTable& request, bool system_is_known,
                                 const std::function<bool(const LinkTable&)>& counts) const {
  const auto is_own = [&](const LinkTable& table) {
    return system_is_known && are_related(table, request);
  };
  const LinkPosterior others =
      of_families(request.scale_up, request.network,
                  [&](const LinkTable& table) { return !is_own(table) && counts(table); });
  RelatedTables related(request, spreads_);
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (is_own(tables_[i]) && counts(tables_[i])) related.add(tables_[i], seen_[i].of_table);
  return related.posterior(vector_of(others.mean),
                           matrix_of(others) + variance_of(spreads_, EffectLevel::System));
}

LinkPosterior LinkFit::updated(const LinkPosterior& prior, const LinkTable& table,
                               const LinkSpreads& spreads) {
  const EffectVector mean = vector_of(prior.mean);
  const EffectMatrix variance = matrix_of(prior);
  return evidence_of(table, mean, variance, spreads).with_prior(mean, variance);
}

}  // namespace validation
}  // namespace tofn
