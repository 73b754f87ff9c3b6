#include "sim/diagnosis/judge.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/statistics.hpp"
#include "sim/curves/fit_curve.hpp"
#include "sim/diagnosis/causes.hpp"
#include "sim/diagnosis/slowed_sizes.hpp"
#include "sim/validation/link_lint.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

bool is_alike(double a, double b) {
  constexpr double far = 1.3;  // 32 x 100 Gb/s and 8 x 400 Gb/s are as good
  return a < far * b && b < far * a;
}

double network_share(const Cluster& cluster) {
  return cluster.network->nic_bandwidth.value.base() * cluster.network->nics_per_node.value /
         cluster.accelerators_per_node.value;
}

bool has_similar_links(const Cluster& a, const Cluster& b, bool crosses_network) {
  if (a.accelerator.name != b.accelerator.name || a.scale_up.kind != b.scale_up.kind ||
      !is_alike(a.scale_up.bandwidth.value.base(), b.scale_up.bandwidth.value.base()))
    return false;
  if (!crosses_network) return true;
  return a.network && b.network && a.network->kind == b.network->kind &&
         is_alike(network_share(a), network_share(b));
}

bool is_peer(const KnownTable& known, const CollectiveTable& table, const Cluster& cluster) {
  const CollectiveTable& other = known.table;
  return known.cluster != nullptr && other.collective == table.collective &&
         other.file != table.file && !has_same_rows(other, table) && other.algorithm.empty() &&
         other.protocol.empty() &&
         static_cast<long long>(other.ranks) * table.nodes ==
             static_cast<long long>(table.ranks) * other.nodes &&
         (other.nodes > 1) == (table.nodes > 1) &&
         has_similar_links(*known.cluster, cluster, table.nodes > 1) &&
         faults_on(other, *known.cluster).impossible.empty();
}

/// Similar systems with the node count that is nearest to the table's by ratio.
std::vector<const CollectiveTable*> peers_of(const CollectiveTable& table, const Cluster& cluster,
                                             const Knowledge& knowledge) {
  std::vector<const CollectiveTable*> peers;
  const auto distance = [&](const CollectiveTable& other) {
    return std::abs(std::log2(static_cast<double>(other.nodes) / table.nodes));
  };
  for (const KnownTable& known : knowledge.known) {
    if (!is_peer(known, table, cluster)) continue;
    if (!peers.empty() && distance(known.table) < distance(*peers.front())) peers.clear();
    if (peers.empty() || known.table.nodes == peers.front()->nodes) peers.push_back(&known.table);
  }
  return peers;
}

std::optional<PeerTimes> times_at(Bytes size, const std::vector<CurveFit>& peers) {
  std::vector<double> times;
  for (const CurveFit& fit : peers) {
    const CurveAnswer answer = fit.curve.at(size);
    if (answer.basis != Basis::Extrapolated) times.push_back(answer.time.base());
  }
  if (times.empty()) return {};
  return PeerTimes{static_cast<int>(times.size()), Seconds(median(times)),
                   Seconds(*std::ranges::min_element(times)),
                   Seconds(*std::ranges::max_element(times))};
}

double slowness(const std::vector<JudgedRow>& rows, const SlowBand& band, bool by_peers) {
  std::vector<double> factors;
  for (std::size_t i = band.first; i <= band.last; ++i) {
    const JudgedRow& row = rows[i];
    const Seconds typical = by_peers && row.peers ? row.peers->median : row.scored.predicted;
    factors.push_back(row.scored.measured / typical);
  }
  return median(factors);
}

/// True if similar systems were as slow at most of a band's sizes.
bool is_excused(const std::vector<JudgedRow>& rows, const SlowBand& band) {
  std::size_t excused = 0;
  for (std::size_t i = band.first; i <= band.last; ++i)
    if (rows[i].peers && rows[i].scored.measured <= rows[i].peers->most) ++excused;
  return 2 * excused > band.last - band.first + 1;
}

/// True if these rows are enough for a band: `fewest_of_band`, or two at the largest sizes if each
/// took twice the interval's end, because short logs have no more rows (both figures assumed).
bool is_band(const std::vector<JudgedRow>& rows, std::size_t first, std::size_t end) {
  constexpr std::size_t fewest_far_off = 2;
  constexpr double far_off = 2;
  const auto begin = rows.begin();
  const bool all_far_off =
      end == rows.size() && std::all_of(begin + static_cast<std::ptrdiff_t>(first), rows.end(),
                                        [&](const JudgedRow& row) {
                                          return row.scored.measured > far_off * row.scored.high;
                                        });
  return end - first >= (all_far_off ? fewest_far_off : fewest_of_band);
}

/// Longest run of rows beyond their interval and all similar systems.
std::optional<SlowBand> band_of_sizes(const std::vector<JudgedRow>& rows) {
  std::optional<SlowBand> longest;
  for (std::size_t first = 0; first < rows.size(); ++first) {
    std::size_t end = first;
    while (end < rows.size() && rows[end].is_slow) ++end;
    if (!is_band(rows, first, end)) continue;
    if (!longest || end - first > longest->last - longest->first + 1)
      longest = SlowBand{.first = first, .last = end - 1};
    first = end;
  }
  return longest;
}

/// Cuts a band to its first and last marked row, so that the text agrees with the marks.
SlowBand between_marks(const std::vector<JudgedRow>& rows, SlowBand band) {
  const SlowBand whole = band;
  while (band.first < band.last && !rows[band.first].is_slow) ++band.first;
  while (band.last > band.first && !rows[band.last].is_slow) --band.last;
  return rows[band.first].is_slow ? band : whole;
}

/// All rows from a size on if their slowdown is significant, otherwise a band of sizes.
std::optional<SlowBand> slow_rows(const std::vector<JudgedRow>& rows, const Slowdown& slowdown,
                                  double alarm, bool by_peers) {
  const SlowBand to_the_end{slowdown.first, slowdown.last, slowdown.factor};
  if (slowdown.deviations >= alarm && !(by_peers && is_excused(rows, to_the_end)))
    return between_marks(rows, to_the_end);
  return band_of_sizes(rows);
}

/// The largest sizes, at least four, if each is slower than at all similar systems by
/// `slow_beside_peers`.
std::optional<SlowBand> short_of_peers(const std::vector<JudgedRow>& rows) {
  std::size_t end = rows.size();
  while (end > 0 && !rows[end - 1].peers) --end;  // larger than the sizes that they measured
  std::size_t first = end;
  while (first > 0 && rows[first - 1].peers &&
         rows[first - 1].scored.measured > slow_beside_peers * rows[first - 1].peers->most)
    --first;
  if (end - first < fewest_of_band) return {};
  return SlowBand{.first = first, .last = rows.size() - 1};
}

/// True if missing NICs are the most likely cause.
bool is_of_missing_nics(const std::vector<LikelyCause>& likely) {
  return !likely.empty() && likely.front().cause != nullptr &&
         likely.front().cause->nics_left != NicsLeft::All;
}

bool is_healthy(const LinkTable& table) {
  return !(table.nominal.one_domain() && is_launch_bound(*table.table, table.nominal));
}

bool is_same(const LinkTable& a, const LinkTable& b) { return is_same(*a.table, *b.table); }

}  // namespace

HealthyLinks::HealthyLinks(const Knowledge& knowledge)
    : fit_(link_tables(knowledge), shipped_spreads()) {}

LinkPosterior HealthyLinks::posterior(const LinkTable& placed) const {
  return fit_
      .posterior(
          placed, true,
          [&](const LinkTable& other) { return is_healthy(other) && !is_same(other, placed); })
      .with_prompt_calls();
}

int HealthyLinks::tables_of(const LinkTable& placed) const {
  return static_cast<int>(std::ranges::count_if(fit_.tables(), [&](const LinkTable& other) {
    return other.system == placed.system && is_healthy(other) && !is_same(other, placed);
  }));
}

bool TableJudgement::is_undecided() const {
  return impossible.empty() && !slow && rows.size() < fewest_of_band;
}

bool TableJudgement::has_slow_rows() const {
  return std::ranges::any_of(rows, [](const JudgedRow& row) { return row.is_slow; });
}

bool TableJudgement::is_fast() const {
  if (!is_normal()) return false;
  constexpr double much = 1.5;
  const JudgedRow& largest = rows.back();
  const Seconds least =
      largest.peers ? std::min(largest.peers->least, largest.scored.low) : largest.scored.low;
  return much * largest.scored.measured < least;
}

TableJudgement judge(const CollectiveTable& table, const Cluster& cluster,
                     const Knowledge& knowledge) {
  TableJudgement judgement;
  judgement.impossible = faults_on(table, cluster).impossible;
  const auto peers = peers_of(table, cluster, knowledge);
  std::vector<CurveFit> fits;
  for (const CollectiveTable* peer : peers) {
    judgement.peers.push_back(peer->file);
    judgement.peer_nodes = peer->nodes;
    fits.push_back(fit_curve(*peer));
  }
  const bool by_peers = judgement.peer_nodes == table.nodes;
  LinkTable placed = link_table(table, cluster);
  placed.nominal.all_reduce = cluster.all_reduce;  // a forced algorithm does not excuse slow times
  const HealthyLinks healthy(knowledge);
  const LinkPosterior posterior = healthy.posterior(placed);
  for (ScoredRow& row : scored_rows(placed, posterior)) {
    const auto times = times_at(row.size, fits);
    const bool is_slow =
        row.measured > row.high && !(by_peers && times && row.measured <= times->most);
    judgement.rows.push_back({std::move(row), times, is_slow});
  }
  judgement.healthy = posterior.of_links();
  judgement.here = LinkFit::updated(posterior, placed, shipped_spreads()).of_links();
  judgement.slow = slow_rows(judgement.rows, slowdown_of(placed, posterior),
                             alarm_deviations(healthy.tables_of(placed) > 0), by_peers);
  judgement.likely = CauseFinder(placed, cluster, posterior).likely(table);
  if (!judgement.slow && by_peers && is_of_missing_nics(judgement.likely))
    judgement.slow = short_of_peers(judgement.rows);
  if (judgement.slow) judgement.slow->factor = slowness(judgement.rows, *judgement.slow, by_peers);
  if (cluster.network) judgement.nics_per_node = cluster.network->nics_per_node.value;
  return judgement;
}

}  // namespace diagnosis
}  // namespace tofn
