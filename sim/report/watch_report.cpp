#include "sim/report/watch_report.hpp"

#include <cmath>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/words.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string progress_text(const WatchAnswer& now) {
  if (!now.iteration) return "iteration unknown";
  if (!now.iterations) return fmt::format("iteration {:.0f}", *now.iteration);
  return fmt::format("iteration {:.0f} of {:.0f} ({:.1f} %)", *now.iteration, *now.iterations,
                     100 * *now.iteration / *now.iterations);
}

std::string drift_text(const WatchAnswer& now) {
  std::string text;
  if (now.drift) text += fmt::format(", {:+.1f} % against the prediction", 100 * *now.drift);
  constexpr double least = 0.01;
  if (std::abs(now.own_drift) >= least)
    text += fmt::format(", {:+.1f} % against its start", 100 * now.own_drift);
  if (now.outside >= least) text += fmt::format(", {:.1f} % between steps", 100 * now.outside);
  return text;
}

/// Text such as `of 'ECC error' on 3 lines, first on line 12`.
std::string warning_text(const LogWarning& warning) {
  return fmt::format("of '{}' on {}, first on line {}", warning.words,
                     counted(warning.count, "line"), warning.line);
}

std::string left_text(const WatchAnswer& now) {
  if (const JobEnd& end = now.run.end; end.is_known())
    return fmt::format(", {} ({})", end.is_failure ? "and FAILED" : "ended", end.words);
  if (now.silent)
    return fmt::format(", but NOTHING WAS WRITTEN FOR {}{}", time_words(*now.silent),
                       now.left ? fmt::format("; {} are left", time_words(*now.left)) : "");
  if (now.left)
    return fmt::format(", ends in {} ({})", time_words(*now.left),
                       time_range_words({now.left_low.base(), now.left_high.base()}, *now.left));
  if (now.iteration && now.iterations)
    return *now.iteration < *now.iterations ? ", its end is unknown: no run has such times"
                                            : ", done";
  if (!now.iteration) return ", the log numbers no iterations: its end is unknown";
  return ", the log does not say how many iterations: --iterations";
}

/// Local time such as `2026-11-28 22:31`, or with its seconds.
std::string date_text(double seconds, bool has_seconds) {
  const auto time = fmt::localtime(static_cast<std::time_t>(seconds));
  return has_seconds ? fmt::format("{:%Y-%m-%d %H:%M:%S}", time)
                     : fmt::format("{:%Y-%m-%d %H:%M}", time);
}

/// Line with the time at which the job ends if it continues as it is.
std::string end_text(const WatchAnswer& now) {
  if (!now.left || !now.written || now.silent) return {};
  const bool is_near = now.left_high - now.left_low < Seconds{2 * 60.0};
  const auto date = [&](Seconds left) { return date_text(*now.written + left.base(), is_near); };
  return note("end", fmt::format("{} ({} to {})", date(*now.left), date(now.left_low),
                                 date(now.left_high)));
}

/// Text such as `1.2 hours (307 accelerator-hours)`.
std::string loss_words(const WatchAnswer& now, Seconds lost) {
  std::string text = time_words(lost);
  if (now.run.accelerators)
    text += fmt::format(" ({} accelerator-hours)",
                        short_figure(lost.base() / seconds_per_hour * *now.run.accelerators));
  return text;
}

std::string slowdown_text(const WatchAnswer& now) {
  if (!now.slowdown) return {};
  const StepSlowdown& slow = *now.slowdown;
  std::string text = fmt::format("iteration {:.0f}: {} a step, {} before; it has cost {} so far",
                                 slow.since, time_words(now.run.regimes.back().step),
                                 time_words(slow.before), loss_words(now, slow.lost));
  if (slow.to_lose > Seconds{})
    text += fmt::format(", and will cost {} more", loss_words(now, slow.to_lose));
  return note("slow since", text);
}

/// Line on the steps that are not in the steady one, if they cost at least a hundredth of the time.
std::string outliers_note(const WatchAnswer& now) {
  constexpr double least = 0.01;
  const OutlierSteps& outliers = now.run.outliers;
  if (outliers.share < least) return {};
  return note(
      "outliers",
      fmt::format("{:g} of {:g} steps took {} in the median, which costs {:.0f} % of the time",
                  outliers.steps, outliers.of, time_words(outliers.step), 100 * outliers.share));
}

}  // namespace

std::string watch_line(const WatchAnswer& now) {
  return fmt::format("{}: {} a step{}{}", progress_text(now), time_words(now.recent),
                     left_text(now), drift_text(now));
}

std::string watch_text(const WatchAnswer& now) {
  std::string text = watch_line(now) + '\n' + end_text(now) + slowdown_text(now);
  if (!now.cause.empty()) text += note("likely cause", now.cause);
  if (!now.run.regimes.empty())
    text += note("steps turned", fmt::format("{}", regimes_text(now.run.regimes)));
  for (const LogWarning& each : now.warnings)
    text += note("log warns", fmt::format("{}: {}", warning_text(each), each.meaning));
  if (now.runs > 1) text += note("runs", fmt::format("{} in this log: this is the last", now.runs));
  if (now.run.pause_seconds)
    text += note("left out", fmt::format("a pause of {}, and what was before it",
                                         time_words(Seconds{*now.run.pause_seconds})));
  if (!now.run.length_from.empty() && now.iterations)
    text += note("iterations", fmt::format("{:g}, by {} in the log's dump", *now.iterations,
                                           now.run.length_from));
  if (now.run.step)
    text += note("steady step",
                 fmt::format("{}, spread {:.1f} %, {:g} step{} ({})", time_words(*now.run.step),
                             100 * now.run.spread, now.run.steps, now.run.steps == 1 ? "" : "s",
                             now.run.format)) +
            outliers_note(now);
  return text;
}

ExplainedRecords watch_records(const WatchAnswer& answer) {
  const auto seconds = [](Seconds WatchAnswer::*member) {
    return [member](const WatchAnswer& now) {
      return now.left ? std::optional((now.*member).base()) : std::nullopt;
    };
  };
  const TableColumns<WatchAnswer> columns{
      {"iteration", &WatchAnswer::iteration, "newest iteration in the log"},
      {"iterations", &WatchAnswer::iterations, "iteration at which the run ends"},
      {"step_s", [](const WatchAnswer& now) { return now.recent.base(); }},
      {"left_s", of_its(&WatchAnswer::left, &Seconds::base), "time until the run ends"},
      {"left_low_s", seconds(&WatchAnswer::left_low),
       "lower end of the 90 % interval of the time left"},
      {"left_high_s", seconds(&WatchAnswer::left_high),
       "upper end of the 90 % interval of the time left"},
      {"silent_s", of_its(&WatchAnswer::silent, &Seconds::base),
       "time since the log was last written, where steps and checkpoints do not explain it"},
      {"drift", &WatchAnswer::drift},
      {"own_drift", &WatchAnswer::own_drift, "drift of the newest steps against the first ones"},
      {"outside_share", &WatchAnswer::outside, "share of the time that lies between steps"},
      {"ended", [](const WatchAnswer& now) { return known(now.run.end.words); },
       "end of the run, in words"},
      {"has_failed", [](const WatchAnswer& now) { return now.run.end.is_failure; },
       "true if the run ended in an error, or was cancelled"},
      {"iterations_from", [](const WatchAnswer& now) { return known(now.run.length_from); },
       "source of the number of iterations"},
      {"runs", [](const WatchAnswer& now) { return 1.0 * static_cast<double>(now.runs); },
       "number of runs in the log"},
      {"cause", [](const WatchAnswer& now) { return known(now.cause); }},
      {"warnings",
       [](const WatchAnswer& now) {
         std::vector<std::string> all;
         for (const LogWarning& each : now.warnings) all.push_back(warning_text(each));
         return known(fmt::format("{}", fmt::join(all, "; ")));
       },
       "warnings of the log that explain slow steps, with the number of their lines and the first "
       "of them"}};
  return records_of(columns, std::vector{answer});
}

}  // namespace report
}  // namespace tofn
