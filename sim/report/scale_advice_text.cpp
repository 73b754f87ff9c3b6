#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/scale_report.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/scaling/accelerator_time.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Least share of the growth for a cause to be named.
constexpr double least_share = 0.15;
constexpr std::size_t most_causes = 3;
/// Least growth with causes to name; below it, growing and shrinking parts about cancel.
constexpr double least_growth = 0.01;
constexpr double all_of_it = 1.005;  // rounds to all of it

const ScalingPoint* point_at(const std::vector<ScalingPoint>& times, int accelerators) {
  const auto found = std::ranges::find(times, accelerators, &ScalingPoint::accelerators);
  return found == times.end() ? nullptr : &*found;
}

const Knee* knee_named(const ScaleAnswer& answer, std::string_view name) {
  const auto found = std::ranges::find(answer.knees, name, &Knee::name);
  return found == answer.knees.end() ? nullptr : &*found;
}

/// Words such as ` (+4.3 % exposed communication, -3.0 % arithmetic of a sample)`, relative to the
/// smaller size's accelerator-time.
std::string changes_words(const std::vector<GrowthCause>& named,
                          const std::vector<GrowthCause>& all, double growth) {
  std::vector<std::string> words;
  const auto add = [&](const GrowthCause& cause) {
    words.push_back(fmt::format("{:+.1f} % {}", 100 * cause.share * growth, cause.name));
  };
  for (const GrowthCause& cause : named) add(cause);
  for (const GrowthCause& cause : all)
    if (cause.share <= -least_share) add(cause);
  return fmt::format(" ({})", fmt::join(words, ", "));
}

/// Words on the causes as shares of the growth; if shrinking parts make these exceed it, on the
/// change of each part.
std::string cause_words(const ScaledPoint& from, const ScaledPoint& to) {
  const double growth = growth_of_accelerator_time(from, to);
  if (growth < least_growth) return {};
  const std::vector<GrowthCause> causes = causes_of_growth(from, to);
  std::vector<GrowthCause> named;
  std::vector<std::string> words;
  double sum = 0;
  for (const GrowthCause& cause : causes) {
    if (cause.share < least_share || named.size() == most_causes) break;
    named.push_back(cause);
    words.push_back(fmt::format("{:.0f} % of it {}", 100 * cause.share, cause.name));
    sum += cause.share;
  }
  if (named.empty()) return {};
  if (sum > all_of_it) return changes_words(named, causes, growth);
  return fmt::format(", {}", fmt::join(words, ", "));
}

std::string growth_words(double growth) {
  return growth < least_growth ? "less than 1 %" : fmt::format("{:.0f} %", 100 * growth);
}

/// Words such as `, because accelerator-time grows ...`, from the point at the knee to the next
/// one.
std::string why(const ScaleAnswer& answer, int accelerators) {
  if (!answer.main) return " (times alone do not say why)";
  const auto& points = answer.main->points;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (points[i].accelerators == accelerators)
      return fmt::format(", because accelerator-time grows by {} from {} to {}{}",
                         growth_words(growth_of_accelerator_time(points[i], points[i + 1])),
                         accelerators, points[i + 1].accelerators,
                         cause_words(points[i], points[i + 1]));
  return {};
}

/// Sentence on the growth of accelerator-time from the smallest to the largest size, with its
/// causes.
std::string growth_text(const ScaleAnswer& answer) {
  if (!answer.main || answer.main->points.size() < 3) return {};
  const ScaledPoint& first = answer.main->points.front();
  const ScaledPoint& last = answer.main->points.back();
  const double growth = growth_of_accelerator_time(first, last);
  if (growth <= 0) return {};
  return fmt::format("Accelerator-time grows by {} from {} to {}{}.\n", growth_words(growth),
                     first.accelerators, last.accelerators, cause_words(first, last));
}

double two_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

std::string best_words(const ScaleAnswer& answer, const Knee& best) {
  const ScalingPoint reference = reference_point(answer.times);
  const ScalingPoint& point = *point_at(answer.times, *best.accelerators);
  const std::string count = fmt::format("{} accelerators{}", *best.accelerators,
                                        best.is_first  ? ", the smallest of these sizes,"
                                        : best.is_last ? ", the largest of these sizes,"
                                                       : "");
  if (best.is_first) return count + " give the most speedup x efficiency";
  return fmt::format(
      "{} give the most speedup x efficiency ({:.1f} x as fast as {} at {:.0f} % "
      "efficiency)",
      count, speedup(point, reference), reference.accelerators,
      100 * relative_efficiency(point, reference));
}

/// Sentence on a knee that depends on a single observed or published row.
std::string uncertainty(const ScaleAnswer& answer, const Knee& best) {
  constexpr double much = 0.25;
  const auto index = static_cast<std::size_t>(&best - answer.knees.data());
  double farthest = 0;
  for (const KneesWithoutRow& without : answer.left_out)
    if (without.knees[index].accelerators)
      farthest = std::max(farthest, std::abs(without.knees[index].between / best.between - 1));
  if (farthest <= much) return {};
  return fmt::format("; uncertain, since leaving one row out moves the former by {:.0f} %",
                     100 * farthest);
}

}  // namespace

std::string advice_on(const ScaleAnswer& answer) {
  const Knee* best = knee_named(answer, "product");
  const Knee* gain = knee_named(answer, "gain");
  if (best == nullptr || !best->accelerators || gain == nullptr) return "";
  if (answer.times.size() < 2) return "One size says nothing of scaling.\n";
  std::string text =
      fmt::format("{}{}{}: {}{}", answer.name, answer.machine.empty() ? "" : " on ", answer.machine,
                  fits_nowhere(answer) ? no_size_fits : "", best_words(answer, *best));
  const std::string from = gain->accelerators && gain->between != *gain->accelerators
                               ? fmt::format("about {:.0f}", two_digits(gain->between))
                               : fmt::format("{}", gain->accelerators.value_or(0));
  text += gain->accelerators ? fmt::format("; from {} on {}{}", from, gain->definition,
                                           why(answer, *gain->accelerators))
                             : fmt::format("; up to {} there is no size from which {}",
                                           answer.times.back().accelerators, gain->definition);
  return text + uncertainty(answer, *best) + ".\n" + growth_text(answer);
}

}  // namespace report
}  // namespace tofn
