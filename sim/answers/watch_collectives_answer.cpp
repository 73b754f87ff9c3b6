#include "sim/answers/watch_collectives_answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/collective_answer.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/core/error.hpp"
#include "sim/core/statistics.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr std::size_t newest_calls = 20;
constexpr std::size_t needed_calls = 8;   // for comparing one half with the other
constexpr double reported_drift = -0.05;  // change of bandwidth that is reported
constexpr double unwaited_share = 0.9;    // quantile of bandwidths: calls that waited for nobody
constexpr double small_message = 256e3;   // smaller messages are mostly latency

using Bandwidths = std::span<const double>;

/// Relative change of a quantile of the bandwidths from the first calls to the newest.
double change_of(Bandwidths all, double share) {
  const std::size_t count = std::min(newest_calls, all.size() / 2);
  return tofn::quantile(all.subspan(all.size() - count), share) /
             tofn::quantile(all.first(count), share) -
         1;
}

/// Leaves out the first call if enough others remain, because it sets a communicator up.
Bandwidths warm(Bandwidths all) { return all.size() > needed_calls ? all.subspan(1) : all; }

void set_bandwidths(WatchedCollective& kind, Bandwidths all) {
  const std::size_t count = std::min(newest_calls, all.size() / 2);
  kind.first = BytesPerSecond{median(all.first(count))};
  kind.newest = BytesPerSecond{median(all.subspan(all.size() - count))};
  kind.drift = kind.newest / kind.first - 1;
  kind.unwaited_drift = change_of(all, unwaited_share);
}

/// Mean drift of the kinds for which `counts`, weighted by their time; absent if none counts.
template <class Counts>
std::optional<double> drift_of(const WatchedCollectives& now, double WatchedCollective::*drift,
                               const Counts& counts) {
  double weight = 0;
  double sum = 0;
  for (const WatchedCollective& each : now.kinds) {
    if (!counts(each)) continue;
    weight += each.time.base();
    sum += each.time.base() * std::log1p(each.*drift);
  }
  if (!(weight > 0)) return {};
  return std::expm1(sum / weight);
}

template <class Counts>
bool falls(const WatchedCollectives& now, const Counts& counts) {
  return drift_of(now, &WatchedCollective::drift, counts).value_or(0) < reported_drift;
}

/// True if the kinds for which `counts` became slower, and others exist that did not.
template <class Counts>
bool only_falls(const WatchedCollectives& now, const Counts& counts) {
  const auto others = drift_of(now, &WatchedCollective::drift,
                               [&](const WatchedCollective& each) { return !counts(each); });
  return others && *others > reported_drift / 2 && falls(now, counts);
}

bool is_of_one_communicator(const WatchedCollectives& now) {
  std::set<std::string> names;
  for (const WatchedCollective& each : now.kinds) names.insert(each.communicator);
  return std::ranges::any_of(names, [&](const std::string& name) {
    const auto is_own = [&](const WatchedCollective& each) { return each.communicator == name; };
    const auto own = std::ranges::find_if(now.kinds, is_own);
    const bool has_like = std::ranges::any_of(now.kinds, [&](const auto& each) {
      return !is_own(each) && each.ranks == own->ranks && each.nodes == own->nodes;
    });
    return has_like && only_falls(now, is_own);
  });
}

bool is_between(const WatchedCollective& each) { return each.is_between_nodes(); }
bool lies_inside(const WatchedCollective& each) { return !each.is_between_nodes(); }
bool is_small(const WatchedCollective& each) { return each.size.base() < small_message; }

constexpr std::array causes_of_bandwidth{
    BandwidthCause{"waiting",
                   [](const WatchedCollectives& now) {
                     return now.drift < reported_drift && now.unwaited_drift > reported_drift / 2;
                   },
                   "the fastest calls are as fast as they were: ranks wait for a late one, the "
                   "links are well (see the ranks' compute, their clocks and their data)"},
    BandwidthCause{"one communicator", is_of_one_communicator,
                   "one communicator alone is slower, others of its size are not: a link, NIC or "
                   "node of its ranks"},
    BandwidthCause{"network",
                   [](const WatchedCollectives& now) { return only_falls(now, is_between); },
                   "collectives between nodes are slower, those inside a node are not: the network "
                   "is congested, or NICs or links of it are down"},
    BandwidthCause{"scale-up",
                   [](const WatchedCollectives& now) { return only_falls(now, lies_inside); },
                   "collectives inside a node are slower, those between nodes are not: links of "
                   "the node, or its clocks"},
    BandwidthCause{"latency",
                   [](const WatchedCollectives& now) { return only_falls(now, is_small); },
                   "small messages are slower, large ones are not: hops or launches take longer"},
    BandwidthCause{"all", [](const WatchedCollectives& now) { return now.drift < reported_drift; },
                   "all collectives are slower, their fastest calls too: what this rank's "
                   "communicators have in common, its node, NIC or clocks"}};

WatchedCollective kind_of(const std::vector<const InspectedCollective*>& calls) {
  const InspectedCollective& one = *calls.front();
  WatchedCollective kind{.communicator = one.communicator,
                         .collective = one.collective,
                         .ranks = one.ranks,
                         .nodes = one.nodes,
                         .size = one.size,
                         .calls = calls.size()};
  std::vector<double> bandwidths;
  for (const InspectedCollective* call : calls) {
    kind.time += call->time;
    bandwidths.push_back(call->bus_bandwidth().base());
  }
  set_bandwidths(kind, warm(bandwidths));
  return kind;
}

/// Kinds of collectives with enough calls to compare.
std::vector<WatchedCollective> kinds_of(const std::vector<InspectedCollective>& all) {
  using Key = std::tuple<std::string, CollectiveKind, double>;
  std::map<Key, std::vector<const InspectedCollective*>> groups;
  for (const InspectedCollective& call : all)
    groups[{call.communicator, call.collective, call.size.base()}].push_back(&call);
  std::vector<WatchedCollective> kinds;
  for (const auto& [key, calls] : groups)
    if (calls.size() >= needed_calls) kinds.push_back(kind_of(calls));
  return kinds;
}

/// Sets the share of the time between time stamps that the kernels of one rank take.
void set_share(WatchedCollectives& now, const std::vector<InspectedCollective>& calls) {
  std::optional<double> first;
  std::optional<double> last;
  double inside = 0;
  for (const InspectedCollective& call : calls) {
    if (!call.dumped_at) continue;
    if (!first) first = call.dumped_at;
    // Calls of the first dump ran before its time stamp.
    if (*call.dumped_at > *first) inside += call.time.base();
    last = call.dumped_at;
  }
  if (first && last && *last > *first && inside < *last - *first)
    now.share = inside / (*last - *first);
}

/// Ranks of a kind on the nodes of a cluster, in equal steps; absent if its nodes do not hold them
/// so. Ranks without a number of nodes lie as densely as they can.
std::optional<RankSet> ranks_on(const Cluster& cluster, const WatchedCollective& kind) {
  const int each = cluster.accelerators_per_node;
  const int nodes = kind.nodes.value_or((kind.ranks + each - 1) / each);
  if (nodes <= 1) return kind.ranks <= each ? std::optional(RankSet{1, kind.ranks}) : std::nullopt;
  const int stride = nodes * each / kind.ranks;
  if (stride < 1 || stride * kind.ranks != nodes * each) return {};
  return RankSet{stride, kind.ranks};
}

}  // namespace

std::span<const BandwidthCause> bandwidth_causes() { return causes_of_bandwidth; }

void set_expected(WatchedCollectives& now, const std::string& name, Library& library,
                  const std::filesystem::path& configs) {
  const Cluster& cluster = library.cluster(name);
  const Knowledge knowledge = knowledge_of(library, configs, {});
  const LinkFit fit(link_tables(knowledge), shipped_spreads());
  const bool is_shipped = !is_file_name(name);
  for (WatchedCollective& kind : now.kinds) {
    const auto ranks = ranks_on(cluster, kind);
    if (!ranks || ranks->count < 2) continue;
    const std::string calibration =
        is_shipped && ranks->stride == 1
            ? calibration_of(knowledge, cluster, kind.collective, kind.ranks, kind.size)
            : "";
    const CollectiveAnswer answer = collective_answer_on(
        calibration.empty() ? cluster : measured_cluster(cluster, library, configs, calibration),
        {.set = *ranks}, {.kind = kind.collective, .size = kind.size, .communicator = {}}, fit,
        is_shipped);
    kind.expected = InspectedCollective{.collective = kind.collective,
                                        .ranks = kind.ranks,
                                        .size = kind.size,
                                        .time = answer.time()}
                        .bus_bandwidth();
  }
}

WatchedCollectives watch_collectives(std::string_view text, const std::string& file) {
  const LogText log = cut_into_lines(text, file);
  const InspectorReading reading = read_inspector(log);
  WatchedCollectives now{.kinds = kinds_of(reading.collectives),
                         .calls = reading.collectives.size(),
                         .remarks = reading.remarks};
  for (const InspectedCollective& call : reading.collectives) now.in_collectives += call.time;
  if (now.kinds.empty())
    throw InputError({file}, "coll_perf",
                     fmt::format("no collective has the {} calls of one size that it takes to tell "
                                 "of their bandwidth",
                                 needed_calls));
  std::ranges::stable_sort(now.kinds, [](const auto& a, const auto& b) { return a.time > b.time; });
  const auto all = [](const WatchedCollective&) { return true; };
  now.drift = *drift_of(now, &WatchedCollective::drift, all);
  now.unwaited_drift = *drift_of(now, &WatchedCollective::unwaited_drift, all);
  set_share(now, reading.collectives);
  const auto* const cause = std::ranges::find_if(
      causes_of_bandwidth, [&](const BandwidthCause& each) { return each.shows(now); });
  if (cause != causes_of_bandwidth.end()) now.cause = cause->sentence;
  return now;
}

}  // namespace answers
}  // namespace tofn
