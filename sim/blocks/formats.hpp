#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace blocks {

enum class CellType { Text, Whole, Number };

/// A column of the rows. An empty cell is null.
struct OutputColumn {
  std::string name;  ///< letters, digits, underscores
  CellType type = CellType::Text;
};

/// Selects the rows to keep from finished CSV with its header, and returns them as lines of CSV. If
/// null, all rows are kept.
using ChooseRows = std::function<std::string(const std::filesystem::path& csv)>;

/// Makes `to` from finished CSV with its header, in constant memory. Polls `is_stopped`; once that
/// returns true, leaves `to` unfinished and returns false. Throws WriteError.
using WriteRows = bool(const std::filesystem::path& csv, std::span<const OutputColumn> columns,
                       const std::filesystem::path& to, const std::function<bool()>& is_stopped);
WriteRows write_jsonl;   ///< one object of columns a line; empty or non-finite cells are null
WriteRows write_sqlite;  ///< a table `points`; throws WriteError without SQLite

/// A format of files of rows.
struct OutputFormat {
  std::string_view name;
  std::string_view suffix;
  WriteRows* write;
};

/// Every format: csv, jsonl, sqlite. To add one, write a file beside the others and add a row to
/// the table.
std::span<const OutputFormat> output_formats();

/// Format by a file's suffix; CSV without a suffix. InputError with the valid ones if it is
/// unknown.
const OutputFormat& output_format_of(const std::filesystem::path& file);

/// The first line of CSV, with its line feed.
std::string csv_header(std::span<const OutputColumn> columns);

}  // namespace blocks
}  // namespace tofn
