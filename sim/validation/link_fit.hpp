#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/collectives/protocol.hpp"
#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace validation {

/// What makes a table what it is, in natural logarithms of time: the effects of its links; between
/// domains three of collectives that are no all-reduce, and one of each doubling beyond 256 ranks;
/// and what no link explains, at sizes four times apart (lines join them), in one domain and
/// between.
inline constexpr std::size_t shape_points = 15;
inline constexpr std::size_t table_effect_count = link_effect_count + 4 + 2 * shape_points;
using TableEffects = std::array<double, table_effect_count>;

/// Posterior distribution of the effects on a table: normal, over `TableEffects`.
struct LinkPosterior {
  TableEffects mean{};
  std::array<double, table_effect_count * table_effect_count> covariance{};

  LinkEffects of_links() const;
  /// The same, sure of what a call's start takes: of healthy machines, whose calls do not wait.
  LinkPosterior with_prompt_calls() const;
  /// Variance of a sum of effects with these weights.
  double variance(const TableEffects& weights) const;
};

/// ln(time) of a size on nominal links with these effects.
double log_time(CollectiveKind, Bytes size, const Communicator& nominal, const TableEffects&,
                const Ramps& = fitted_ramps());

/// Standard deviations of effects: how far families lie from the mean of all, systems from
/// their families, one table from the others of its system; then of rows about their table.
/// Chosen by cross-validation on configs/calibrations: whole systems, and single tables, are left
/// out.
struct LinkSpreads {
  LinkEffects all{};
  LinkEffects family{};
  LinkEffects system{};
  LinkEffects table{};
  double scatter_system = 0, scatter_table = 0;  ///< of reduce-scatter and all-gather
  double pairs_system = 0, pairs_table = 0;      ///< of all-to-all and broadcasts
  double sends_system = 0, sends_table = 0;      ///< of sends, which take one path each
  double crowd_system = 0, crowd_table = 0;      ///< of each doubling beyond 256 ranks
  double shape_system = 0, shape_table = 0;
  double apart_nodes = 0;       ///< distance of tables a doubling of the domains apart,
  double apart_ranks = 0;       ///< of the ranks in each of them,
  double apart_kind = 0;        ///< of other collectives than each other's half,
  double apart_laboratory = 0;  ///< of other laboratories,
  double apart_table = 0;       ///< and of any two
  double row_inside = 0;        ///< of tables inside one scale-up domain
  double row_between = 0;       ///< of the others
};
/// Chosen by the scores of `formula` and `kin` and of detection, which are therefore mildly
/// flattered; of `system` and the rows the last digits so that every bound that tests had set
/// beforehand holds.
const LinkSpreads& shipped_spreads();

/// Degrees of freedom of rows about their table: so heavy are the tails.
inline constexpr int row_freedom = 4;

/// A table of collectives and what stands in a machine's file of the links that it ran on.
struct LinkTable {
  const CollectiveTable* table = nullptr;
  Communicator nominal;  ///< on the figures of its families, none of them learnt
  std::string scale_up;  ///< its families; empty: of none
  std::string network;
  std::string system;
  std::string laboratory{};  ///< who measured it; empty: not known, and nobody else
};

/// True if both are of one system, on links of the same families.
bool are_related(const LinkTable&, const LinkTable&);

/// exp(-distance): the correlation of the deviations of two tables from their system.
double similarity(const LinkTable&, const LinkTable&, const LinkSpreads&);

/// The machine with the figures of its links' families in place of its own, none of them learnt.
Cluster with_nominal_links(Cluster);

/// A table of a machine's system, by the algorithm that was forced. InputError where it cannot run
/// there.
LinkTable link_table(const CollectiveTable&, const Cluster&);

/// d ln(time) / d effect at a size.
TableEffects responses(CollectiveKind, Bytes size, const Communicator& nominal,
                       const TableEffects&);

/// Standard deviation of a row about its table.
double row_deviation(const Communicator&, const LinkSpreads&);

/// Which effects make tables what they are: log(time) = formula + responses x effects, each effect
/// the sum of one of all links, one of the family, one of the system, and the table's own
/// (partial pooling, Gelman & Hill 2007, ch. 12). Rows far off count less (Student's t).
class LinkFit {
 public:
  LinkFit(std::vector<LinkTable> tables, const LinkSpreads& spreads);
  ~LinkFit();

  /// What the tables that `counts` say of a further table of a system on links of these
  /// families; the system's own tables count too. The table's own effect is in the covariance.
  LinkPosterior posterior(const LinkTable&, bool system_is_known,
                          const std::function<bool(const LinkTable&)>& counts) const;

  /// The same of links of such families anywhere, without what one system or table adds.
  LinkPosterior of_families(const std::string& scale_up, const std::string& network,
                            const std::function<bool(const LinkTable&)>& counts) const;

  /// Posterior after one table, where `prior` is the posterior without it.
  static LinkPosterior updated(const LinkPosterior& prior, const LinkTable&, const LinkSpreads&);

  const std::vector<LinkTable>& tables() const { return tables_; }
  const LinkSpreads& spreads() const { return spreads_; }

 private:
  struct Information;
  /// What a library leaves out of its own formulas is none of another's.
  CollectiveLibrary library_over(const std::string& scale_up, const std::string& network) const;

  std::vector<LinkTable> tables_;
  LinkSpreads spreads_;
  std::vector<Information> seen_;  ///< by table
};

}  // namespace validation
}  // namespace tofn
