#include "sim/published/quote.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace published {
namespace {

/// Relative rounding of quotes, which have two or three digits.
constexpr double digits = 0.05;

bool disagree(double a, double b) { return std::abs(a / b - 1) > digits; }

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

using Remark = std::optional<std::string>;

/// Compares two figures that should be equal; `by` says how the second is derived.
Remark agreement(double quoted, double implied, const std::string& what, const std::string& by) {
  return fmt::format("{} {}: {}, {:.2f} x what is quoted", what,
                     disagree(quoted, implied) ? "cannot be right" : "agrees", by,
                     implied / quoted);
}

Remark work_of_the_rate(const Quote& quote, const QuoteFacts&) {
  if (!quote.rate || !quote.time || !quote.work) return {};
  const Flops done = quote.rate->value * quote.time->value * quote.run.accelerators.value;
  return agreement(quote.work->value.base(), done.base(), "the work",
                   fmt::format("{} accelerators x rate x time make {}",
                               quote.run.accelerators.value, to_text(done)));
}

Remark total_of_the_rate(const Quote& quote, const QuoteFacts&) {
  if (!quote.rate || !quote.total_rate) return {};
  const FlopsPerSecond total = quote.rate->value * quote.run.accelerators.value;
  return agreement(
      quote.total_rate->value.base(), total.base(), "the rate in all",
      fmt::format("{} accelerators x rate make {}", quote.run.accelerators.value, to_text(total)));
}

Remark share_of_the_rate(const Quote& quote, const QuoteFacts& facts) {
  if (!quote.rate || !quote.share_of_peak) return {};
  const double share = quote.rate->value / facts.peak;
  return agreement(quote.share_of_peak->value, share, "the share of the peak",
                   fmt::format("the rate is {} of {}", percent(share), to_text(facts.peak)));
}

Remark beyond_the_peak(const Quote& quote, const QuoteFacts& facts) {
  const auto efficiency = quote.reference ? std::nullopt : quoted_efficiency(quote, facts);
  if (!efficiency || *efficiency <= 1) return {};
  return fmt::format("cannot be right: {} of the peak of an accelerator", percent(*efficiency));
}

Remark recomputation(const Quote& quote, const QuoteFacts& facts) {
  const auto efficiency = quoted_efficiency(quote, facts);
  if (!quote.counts_recomputation || !efficiency) return {};
  return fmt::format(
      "counts what recomputation does twice: {} of the peak goes into the model ({:.3g} x the "
      "FLOPs of the model are done)",
      percent(*efficiency / facts.recomputed_factor), facts.recomputed_factor);
}

Remark from_memory(const Quote& quote, const QuoteFacts&) {
  if (!quote.is_from_memory) return {};
  return "its figures are cited from memory: the documents named were not at hand";
}

Remark speedup_of_the_times(const Quote& quote, const QuoteFacts&) {
  if (!quote.speedup || !quote.reference || !quote.reference->time || !quote.run.time) return {};
  const double ratio = quote.reference->time->value / quote.run.time->value;
  return agreement(quote.speedup->value, ratio, "the speedup",
                   fmt::format("the times make {:.1f}", ratio));
}

Remark efficiency_of_the_speedup(const Quote& quote, const QuoteFacts&) {
  if (!quote.speedup || !quote.reference || !quote.efficiency) return {};
  const double growth = 1.0 * quote.run.accelerators.value / quote.reference->accelerators.value;
  return agreement(quote.efficiency->value, quote.speedup->value / growth, "the efficiency",
                   fmt::format("{:g} x by {:g} x the accelerators make {}", quote.speedup->value,
                               growth, percent(quote.speedup->value / growth)));
}

double samples_each(const QuotedRun& run) {
  return run.phases.front().batch / run.accelerators.value;
}

/// Efficiency above 1 needs a reason, such as a larger batch on each accelerator.
Remark above_linear(const Quote& quote, const QuoteFacts&) {
  if (!quote.reference || !quote.efficiency || quote.efficiency->value <= 1) return {};
  const double before = samples_each(*quote.reference);
  const double after = samples_each(quote.run);
  if (after > before)
    return fmt::format(
        "above 100 %: it cannot be scaling alone, each accelerator takes {:g} "
        "samples a step and in the reference {:g}",
        after, before);
  return "above 100 %: cannot be right as scaling, and its batches do not explain it";
}

/// Weak scaling that is called strong: the batch grew with the number of accelerators.
Remark weak_scaling(const Quote& quote, const QuoteFacts&) {
  if (!quote.reference || samples_each(quote.run) < samples_each(*quote.reference)) return {};
  const double growth = quote.run.phases.front().batch / quote.reference->phases.front().batch;
  return fmt::format("is weak scaling: the batch grows {:g} x", growth);
}

Remark split_of_the_accelerators(const Quote& quote, const QuoteFacts& facts) {
  if (quote.run.accelerators.value % facts.model_parallel == 0) return {};
  return fmt::format("{} accelerators are no whole number of replicas of {}, as plan {} has them",
                     quote.run.accelerators.value, facts.model_parallel, quote.plan);
}

}  // namespace

std::optional<double> quoted_efficiency(const Quote& quote, const QuoteFacts& facts) {
  if (quote.reference) {
    if (quote.efficiency) return quote.efficiency->value;
    return {};
  }
  if (quote.rate) return quote.rate->value / facts.peak;
  if (quote.samples_per_second)
    return quote.samples_per_second->value * facts.sample.base() /
           (facts.peak.base() * quote.run.accelerators.value);
  if (quote.share_of_peak) return quote.share_of_peak->value;
  return {};
}

std::vector<std::string> remarks_on(const Quote& quote, const QuoteFacts& facts) {
  constexpr std::array checks{from_memory,          work_of_the_rate,          total_of_the_rate,
                              share_of_the_rate,    beyond_the_peak,           recomputation,
                              speedup_of_the_times, efficiency_of_the_speedup, above_linear,
                              weak_scaling,         split_of_the_accelerators};
  std::vector<std::string> remarks;
  for (const auto& check : checks)
    if (auto remark = check(quote, facts)) remarks.push_back(std::move(*remark));
  return remarks;
}

}  // namespace published
}  // namespace tofn
