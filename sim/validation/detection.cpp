#include "sim/validation/detection.hpp"

#include <algorithm>
#include <array>

#include "sim/core/statistics.hpp"
#include "sim/validation/lint.hpp"
#include "sim/validation/slowed_sizes.hpp"

namespace tofn {
inline namespace validation {
namespace {

constexpr std::array factors{1.5, 2.0, 2.5, 4.0};

std::vector<MadeFault> made_faults() {
  std::vector<MadeFault> faults{{}};
  for (const bool above : {false, true})
    for (const double factor : factors) faults.push_back({factor, above});
  return faults;
}

CollectiveTable with_fault(CollectiveTable table, const MadeFault& fault) {
  const std::size_t first = fault.is_above_a_size ? table.rows.size() / 2 : 0;
  for (std::size_t i = first; i < table.rows.size(); ++i)
    for (auto* time : {&table.rows[i].out_of_place, &table.rows[i].in_place})
      if (*time) **time *= fault.factor;
  return table;
}

bool is_healthy(const LinkTable& table) {
  return faults_of(*table.table).first().empty() &&
         !(table.nominal.one_domain() && is_launch_bound(*table.table, table.nominal));
}

std::vector<double> deviations_of(const std::vector<DetectionTrial>& trials, bool make_is_known,
                                  const MadeFault& fault) {
  std::vector<double> deviations;
  for (const DetectionTrial& trial : trials)
    if (trial.make_is_known == make_is_known && trial.fault.factor == fault.factor &&
        trial.fault.is_above_a_size == fault.is_above_a_size)
      deviations.push_back(trial.deviations);
  return deviations;
}

double share_above(const std::vector<double>& values, double threshold) {
  const auto above =
      std::count_if(values.begin(), values.end(), [&](double each) { return each > threshold; });
  return values.empty() ? 0 : static_cast<double>(above) / static_cast<double>(values.size());
}

}  // namespace

std::vector<DetectionTrial> detection_trials(const Knowledge& knowledge) {
  const LinkFit fit(link_tables(knowledge), shipped_spreads());
  std::vector<DetectionTrial> trials;
  for (const LinkTable& table : fit.tables()) {
    if (!is_healthy(table)) continue;
    const bool has_kin =
        std::any_of(fit.tables().begin(), fit.tables().end(), [&](const LinkTable& other) {
          return other.make == table.make && other.table != table.table && is_healthy(other);
        });
    for (const bool known : {false, true}) {
      if (known && !has_kin) continue;
      const LinkBelief belief =
          fit.belief(table, known,
                     [&](const LinkTable& other) {
                       return is_healthy(other) &&
                              (known ? other.table != table.table : other.make != table.make);
                     })
              .with_prompt_calls();
      for (const MadeFault& fault : made_faults()) {
        const CollectiveTable slowed = with_fault(*table.table, fault);
        LinkTable placed = table;
        placed.table = &slowed;
        trials.push_back({table.table->file, known, fault, slowdown_of(placed, belief).deviations});
      }
    }
  }
  return trials;
}

DetectionSummary summary_of(const std::vector<DetectionTrial>& trials, bool make_is_known,
                            double false_alarms) {
  const auto healthy = deviations_of(trials, make_is_known, {});
  DetectionSummary summary{.make_is_known = make_is_known, .healthy = healthy.size(), .rates = {}};
  if (healthy.empty()) return summary;
  summary.threshold = quantile(healthy, 1 - false_alarms);
  for (const MadeFault& fault : made_faults()) {
    if (fault.factor == 1) continue;
    const auto slowed = deviations_of(trials, make_is_known, fault);
    summary.rates.push_back({fault, slowed.size(), share_above(slowed, summary.threshold)});
  }
  for (const double each : healthy)
    summary.area += share_above(deviations_of(trials, make_is_known, {2, false}), each) /
                    static_cast<double>(healthy.size());
  return summary;
}

}  // namespace validation
}  // namespace tofn
