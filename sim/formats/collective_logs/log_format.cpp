#include "sim/formats/collective_logs/log_format.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/collective_logs/plain_table_columns.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::array log_formats{
    LogFormat{"JSON lines of NCCL Inspector", is_nccl_inspector, read_nccl_inspector},
    LogFormat{"metrics of NCCL Inspector (Prometheus)", is_inspector_metrics,
              read_inspector_metrics},
    LogFormat{"JSON of nccl-tests (-J)", is_nccl_json, read_nccl_json},
    LogFormat{"nccl-tests or rccl-tests", is_nccl_tests, read_nccl_tests},
    LogFormat{"OSU Micro-Benchmarks", is_osu, read_osu},
    LogFormat{"Intel MPI Benchmarks (IMB-MPI1) or oneCCL's benchmark", is_imb, read_imb},
    LogFormat{"CSV with the columns size_bytes and time_us", is_csv, read_csv},
    LogFormat{"a table of sizes with times or bandwidths under a head such as size_bytes,time_us",
              is_plain_table, read_plain_table}};

std::string format_names() {
  std::string names;
  for (const LogFormat& format : log_formats)
    names += (names.empty() ? "" : "; ") + std::string(format.name);
  return names;
}

/// Returns the line where output of nccl-tests begins, before the header of its table.
const LogLine* start_of_nccl_tests(const LogText& log) {
  const auto start = std::ranges::find_if(log.lines, [](const LogLine& line) {
    const auto words = line.words();
    return line.is_comment() && !words.empty() &&
           (words.front().text == "nThread" || words.front().text == "nccl-tests");
  });
  return start == log.lines.end() ? nullptr : &*start;
}

/// Returns the first line that is no comment if it has only numbers, without a header above it.
const LogLine* numbers_without_head(const LogText& log) {
  const LogLine* first = log.head();
  if (first == nullptr) return nullptr;
  const std::vector<LogWord> cells = cells_of(*first, separator_of(*first));
  const bool are_numbers = std::ranges::all_of(cells, [](const LogWord& cell) {
    double number = 0;
    return parse_number(cell.text, number);
  });
  return cells.size() > 1 && are_numbers ? first : nullptr;
}

}  // namespace

bool is_collective_log(std::string_view text) {
  const std::string plain = without_colours(text);
  const LogText log = cut_into_lines(plain, {});
  return std::ranges::any_of(log_formats, [&](const LogFormat& each) { return each.fits(log); });
}

LogReading read_collective_log(std::string_view text, const std::string& file,
                               const LogHints& hints) {
  check_text(text, file);
  const std::string plain = without_colours(text);
  const LogText log = cut_into_lines(plain, file);
  if (plain.find("count(elems)") != std::string::npos)
    throw InputError(
        Location{file, 1, 1}, {},
        "is the output of nccom-test (AWS Neuron), which is not read; read are: " + format_names());
  const auto* const format =
      std::ranges::find_if(log_formats, [&](const LogFormat& each) { return each.fits(log); });
  if (const LogLine* start = start_of_nccl_tests(log); start && format == log_formats.end())
    throw InputError(log.location(*start), {},
                     "nccl-tests begin here, and no row of theirs follows: the log is cut, or its "
                     "job did not come so far");
  if (const LogLine* numbers = numbers_without_head(log); numbers && format == log_formats.end())
    throw InputError(log.location(*numbers), {},
                     fmt::format("numbers without a head; write above them {}", heads_read));
  if (format == log_formats.end())
    throw InputError(Location{file, 1, 1}, {}, "is none of the known formats: " + format_names());
  return completed(format->read(log), log, hints);
}

}  // namespace formats
}  // namespace tofn
