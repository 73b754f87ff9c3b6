#include "sim/answers/runs_answer.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "sim/answers/run_rows.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace answers {
namespace {

void predict_from_others(PublishedRun& run, const std::vector<PublishedRun>& all) {
  std::vector<RunHours> known;
  std::vector<RunHours> whole;
  for (const PublishedRun& other : all) {
    if (!other.skipped_because.empty()) continue;
    known.push_back(other.hours);
    if (is_whole(other)) whole.push_back(other.hours);
  }
  const std::string& family = run.hours.family;
  run.typical = typical_hours(known, family);
  run.overrun = overrun_of(typical_hours(known, family, 1));
  if (run.hours.are_steps_alone) run.overrun.excess = 0;
  run.pooled_hours = one_utilisation(whole, family) * run.hours.at_peak;
  std::vector<double> longer;
  for (const PublishedRun& other : all)
    if (other.skipped_because.empty() && is_whole(other) && other.hours.family != family &&
        other.accelerator == run.accelerator)
      longer.push_back(other.hours.stated / other.hours.at_peak);
  if (!longer.empty()) run.baseline_hours = run.hours.at_peak * median(longer);
}

bool has_run(const std::vector<PublishedRun>& runs, std::string_view name) {
  return std::ranges::any_of(runs, [&](const PublishedRun& run) { return run.name == name; });
}

/// Share of the runs for which `holds`, with equal weights of families, as in the fit.
double share_of_families(const std::vector<PublishedRun>& runs,
                         const std::function<bool(const PublishedRun&)>& is_chosen,
                         const std::function<bool(const PublishedRun&)>& holds) {
  std::map<std::string_view, std::pair<int, int>> families;  // number of runs that hold, and of all
  for (const PublishedRun& run : runs) {
    if (!run.skipped_because.empty() || !is_whole(run) || !is_chosen(run)) continue;
    auto& [held, all] = families[run.hours.family];
    ++all;
    if (holds(run)) ++held;
  }
  double sum = 0;
  for (const auto& [family, counts] : families) sum += 1.0 * counts.first / counts.second;
  return families.empty() ? 0 : sum / static_cast<double>(families.size());
}

/// Chance of the stated hours by draws, with the overrun fitted to other families or without any.
double chance_of(const PublishedRun& run, bool has_overrun) {
  return run.chance(has_overrun ? run.overrun : no_overrun);
}

bool is_inside(const PublishedRun& run, bool has_overrun) {
  const double chance = chance_of(run, has_overrun);
  return chance >= 0.05 && chance <= 0.95;
}

}  // namespace

double PublishedRun::middle() const {
  return hours.simulated *
         spread_of(with_overrun(samples, overrun, fastest), &RunSample::time).median;
}

double PublishedRun::chance(const Overrun& beyond) const {
  const std::vector<RunSample> drawn = with_overrun(samples, beyond, fastest);
  const auto in_time = std::ranges::count_if(
      drawn, [&](const RunSample& draw) { return draw.time * hours.simulated <= hours.stated; });
  return static_cast<double>(in_time) / static_cast<double>(drawn.size());
}

Coverage coverage_of(const std::vector<PublishedRun>& runs, bool has_overrun) {
  Coverage coverage;
  for (const PublishedRun& run : runs) {
    if (!run.skipped_because.empty() || !is_whole(run)) continue;
    ++coverage.runs;
    if (is_inside(run, has_overrun)) ++coverage.inside;
  }
  return coverage;
}

double share_kept(const std::vector<PublishedRun>& runs, double stated, bool has_overrun,
                  bool (*is_chosen)(const PublishedRun&)) {
  return share_of_families(runs, is_chosen, [&](const PublishedRun& run) {
    return chance_of(run, has_overrun) <= stated;
  });
}

double share_covered(const std::vector<PublishedRun>& runs, bool has_overrun) {
  return share_of_families(runs, is_whole,
                           [&](const PublishedRun& run) { return is_inside(run, has_overrun); });
}

Overrun overrun_of(const TypicalHours& whole) {
  return {.steps = whole.factor, .steps_spread = whole.spread, .excess = whole.excess};
}

bool is_whole(const PublishedRun& run) { return !run.use.empty() && run.use != "steps"; }

std::vector<PublishedRun> runs_answer(const std::filesystem::path& configs,
                                      const std::filesystem::path& file,
                                      std::vector<std::string>* notes) {
  Library library = Library::load(configs);
  const KernelProfile profile = find_kernel_profile(configs, default_stack);
  std::vector<PublishedRun> runs = simulated_runs(file, library, profile, notes);
  std::vector<PublishedRun> known = runs;
  const std::filesystem::path shipped = configs / "measured" / "training-runs.csv";
  std::error_code error;  // the user's configs may ship no table
  if (std::filesystem::exists(shipped, error) && !std::filesystem::equivalent(file, shipped, error))
    for (PublishedRun& run : simulated_runs(shipped, library, profile, nullptr))
      if (!has_run(runs, run.name)) known.push_back(std::move(run));
  std::erase_if(
      runs, [](const PublishedRun& run) { return run.use.empty() && run.skipped_because.empty(); });
  for (PublishedRun& run : runs)
    if (run.skipped_because.empty()) predict_from_others(run, known);
  return runs;
}

Accuracy accuracy_of_hours(const std::vector<PublishedRun>& runs,
                           double (*hours)(const PublishedRun&),
                           bool (*is_chosen)(const PublishedRun&)) {
  std::vector<double> errors;
  for (const PublishedRun& run : runs)
    if (run.skipped_because.empty() && is_chosen(run))
      errors.push_back(hours(run) / run.hours.stated - 1);
  return accuracy_of(errors);
}

}  // namespace answers
}  // namespace tofn
