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

/// A column of the rows. An empty cell is nothing: null.
struct OutputColumn {
  std::string name;  ///< letters, digits, underscores
  CellType type = CellType::Text;
};

/// The rows that are wanted in the end, as lines of CSV, of finished CSV with its header. Null:
/// all.
using ChooseRows = std::function<std::string(const std::filesystem::path& csv)>;

/// Makes `to` from finished CSV with its header, in constant memory; asks `is_stopped` now and
/// then, and returns false, leaving `to` unfinished, once it says so. Throws WriteError.
using WriteRows = bool(const std::filesystem::path& csv, std::span<const OutputColumn> columns,
                       const std::filesystem::path& to, const std::function<bool()>& is_stopped);
WriteRows write_jsonl;  ///< one object of columns a line; what is empty or not finite is null
WriteRows
    write_sqlite;  ///< a table `points`; throws WriteError where this was built without SQLite

/// A format of files of rows.
struct OutputFormat {
  std::string_view name;
  std::string_view suffix;
  WriteRows* write;
};

/// Every format: csv, jsonl, sqlite. Add one here: a row, and a file beside the others.
std::span<const OutputFormat> output_formats();

/// By the suffix of a file; CSV where it has none. InputError at another one, with the valid ones.
const OutputFormat& output_format_of(const std::filesystem::path& file);

/// The first line of CSV, with its line feed.
std::string csv_header(std::span<const OutputColumn> columns);

}  // namespace blocks
}  // namespace tofn
