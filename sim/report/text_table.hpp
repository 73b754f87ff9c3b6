#pragma once

#include <string>
#include <vector>

namespace tofn {
inline namespace report {

enum class Align { Left, Right };

/// A table of fixed columns for a terminal: one space between columns, a rule below the header.
class TextTable {
 public:
  struct Column {
    std::string header;
    Align align = Align::Right;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// As many cells as columns (asserted).
  void add(std::vector<std::string> cells);
  std::string render() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// At most `width` characters, the end cut off and marked.
std::string fitted(const std::string& text, std::size_t width);

}  // namespace report
}  // namespace tofn
