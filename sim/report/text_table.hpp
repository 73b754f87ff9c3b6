#pragma once

#include <string>
#include <vector>

namespace tofn {
inline namespace report {

enum class Align { Left, Right };

/// Table of fixed columns for a terminal: one space between columns, a rule below the header.
class TextTable {
 public:
  struct Column {
    std::string header;
    Align align = Align::Right;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row; it must have as many cells as columns (asserted).
  void add(std::vector<std::string> cells);
  std::string render() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Text cut to at most `width` characters, with a mark at the cut end.
std::string fitted(const std::string& text, std::size_t width);

}  // namespace report
}  // namespace tofn
