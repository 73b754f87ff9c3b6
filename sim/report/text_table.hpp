#pragma once

#include <string>
#include <vector>

namespace tofn {
inline namespace report {

enum class Align { Left, Right };

struct TextColumn {
  std::string header;
  Align align = Align::Right;
};

/// Table for a terminal: one space between columns, a rule below the header. Each row must have as
/// many cells as there are columns (asserted). Reports print by `table_text`, which calls this.
std::string text_table(const std::vector<TextColumn>&,
                       const std::vector<std::vector<std::string>>& rows);

/// Text cut to at most `width` characters, with a mark at the cut end.
std::string fitted(const std::string& text, std::size_t width);

}  // namespace report
}  // namespace tofn
