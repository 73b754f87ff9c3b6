#include "sim/evidence/collective_tables.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_calibration.hpp"
#include "sim/config/load_record.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/formats/collective_logs/record_tables.hpp"

namespace tofn {
inline namespace evidence {
namespace {

/// True for a record of tofn-bench: nccl-tests write JSON as well, but only records have this key.
bool is_record(std::string_view text) { return text.find("\"tofn_record\"") != text.npos; }

/// True only in the test that follows a record to a prediction, which sets this variable.
bool takes_stand_ins() {
  return std::getenv("TOFN_TEST_TAKES_STAND_IN") != nullptr;  // NOLINT(concurrency-mt-unsafe)
}

LogReading reading_of_record(const std::filesystem::path& file) {
  const Record record = load_record(file);
  if (is_of_stand_in(record) && !takes_stand_ins())
    throw InputError({file.string()}, "provenance." + std::string(stand_in_key),
                     "was measured on a stand-in for a GPU, whose figures say nothing of a "
                     "machine: measure on GPUs");
  auto tables = tables_of(record, file.string());
  auto remarks = remarks_on(record);
  if (tables.empty())
    throw InputError({file.string()}, "",
                     fmt::format("has no finished point of a collective{}{}",
                                 remarks.empty() ? "" : "; ", fmt::join(remarks, "; ")));
  for (std::string& remark : remarks) remark = file.string() + ": " + remark;
  return {.tables = std::move(tables), .remarks = std::move(remarks)};
}

}  // namespace

LogReading read_collective_tables(const std::filesystem::path& file, const LogHints& hints) {
  if (is_yaml(file)) return {.tables = load_calibration(file).tables, .remarks = {}};
  const std::string text = read_text_file(file);
  if (is_record(text)) return reading_of_record(file);
  return read_collective_log(text, file.string(), hints);
}

std::vector<CollectiveTable> read_all_tables(const std::vector<std::filesystem::path>& files,
                                             std::vector<std::string>& unread) {
  std::vector<CollectiveTable> tables;
  for (const auto& file : files) try {
      for (CollectiveTable& table : read_collective_tables(file, {}).tables) {
        table.file = std::filesystem::path(table.file).filename().string();
        tables.push_back(std::move(table));
      }
    } catch (const InputError& error) {
      unread.emplace_back(error.what());
    }
  return tables;
}

std::vector<std::filesystem::path> files_at(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {path};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : sorted_entries(path, error))
    if (std::filesystem::is_regular_file(entry)) files.push_back(entry);
  if (error) throw InputError({path.string()}, "", "cannot be read: " + error.message());
  if (files.empty()) throw InputError({path.string()}, "", "holds no file");
  return files;
}

}  // namespace evidence
}  // namespace tofn
