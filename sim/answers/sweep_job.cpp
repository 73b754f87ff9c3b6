#include "sim/answers/sweep_job.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "sim/answers/overrun_words.hpp"
#include "sim/blocks/csv_rows.hpp"
#include "sim/blocks/progress_line.hpp"
#include "sim/core/digest.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/launcher.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace answers {
namespace {

using Clock = std::chrono::steady_clock;

/// Points of a block, which takes some 10 ms: 512 of models, 2048 of workloads, 8 if points are
/// slow; in whole rows.
std::uint64_t points_per_block(const SweepSources& sources, const RowLayout& layout) {
  const std::uint64_t row = sources.sweep().points_of_a_row();
  const bool is_slow =
      layout.leaves_plan_open ||
      (sources.sweep().best ? layout.of_best : layout.of_rows).has(Stage::Interval);
  const std::uint64_t typical = is_slow ? 8 : sources.is_of_models() ? 512 : 2048;
  return row * std::max<std::uint64_t>(1, typical / row);
}

std::string digest_of_configs(const std::filesystem::path& configs) {
  Digest digest;
  for (const char* folder : {"accelerators", "calibrations", "clusters", "fabrics", "models",
                             "plans", "stacks", "workloads"})
    for (const auto& file : files_in(configs, folder)) digest.add(read_text_file(file));
  digest.add(read_text_file(default_published_table(configs)));
  return digest.text();
}

Value value_of(const std::string& cell, CellType type) {
  double number = 0;
  long long whole = 0;
  if (cell.empty()) return std::monostate{};
  if (type == CellType::Whole && parse_integer(cell, whole)) return whole;
  if (type == CellType::Number && parse_number(cell, number)) return number;
  return cell;
}

/// Returns text such as `about 0.2 s` or `about 3 min`.
std::string roughly(double seconds) {
  if (seconds < 0.1) return "less than 0.1 s";
  if (seconds < 120) return fmt::format("about {:.2g} s", seconds);
  if (seconds < 7200) return fmt::format("about {:.2g} min", seconds / 60);
  return fmt::format("about {:.2g} h", seconds / 3600);
}

void add_reported(std::string& text, std::string_view what, const SkippedPoints::Reported& points) {
  if (points.count > 0)
    text += fmt::format(", {} {}, the first (point {}): {}", grouped(points.count), what,
                        points.first, points.why);
}

/// Formats a number with two significant digits, such as `29,000`.
std::string two_digits(double rate) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(rate)) - 1));
  return grouped(static_cast<std::uint64_t>(std::round(rate / unit) * unit));
}

std::string_view line_at(const std::string& text, std::size_t& start) {
  const std::size_t end = std::min(text.find('\n', start), text.size());
  const std::string_view line(text.data() + start, end - start);
  start = end + 1;
  return line;
}

}  // namespace

SweepJob::SweepJob(Sweep sweep, const std::filesystem::path& configs, const std::string& program)
    : sweep_(std::move(sweep)), configs_(configs), shipped_(configs) {
  sources_.emplace(sweep_, configs, shipped_.library(),
                   sweep_.base.model ? nullptr : &shipped_.calibration(),
                   [&](const Cluster& cluster, const std::string& name) {
                     return measured_cluster(cluster, shipped_.library(), configs, name);
                   });
  layout_ = layout_of(*sources_);
  job_.points = sweep_.points();
  job_.points_per_block = points_per_block(*sources_, layout_);
  job_.make_worker = [this] { return make_worker(); };
  job_.identity = {{.name = "sweep file", .value = digest_of(read_text_file(sweep_.file))},
                   {.name = "configs", .value = digest_of_configs(configs)},
                   {.name = "overrun", .value = fmt::format("{:g}", sweep_.overrun.steps)},
                   {.name = "tofn", .value = program}};
  job_.columns = layout_.columns();
  if (!sweep_.select) return;
  job_.choose = [this](const std::filesystem::path& csv) {
    std::vector<std::uint64_t> points;
    for_each_csv_row(
        csv, [] { return false; },
        [&](const auto& cells) { points.push_back(std::stoull(cells.front())); });
    return chosen(points);
  };
}

BlockWorker SweepJob::make_worker() {
  RowMaker& maker = makers_.emplace_back(*sources_, layout_);
  return [this, &maker](std::uint64_t block) {
    const PointRange range = points_of(job_, block);
    return maker.rows(range.first, range.end);
  };
}

std::string SweepJob::chosen(const std::vector<std::uint64_t>& points) const {
  return RowMaker(*sources_, layout_).selected_rows(points);
}

double SweepJob::seconds_of_a_point() const {
  constexpr double patience = 0.05;
  constexpr std::uint64_t most_tries = 400;
  RowMaker maker(*sources_, layout_);
  // Fibonacci hashing, because an even stride would meet the same few values of an axis again and
  // again.
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
  std::uint64_t tried = 0;
  const auto start = Clock::now();
  std::chrono::duration<double> spent{};
  double refined = 0;  // seconds of the row of the best, for one of those points
  std::optional<std::uint64_t> one;
  while (tried < std::min(most_tries, job_.points) && spent.count() < patience) {
    const std::uint64_t point = tried * golden % job_.points;
    if (maker.try_point(point)) one = point;
    ++tried;
    spent = Clock::now() - start;
  }
  if (sweep_.best && one) {
    const auto begun = Clock::now();
    maker.try_row(*one);
    refined = std::chrono::duration<double>(Clock::now() - begun).count();
  }
  return spent.count() / static_cast<double>(tried) +
         refined / static_cast<double>(sweep_.points_of_a_row());
}

std::string SweepJob::announcement(int threads) const {
  const double each = seconds_of_a_point();
  const double rate = threads / each;
  std::string text = sweep_.name + ": " + grouped_count(job_.points, "point");
  if (sweep_.best) text += " for " + grouped_count(job_.points / sweep_.points_of_a_row(), "row");
  return text + fmt::format(", {} on {} ({}/s)\n", roughly(static_cast<double>(job_.points) / rate),
                            counted(threads, "thread"), two_digits(rate));
}

void SweepJob::require_rows(std::uint64_t rows) const {
  SkippedPoints all;
  for (const RowMaker& maker : makers_) all.add(maker.left_out());
  if (rows == 0 && all.refused.count > 0)
    throw InputError(fmt::format("no point makes a row: {} {} refused: {}",
                                 grouped(all.refused.count), all.refused.count == 1 ? "is" : "are",
                                 all.refused.why));
}

/// Sentences on how to read the figures of the rows.
std::vector<std::string> SweepJob::reading_notes() const {
  std::vector<std::string> notes;
  if (sources_->is_of_models() && layout_.of_rows.has(Stage::Time))
    notes.emplace_back(job_.choose || sweep_.best || layout_.leaves_plan_open ||
                               layout_.of_rows.has(Stage::Interval)
                           ? "times of rows are simulated by events"
                           : "times are by the closed form, up to 11 % from those by events (`tofn "
                             "step`, selections, best) where stages interleave");
  if (sources_->is_of_models() && layout_.of_rows.has(Stage::Interval))
    notes.push_back("90 % of days and cost: of " + overrun_words(sweep_.overrun));
  for (const Axis* axis : sweep_.axes())
    if (axis->multiplies && axis->path.starts_with("accelerator.peak."))
      notes.push_back(
          fmt::format("{} multiplies the measured rates of its products too", axis->name));
  if (layout_.leaves_plan_open)
    notes.emplace_back("what is not stated of a plan is chosen: the shortest step that fits");
  return notes;
}

SweepSummary SweepJob::summary(const BlockProgress& progress, std::uint64_t rows) const {
  // Other ranks and earlier processes count only their own points.
  const bool saw_all = !launcher() && progress.resumed == 0;
  SkippedPoints all;
  std::uint64_t unfit_rows = 0;
  std::vector<std::string> substitutions;
  for (const RowMaker& maker : makers_) {
    add_new(substitutions, maker.substitutions());
    all.add(maker.left_out());
    unfit_rows += maker.unfit_rows();
  }
  const std::uint64_t here = progress.done - progress.resumed;
  std::string text = grouped_count(progress.points, "point");
  if (progress.seconds > 0)
    text += fmt::format(" ({:.0f}/s)", static_cast<double>(here) / progress.seconds);
  text += job_.choose ? fmt::format(", {} for the selection", grouped_count(rows, "candidate"))
                      : ", " + grouped_count(rows, "row");
  const bool has_counts =
      all.empty + all.excluded + all.unfit + all.repeated.count + all.refused.count + unfit_rows >
      0;
  if (!saw_all && has_counts) text += "; of what this process worked out";
  if (unfit_rows > 0)
    text += fmt::format(", {} of the rows {} not fit the memory", grouped(unfit_rows),
                        unfit_rows == 1 ? "does" : "do");
  if (all.empty > 0) text += fmt::format(", {} without a plan that is left", grouped(all.empty));
  if (all.excluded > 0) text += fmt::format(", {} left out by constraints", grouped(all.excluded));
  if (all.unfit > 0)
    text += fmt::format(", {} not chosen from, as they do not fit the memory", grouped(all.unfit));
  add_reported(text, "repeat others", all.repeated);
  add_reported(text, "refused", all.refused);
  SweepSummary summary{.points = text, .assumed = substitutions};
  if (sources_->is_of_models() && layout_.of_rows.has(Stage::Interval))
    summary.assumed.emplace_back(
        "days and cost are simulated; days_as_runs_went and cost_usd_as_runs_went are expected");
  for (std::string& each : reading_notes()) summary.notes.push_back(std::move(each));
  return summary;
}

std::string SweepSummary::sentence() const {
  std::string text = points;
  for (const auto* of : {&assumed, &notes})
    for (const std::string& each : *of) text += "; " + each;
  return text;
}

Records SweepJob::records(const std::string& csv) const {
  std::string chosen_rows;
  std::size_t start = csv.find('\n') + 1;
  if (job_.choose) {
    std::vector<std::uint64_t> points;
    while (start < csv.size())
      points.push_back(std::stoull(csv_cells(line_at(csv, start)).front()));
    chosen_rows = chosen(points);
    start = 0;
  }
  const std::string& rows = job_.choose ? chosen_rows : csv;
  Records records;
  for (const OutputColumn& column : job_.columns) records.columns.push_back(column.name);
  while (start < rows.size()) {
    std::vector<Value> row;
    const auto cells = csv_cells(line_at(rows, start));
    for (std::size_t i = 0; i < cells.size(); ++i)
      row.push_back(value_of(cells[i], job_.columns[i].type));
    records.rows.push_back(std::move(row));
  }
  return records;
}

}  // namespace answers
}  // namespace tofn
