#include <filesystem>

#include <fmt/format.h>

#include "sim/answers/scorecard_answer.hpp"
#include "sim/app/progress_counter.hpp"
#include "sim/app/validate.hpp"
#include "sim/core/file.hpp"
#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace app {
namespace {

bool is_scorecard(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.extension() != ".csv" || !std::filesystem::exists(path, ignored)) return false;
  try {
    const CsvTable table = CsvTable::read(path);
    return table.has_column("what") && table.has_column("median_percent");
  } catch (const InputError&) {
    return false;
  }
}

void check(const Request& request) {
  if (request.against && request.update)
    throw InputError({}, option::update.flag(),
                     "holds the figures against the file that it writes: give it or --against");
  if (!request.why.empty() && !request.update)
    throw InputError({}, option::why.flag(), "stands in the file of --update: give one");
  if (!request.without.empty() && request.why.empty())
    throw InputError({}, option::without.flag(), "shows the causes of --why: give one");
  if (!request.files.empty() && !request.against)
    throw InputError("validate all FILE.csv holds it against another scorecard: give --against");
  if (request.update && (!request.files.empty() || !request.common.output.empty()))
    throw InputError({}, option::update.flag(),
                     "writes one file, of what ships: leave other files out");
  if (is_scorecard(request.common.output))
    throw InputError({}, option::output.flag(),
                     fmt::format("{} is a scorecard: --update {} writes it, and wants a cause for "
                                 "each figure that is worse",
                                 request.common.output.string(), request.common.output.string()));
}

/// Compares two scorecards. The exit code is 1 if `now` has a worse figure without a reason.
CommandAnswer held_against(const std::string& now, const std::string& before) {
  const auto left = unexplained(CsvTable::read(before), CsvTable::read(now));
  std::string text;
  for (const ScorecardChange& each : left) text += "worse without a reason: " + each.text() + '\n';
  if (text.empty()) text = fmt::format("each figure of {} that is worse has a reason\n", now);
  return {.text = text, .exit_code = left.empty() ? 0 : 1};
}

CommandAnswer updated(const std::vector<ScorecardRow>& rows, const Request& request,
                      const std::vector<Reason>& reasons) {
  const Records records = scorecard_records(rows);
  std::error_code ignored;
  const CsvTable before = std::filesystem::exists(*request.update, ignored)
                              ? CsvTable::read(*request.update)
                              : CsvTable::parse("what\n", *request.update);
  std::vector<CsvTable> without;
  for (const std::string& each : request.without) without.push_back(CsvTable::read(each));
  const KeptScorecard kept = kept_scorecard(records, before, reasons, without);
  AnswerText card = scorecard_text(rows);
  std::string text =
      card.screen + changes_text(scorecard_changes(before, CsvTable::parse(to_csv(records), "")));
  const bool is_kept = kept.without_reason.empty();
  if (is_kept) write_text_file_atomically(*request.update, to_csv(kept.records));
  if (!is_kept)
    text += fmt::format(
        "{} figures are worse without a cause that an experiment shows, the last of {}: {} is as "
        "it "
        "was, give --why 'ROW: CAUSE' and --without\n",
        kept.without_reason.size(), kept.without_reason.back().what, *request.update);
  return {.text = text, .details = card.details, .exit_code = is_kept ? 0 : 1};
}

}  // namespace

CommandAnswer validate_all(const Request& request) {
  check(request);
  if (!request.files.empty()) return held_against(request.files.front(), *request.against);
  std::vector<Reason> reasons;
  for (const std::string& each : request.why) reasons.push_back(reason_of(each));
  std::optional<CsvTable> before;
  if (request.against) before = CsvTable::read(*request.against);
  const auto rows = [&] {
    const ProgressCounter counter("parts scored");
    return scorecard_answer(request.common.configs, counter.on_progress());
  }();
  if (request.update) return updated(rows, request, reasons);
  const Records records = scorecard_records(rows);
  const AnswerText card = scorecard_text(rows);
  if (!before) return {.text = card.screen, .details = card.details, .records = records};
  const ScorecardChanges changes = scorecard_changes(*before, CsvTable::parse(to_csv(records), ""));
  std::string text = card.screen + changes_text(changes);
  if (changes.worse.empty() && !changes.better.empty())
    text +=
        fmt::format("to keep what is better: tofn validate all --update {}\n", *request.against);
  return {.text = text,
          .details = card.details,
          .records = records,
          .exit_code = changes.worse.empty() ? 0 : 1};
}

}  // namespace app
}  // namespace tofn
