#include "sim/formats/step_logs/mlperf_log.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/step_logs/step_sizes.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::size_t longest_line = 1'000'000;

/// Reads a file line by line, and cuts lines that are too long.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) throw InputError({path_.string()}, "", "cannot be read");
    buffer_.resize(longest_line + 1);
  }

  bool next(std::string_view& line) {
    file_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (file_.bad()) throw InputError({path_.string()}, "", "cannot be read");
    const auto count = static_cast<std::size_t>(file_.gcount());
    if (count == 0 && !file_) return false;
    bytes_ += file_.gcount();
    was_cut_ = file_.fail() && !file_.eof();
    line = std::string_view(buffer_).substr(0, count - (file_ ? 1 : 0));  // without the line break
    if (was_cut_) {
      file_.clear();
      file_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
      bytes_ += file_.gcount();
    }
    return true;
  }
  bool was_cut() const { return was_cut_; }
  std::streamsize bytes() const { return bytes_; }

 private:
  std::filesystem::path path_;
  std::ifstream file_;
  std::string buffer_;
  bool was_cut_ = false;
  std::streamsize bytes_ = 0;
};

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
  MllogReader reader;
  Lines lines(path);
  std::string_view line;
  for (int number = 1; lines.next(line); ++number) {
    if (!has_mllog_mark(line)) {
      if (reader.run().run_start) continue;
      take_sizes({.text = line, .number = number}, log.sizes);
      if (log.precision.empty()) take_precision(line, log.precision);
      continue;
    }
    const auto event = lines.was_cut() ? std::nullopt : parse_mllog(line);
    if (event)
      reader.take(*event, number);
    else
      reader.take_damaged();
  }
  log.bytes = lines.bytes();
  log.run = reader.run();
  return log;
}

}  // namespace formats
}  // namespace tofn
