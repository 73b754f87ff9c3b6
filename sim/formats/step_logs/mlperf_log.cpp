#include "sim/formats/step_logs/mlperf_log.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/step_logs/step_sizes.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::size_t longest_line = 1'000'000;

/// Reads a line into the buffer, without its line break. What is beyond the longest line is
/// skipped, and the line counts as damaged. Absent at the end of the file.
struct ReadLine {
  std::string_view text{};
  bool is_damaged = false;
};
std::optional<ReadLine> next_line(std::ifstream& file, std::string& buffer, long long& bytes) {
  buffer.resize(longest_line + 1);
  file.getline(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  const auto count = static_cast<std::size_t>(file.gcount());
  if (count == 0 && !file) return {};
  bytes += file.gcount();
  ReadLine line{.is_damaged = file.fail() && !file.eof()};
  line.text = std::string_view(buffer).substr(0, count - (file ? 1 : 0));
  if (!line.is_damaged) return line;
  file.clear();
  file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  bytes += file.gcount();
  return line;
}

/// Reads a precision from `FP8=True`, `fp8: true`, `precision: bf16-mixed`.
void take_precision(std::string_view line, std::string& precision) {
  const std::string text = lower_case(line.substr(0, std::min<std::size_t>(line.size(), 400)));
  for (const char* word : {"fp8=true", "fp8: true", "fp8=1", "'fp8': true"})
    if (text.find(word) != std::string::npos) precision = "fp8";
  if (!precision.empty()) return;
  for (const char* word : {"precision: bf16", "precision=bf16", "--bf16"})
    if (text.find(word) != std::string::npos) precision = "bf16";
}

}  // namespace

MlperfLog scan_mlperf_log(const std::filesystem::path& path) {
  MlperfLog log;
  std::ifstream file(path, std::ios::binary);
  std::string buffer;
  for (int number = 1; const auto line = next_line(file, buffer, log.bytes); ++number) {
    if (has_mllog_mark(line->text)) {
      const auto event = line->is_damaged ? std::nullopt : parse_mllog(line->text);
      if (event)
        take_event(*event, number, log.run);
      else
        ++log.run.damaged;
    } else if (!log.run.run_start) {
      take_sizes({.text = line->text, .number = number}, log.sizes);
      if (log.precision.empty()) take_precision(line->text, log.precision);
    }
  }
  if (!file.is_open() || file.bad()) throw InputError({path.string()}, "", "cannot be read");
  return log;
}

}  // namespace formats
}  // namespace tofn
