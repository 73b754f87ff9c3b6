#include "sim/study/claim_tests.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/names.hpp"
#include "sim/core/statistics.hpp"
#include "sim/study/claims.hpp"

namespace tofn {
inline namespace study {
namespace {

/// Assumed meanings of the study's words, as factors of the reference's efficiency.
constexpr double high = 0.75;
constexpr double low = 0.25;
constexpr double comparable = 2;
/// Difference between equal servers of two submitters; a smaller one is none between sizes.
constexpr double noise = 0.10;

using RowsOfStudy = std::vector<const StudyRow*>;

RowsOfStudy rows_between(const WorkloadStudy& study, int least, int most) {
  RowsOfStudy found;
  for (const StudyRow& row : study.rows)
    if (row.accelerators() >= least && row.accelerators() <= most) found.push_back(&row);
  return found;
}

/// The row at that size with the greatest E'; null if there is none.
const StudyRow* best_at(const WorkloadStudy& study, int accelerators) {
  const RowsOfStudy rows = rows_between(study, accelerators, accelerators);
  return rows.empty() ? nullptr : rows.front();  // the fastest comes first
}

std::vector<double> relative_efficiencies(const RowsOfStudy& rows) {
  std::vector<double> values;
  for (const StudyRow* row : rows) values.push_back(row->relative_efficiency);
  return values;
}

std::string span_text(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return least == most || *most - *least < 5e-4 ? fmt::format("{:.3f}", *most)
                                                : fmt::format("{:.3f}-{:.3f}", *least, *most);
}

/// Spans of E' by size: `4: 1.000-1.059, 8: 1.080-2.387`
std::string by_size(const RowsOfStudy& rows) {
  std::map<int, RowsOfStudy> sizes;
  for (const StudyRow* row : rows) sizes[row->accelerators()].push_back(row);
  std::vector<std::string> parts;
  for (const auto& [size, those] : sizes)
    parts.push_back(fmt::format("{} at {}", span_text(relative_efficiencies(those)), size));
  return fmt::format("{}", fmt::join(parts, ", "));
}

RowsOfStudy rows_of_commonest(const WorkloadStudy& study, int least) {
  const std::string accelerator = commonest_accelerator(study);
  RowsOfStudy found;
  for (const StudyRow& row : study.rows)
    if (row.accelerator == accelerator && row.accelerators() >= least) found.push_back(&row);
  return found;
}

/// Efficiency against a full server of the commonest accelerator; empty if there is none.
std::string within_accelerator(const WorkloadStudy& study, int least) {
  std::map<int, std::vector<double>> sizes;
  for (const StudyRow* row : rows_of_commonest(study, least))
    if (row->scaling_efficiency) sizes[row->accelerators()].push_back(*row->scaling_efficiency);
  std::vector<std::string> parts;
  for (const auto& [size, values] : sizes)
    parts.push_back(fmt::format("{} at {}", span_text(values), size));
  if (parts.empty()) return "";
  return fmt::format("; {} against {} of the same: {}", commonest_accelerator(study),
                     server_accelerators, fmt::join(parts, ", "));
}

bool is_monotone(const RowsOfStudy& rows) {
  std::map<int, std::vector<double>> sizes;
  for (const StudyRow* row : rows) sizes[row->accelerators()].push_back(row->relative_efficiency);
  double before = 0;
  for (const auto& [size, values] : sizes) {
    if (before > 0 && median(values) > before * (1 + noise)) return false;
    before = median(values);
  }
  return true;
}

std::string growth_text(const BatchGrowth& growth) {
  const auto& small = *growth.small;
  const auto& large = *growth.large;
  return fmt::format(
      "; from {} to {} it falls by {:.2f} = samples {:.2f} (batch {:g} -> {:g}: {:.0f} -> {:.0f}) "
      "x "
      "step {:.2f} ({:.0f} -> {:.0f} ms) x evaluation and start-up {:.2f}: batch size, not "
      "communication",
      small.accelerators(), large.accelerators(), growth.loss, growth.samples,
      small.published.inputs.global_batch, large.published.inputs.global_batch,
      *small.published.outcome.samples, *large.published.outcome.samples, growth.step,
      *small.published.outcome.step_ms, *large.published.outcome.step_ms, growth.rest);
}

/// True for a loss mostly from more samples to target, with none from the step.
bool is_batch_size(const std::optional<BatchGrowth>& growth) {
  return growth && growth->loss > 1 + noise && growth->step < 1 + noise &&
         growth->samples * growth->samples > growth->loss;
}

}  // namespace

ClaimJudgement is_best_at(const WorkloadStudy& study, int accelerators) {
  const auto best = std::ranges::max_element(study.rows, {}, &StudyRow::relative_efficiency);
  const std::string most = fmt::format("greatest E' {:.3f} at {} ({})", best->relative_efficiency,
                                       best->accelerators(), best->accelerator);
  if (best->accelerators() != accelerators) return {Verdict::False, most};
  const std::string common = commonest_accelerator(study);
  std::map<int, std::vector<double>> sizes;
  for (const StudyRow& row : study.rows)
    if (row.accelerator == common) sizes[row.accelerators()].push_back(row.relative_efficiency);
  const auto here = sizes.find(accelerators);
  if (here == sizes.end()) return {Verdict::True, most};
  std::vector<std::string> others;
  std::vector<std::string> no_worse;
  for (const auto& [size, values] : sizes)
    if (size != accelerators && median(values) >= median(here->second)) {
      others.push_back(fmt::format("{} at {}", span_text(values), size));
      no_worse.push_back(std::to_string(size));
    }
  if (others.empty()) return {Verdict::True, most};
  return {Verdict::TrueBut,
          fmt::format("{}, the reference is {}; {} alone has {} and {} at {}", most,
                      study.reference_row().accelerator, common, fmt::join(others, ", "),
                      span_text(here->second), accelerators),
          fmt::format("of {} alone it is no less at {}", common, list_text(no_worse, "and"))};
}

ClaimJudgement falls_from(const WorkloadStudy& study, int first) {
  const RowsOfStudy servers = rows_between(study, server_accelerators, server_accelerators);
  const RowsOfStudy large = rows_between(study, first, study.rows.back().accelerators());
  if (servers.empty() || large.empty()) return {};
  const double server = median(relative_efficiencies(servers));
  std::string figures =
      fmt::format("median {:.3f} at {}; {}", server, server_accelerators, by_size(large));
  const auto values = relative_efficiencies(large);
  if (*std::ranges::max_element(values) >= server) return {Verdict::False, figures};
  if (!is_monotone(large)) {
    const bool accelerator_explains = is_monotone(rows_of_commonest(study, first));
    const std::string exception = accelerator_explains
                                      ? "it falls not with N, but with the accelerator"
                                      : "it does not fall at every size";
    return {Verdict::TrueBut, figures + "; " + exception + within_accelerator(study, first),
            exception};
  }
  const auto growth = batch_growth(study);
  if (is_batch_size(growth))
    return {Verdict::TrueBut, figures + growth_text(*growth),
            "the cause is the larger batch, not communication"};
  return {Verdict::True, figures};
}

ClaimJudgement is_comparable_with_reference(const WorkloadStudy& study, int accelerators) {
  const StudyRow* row = best_at(study, accelerators);
  if (row == nullptr) return {};
  const StudyRow& reference = study.reference_row();
  std::string figures = fmt::format("E' {:.3f} against 1", row->relative_efficiency);
  if (row->relative_efficiency > comparable || row->relative_efficiency < 1 / comparable)
    return {Verdict::False, figures};
  if (row->accelerator == reference.accelerator) return {Verdict::True, figures};
  const std::string exception =
      fmt::format("that is {} against {}", row->accelerator, reference.accelerator);
  figures += "; " + exception;
  if (row->scaling_efficiency)
    figures += fmt::format("; {:.3f} against {} of the same", *row->scaling_efficiency,
                           server_accelerators);
  return {Verdict::TrueBut, figures, exception};
}

ClaimJudgement is_above_one(const WorkloadStudy& study, int least, int most) {
  const RowsOfStudy rows = rows_between(study, least, most);
  if (rows.empty()) return {};
  const auto values = relative_efficiencies(rows);
  const bool none_below = *std::ranges::min_element(values) >= 1;
  const std::string figures = fmt::format("{}; median {:.3f}", by_size(rows), median(values));
  if (median(values) <= 1) return {Verdict::False, figures};
  if (none_below) return {Verdict::True, figures};
  return {Verdict::TrueBut, figures, "not of every system"};
}

ClaimJudgement is_high(const WorkloadStudy& study, int least, int most) {
  const RowsOfStudy rows = rows_between(study, least, most);
  if (rows.empty()) return {};
  const auto values = relative_efficiencies(rows);
  const auto order = [](const StudyRow* a, const StudyRow* b) {
    return a->relative_efficiency < b->relative_efficiency;
  };
  const auto [lowest, highest] = std::ranges::minmax_element(rows, order);
  return {median(values) >= high ? Verdict::True : Verdict::False,
          fmt::format("{} ({} to {}); median {:.3f}", by_size(rows), (*lowest)->accelerator,
                      (*highest)->accelerator, median(values))};
}

ClaimJudgement is_low(const WorkloadStudy& study, int accelerators) {
  const StudyRow* row = best_at(study, accelerators);
  if (row == nullptr) return {};
  std::string figures = fmt::format("E' {:.3f}", row->relative_efficiency);
  if (row->relative_efficiency > low) return {Verdict::False, figures};
  std::vector<double> samples;
  for (const StudyRow* server : rows_between(study, server_accelerators, server_accelerators))
    if (server->published.outcome.samples) samples.push_back(*server->published.outcome.samples);
  if (samples.empty() || !row->published.outcome.samples) return {Verdict::True, figures};
  const double growth = *row->published.outcome.samples / median(samples);
  if (row->scaling_efficiency)
    figures += fmt::format("; {:.3f} against {} of the same", *row->scaling_efficiency,
                           server_accelerators);
  figures += fmt::format("; a factor of {:.2f} of it is samples to target ({:.2f}M, {:.2f}M at {})",
                         growth, *row->published.outcome.samples / 1e6, median(samples) / 1e6,
                         server_accelerators);
  if (growth <= 1 + noise) return {Verdict::True, figures};
  return {Verdict::TrueBut, figures,
          fmt::format("a factor of {:.2f} of it is samples to target", growth)};
}

}  // namespace study
}  // namespace tofn
