#include "sim/diagnosis/detection.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/core/random.hpp"
#include "sim/core/statistics.hpp"
#include "sim/diagnosis/slowed_sizes.hpp"
#include "sim/validation/lint.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

using namespace literals;

constexpr std::array fault_factors{1.5, 2.0, 2.5, 4.0};

std::vector<MadeFault> made_faults() {
  std::vector<MadeFault> faults{{}};
  for (const bool above : {false, true})
    for (const double factor : fault_factors) faults.push_back({factor, above});
  return faults;
}

CollectiveTable with_factors(CollectiveTable table, const LogFactors& factors) {
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    for (auto* time : {&table.rows[i].out_of_place, &table.rows[i].in_place})
      if (*time) **time *= std::exp(factors[i]);
  return table;
}

CollectiveTable with_fault(const CollectiveTable& table, const MadeFault& fault) {
  LogFactors factors(table.rows.size(), 0);
  const std::size_t first = fault.is_above_a_size ? factors.size() / 2 : 0;
  std::fill(factors.begin() + static_cast<std::ptrdiff_t>(first), factors.end(),
            std::log(fault.factor));
  return with_factors(table, factors);
}

/// True if a table can be used in trials. MPI's hosts differ twofold in the speed of a rank, so
/// that no alarm could distinguish them.
bool takes_part(const LinkTable& table) {
  return table.nominal.library != CollectiveLibrary::Mpi &&
         faults_of(*table.table).first().empty() &&
         !(table.nominal.one_domain() && is_launch_bound(*table.table, table.nominal));
}

/// A table, and the posterior from other tables alone.
struct Pupil {
  const LinkTable* table = nullptr;
  bool system_is_known = false;
  LinkPosterior posterior;
};

/// Every healthy table with the posterior from other systems and, if its system has other tables,
/// with that from those too.
std::vector<Pupil> pupils(const LinkFit& fit) {
  std::vector<Pupil> all;
  for (const LinkTable& table : fit.tables()) {
    if (!takes_part(table)) continue;
    const bool has_kin = std::ranges::any_of(fit.tables(), [&](const LinkTable& other) {
      return other.system == table.system && other.table != table.table && takes_part(other);
    });
    for (const bool known : {false, true}) {
      if (known && !has_kin) continue;
      const auto teaches = [&](const LinkTable& other) {
        return takes_part(other) &&
               (known ? other.table != table.table : other.system != table.system);
      };
      all.push_back({&table, known, fit.posterior(table, known, teaches).with_prompt_calls()});
    }
  }
  return all;
}

const Cluster& cluster_of(const CollectiveTable& table, const Knowledge& knowledge) {
  return *std::ranges::find_if(knowledge.known, [&](const KnownTable& each) {
            return &each.table == &table;
          })->cluster;
}

bool is_felt(const LogFactors& factors) {
  constexpr double half_as_long_again = 1.5;
  const auto longer = static_cast<std::size_t>(std::ranges::count_if(
      factors, [](double each) { return each >= std::log(half_as_long_again); }));
  return longer >= 3 && 4 * longer >= factors.size();
}

/// True for small and large messages, as in a run of nccl-tests from 8 bytes on.
bool is_sweep(const CollectiveTable& table) {
  return table.rows.front().size <= 64_KiB && table.rows.back().size >= 64_MiB;
}

CauseTrial trial_of(const Pupil& pupil, const CauseFinder& finder, const SlownessCause& cause,
                    const CollectiveTable& slowed) {
  LinkTable placed = *pupil.table;
  placed.table = &slowed;
  return {.file = slowed.file,
          .system_is_known = pupil.system_is_known,
          .made = &cause,
          .is_sweep = is_sweep(slowed),
          .is_found = slowdown_of(placed, pupil.posterior).deviations >
                      alarm_deviations(pupil.system_is_known),
          .reported = finder.likely(slowed)};
}

std::vector<double> deviations_of(const std::vector<DetectionTrial>& trials, bool system_is_known,
                                  const MadeFault& fault) {
  std::vector<double> deviations;
  for (const DetectionTrial& trial : trials)
    if (trial.system_is_known == system_is_known && trial.fault.factor == fault.factor &&
        trial.fault.is_above_a_size == fault.is_above_a_size)
      deviations.push_back(trial.deviations);
  return deviations;
}

double share_above(const std::vector<double>& values, double threshold) {
  const auto above = std::ranges::count_if(values, [&](double each) { return each > threshold; });
  return values.empty() ? 0 : static_cast<double>(above) / static_cast<double>(values.size());
}

}  // namespace

std::vector<DetectionTrial> detection_trials(const Knowledge& knowledge) {
  const LinkFit fit(link_tables(knowledge), shipped_spreads());
  std::vector<DetectionTrial> trials;
  for (const Pupil& pupil : pupils(fit))
    for (const MadeFault& fault : made_faults()) {
      const CollectiveTable slowed = with_fault(*pupil.table->table, fault);
      LinkTable placed = *pupil.table;
      placed.table = &slowed;
      trials.push_back({slowed.file, pupil.system_is_known, fault,
                        slowdown_of(placed, pupil.posterior).deviations});
    }
  return trials;
}

std::vector<CauseTrial> cause_trials(const Knowledge& knowledge) {
  constexpr int draws_each = 3;
  const LinkFit fit(link_tables(knowledge), shipped_spreads());
  Random draws(1);
  std::vector<CauseTrial> trials;
  for (const Pupil& pupil : pupils(fit)) {
    const CollectiveTable& table = *pupil.table->table;
    if (!table.algorithm.empty() || !table.protocol.empty()) continue;
    const Cluster& cluster = cluster_of(table, knowledge);
    const CauseFinder finder(*pupil.table, cluster, pupil.posterior);
    const HealthyJob own = healthy_job(
        *pupil.table, cluster, LinkFit::updated(pupil.posterior, *pupil.table, shipped_spreads()));
    for (const SlownessCause& cause : causes())
      for (int i = 0; i < draws_each; ++i)
        if (const auto factors = cause.slowed(own, {draws.uniform(), draws.uniform()});
            factors && is_felt(*factors))
          trials.push_back(trial_of(pupil, finder, cause, with_factors(table, *factors)));
  }
  return trials;
}

DetectionSummary summary_of(const std::vector<DetectionTrial>& trials, bool system_is_known,
                            double false_alarms) {
  const auto healthy = deviations_of(trials, system_is_known, {});
  DetectionSummary summary{
      .system_is_known = system_is_known, .healthy = healthy.size(), .rates = {}};
  if (healthy.empty()) return summary;
  summary.threshold = quantile(healthy, 1 - false_alarms);
  for (const MadeFault& fault : made_faults()) {
    if (fault.factor == 1) continue;
    const auto slowed = deviations_of(trials, system_is_known, fault);
    summary.rates.push_back({fault, slowed.size(), share_above(slowed, summary.threshold)});
  }
  for (const double each : healthy)
    summary.area += share_above(deviations_of(trials, system_is_known, {2, false}), each) /
                    static_cast<double>(healthy.size());
  return summary;
}

}  // namespace diagnosis
}  // namespace tofn
