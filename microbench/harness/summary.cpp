#include "microbench/harness/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/statistics.hpp"

namespace tofn::bench {
namespace {

/// Samples of each visit; a single visit is split into fifths.
std::vector<Values> parts_of(Values samples, std::span<const int> visits) {
  std::vector<int> sizes(visits.begin(), visits.end());
  if (sizes.size() == 1) {
    const int parts = std::min(5, sizes[0]);
    const int whole = sizes[0];
    sizes.assign(static_cast<std::size_t>(parts), whole / parts);
    sizes.back() += whole % parts;
  }
  std::vector<Values> parts;
  for (const int size : sizes) {
    parts.push_back(samples.first(static_cast<std::size_t>(size)));
    samples = samples.subspan(static_cast<std::size_t>(size));
  }
  return parts;
}

/// Deviation of the median of all samples that the visits' medians show, in logarithms. The median
/// averages noise within visits as a mean of medians would, but noise between visits as a median,
/// which is less certain: its variance is that of the mean x asin(c) / c, with c the share of the
/// noise between visits (for normal noise, the covariance of the signs of two values correlated by
/// c is 2 asin(c) / pi). The factor is from 1 to pi / 2.
double deviation_between(const std::vector<Values>& visits) {
  std::vector<double> medians;
  std::vector<double> within;  // of each sample from its visit's median
  for (const Values visit : visits) {
    medians.push_back(std::log(median(visit)));
    for (const double sample : visit) within.push_back(std::log(sample) - medians.back());
  }
  const double between = standard_deviation(medians);
  if (between == 0) return 0;
  const double inside = robust_deviation(within);
  const double share = between * between / (between * between + inside * inside);
  return between * std::sqrt(std::asin(share) / share);
}

/// Standard error of the mean of `count` visits, over the standard deviation that they show; 1 for
/// one visit. Neighbouring visits are correlated, and the deviation among a few of them hides noise
/// that is slower than they are. This is modelled as fractional noise of Hurst exponent H: the
/// variance of a mean goes with count^(2H - 2), not 1 / count (Beran, "Statistics for Long-Memory
/// Processes", 1994, 1.1 and 8.1). H is between 1/2, independent visits, and 1, 1/f noise. A few
/// visits do not determine it, and a point ends as soon as they happen to agree, so it is chosen
/// near the noisier end.
double error_of_mean(double count) {
  constexpr double hurst = 0.9;
  if (count < 2) return 1;
  const double of_mean = std::pow(count, 2 * hurst - 2);  // over the variance of one visit
  const double shown = (1 - of_mean) * count / (count - 1);
  return std::sqrt(of_mean / shown);
}

Interval around(double centre, double relative) {
  return {.low = centre * std::exp(-relative), .high = centre * std::exp(relative)};
}

}  // namespace

RecordSummary summarize(std::span<const double> samples, std::span<const int> visits) {
  const auto parts = parts_of(samples, visits);
  const double centre = median(samples);
  constexpr double share = 0.975;  // of each side
  const int freedom = std::max(static_cast<int>(parts.size()) - 1, 1);
  const double spread = student_quantile(share, freedom) *
                        (parts.size() > 1 ? deviation_between(parts) : 1.0) *
                        error_of_mean(static_cast<double>(parts.size()));
  return {.median = centre,
          .interval = around(centre, spread),
          // Two runs of this length differ by the noise of both.
          .repeat = around(centre, spread * std::sqrt(2.0))};
}

double half_width(const RecordSummary& summary) {
  return (summary.interval.high - summary.interval.low) / 2 / summary.median;
}

namespace {

struct Modes {
  double low = 0;
  double high = 0;
  double share_low = 0;
};

/// The two groups into which a cut of the sorted values splits them with the least variance inside,
/// if they are well separated (Ashman's D, Ashman et al., "Detecting bimodality in astronomical
/// datasets", 1994: above 2 two normal groups are apart; a single uniform one reaches 3.5).
std::optional<Modes> two_modes(std::span<const double> sorted) {
  constexpr double clear_distance = 4.5;
  constexpr double least_ratio = 1.1;     // closer modes mislead nobody
  constexpr double least_share = 0.1;     // smaller ones are outliers
  constexpr double least_of_a_mode = 10;  // fewer values have no meaningful width
  const auto count = static_cast<double>(sorted.size());
  const double least = std::max(least_share, least_of_a_mode / count);
  std::vector<double> logs;
  for (const double value : sorted) logs.push_back(std::log(value));
  double sum = 0;
  double total = 0;
  for (const double value : logs) total += value;
  double best = 0;
  std::size_t cut = 0;
  for (std::size_t i = 0; i + 1 < logs.size(); ++i) {
    sum += logs[i];
    const double share = static_cast<double>(i + 1) / count;
    const double apart =
        sum / static_cast<double>(i + 1) - (total - sum) / (count - static_cast<double>(i + 1));
    const double between = share * (1 - share) * apart * apart;
    if (share < least || share > 1 - least || between <= best) continue;
    best = between;
    cut = i + 1;
  }
  if (cut == 0) return {};
  const Values low(logs.data(), cut);
  const Values high(logs.data() + cut, logs.size() - cut);
  const double apart = median(high) - median(low);
  const double width = std::hypot(robust_deviation(low), robust_deviation(high)) / std::sqrt(2.0);
  if (apart < std::log(least_ratio) || apart < clear_distance * width) return {};
  return Modes{.low = std::exp(median(low)),
               .high = std::exp(median(high)),
               .share_low = static_cast<double>(cut) / count};
}

std::string time_text(double seconds) { return to_text(Seconds(seconds)); }

double outlier_fence(std::span<const double> samples) {
  constexpr double far_out = 3;
  const double upper = quantile(samples, 0.75);
  return upper + far_out * (upper - quantile(samples, 0.25));
}

}  // namespace

int count_outliers(std::span<const double> samples) {
  constexpr std::size_t least = 10;  // fewer have no meaningful quartiles
  if (samples.size() < least) return 0;
  const double fence = outlier_fence(samples);
  return static_cast<int>(
      std::count_if(samples.begin(), samples.end(), [&](double each) { return each > fence; }));
}

std::vector<std::string> flags_of(std::span<const double> samples) {
  std::vector<std::string> flags;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  if (const auto modes = two_modes(sorted))
    flags.push_back(fmt::format("bimodal: {:.0f} % near {}, {:.0f} % near {}",
                                100 * modes->share_low, time_text(modes->low),
                                100 * (1 - modes->share_low), time_text(modes->high)));
  if (const int outliers = count_outliers(sorted); outliers > 0)
    flags.push_back(fmt::format("outliers: {} of {} above {}, the largest {}", outliers,
                                sorted.size(), time_text(outlier_fence(sorted)),
                                time_text(sorted.back())));
  return flags;
}

}  // namespace tofn::bench
