#include "sim/report/line_width.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

#include "sim/core/utf8.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Place of a table's column in its lines, in characters.
struct LineColumn {
  std::size_t start = 0;
  std::size_t width = 0;

  std::size_t end() const { return start + width; }
};

/// Returns the columns drawn by the rule below a table's header; empty for any other line.
std::vector<LineColumn> columns_of(std::string_view line) {
  std::vector<LineColumn> columns;
  for (std::size_t start = 0; start < line.size();) {
    const std::size_t end = std::min(line.find_first_not_of('-', start), line.size());
    if (end == start || (end < line.size() && line[end] != ' ')) return {};
    columns.push_back({start, end - start});
    start = end + 1;
  }
  return columns;
}

bool is_row(std::string_view line, std::span<const LineColumn> columns) {
  return !line.empty() && line.size() <= columns.back().end() &&
         std::all_of(columns.begin() + 1, columns.end(), [&](const LineColumn& column) {
           return column.start > line.size() || line[column.start - 1] == ' ';
         });
}

std::string_view without_end_spaces(std::string_view line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// Returns how many columns from `next` on fit beside the first one; at least one.
std::size_t fitting(std::span<const LineColumn> columns, std::size_t next, std::size_t width) {
  std::size_t used = columns.front().width;
  std::size_t count = 0;
  while (next + count < columns.size()) {
    used += 1 + columns[next + count].width;
    if (used > width && count > 0) break;
    ++count;
  }
  return count;
}

/// Returns the last space after the line's indentation with at most `width` characters before it.
std::size_t last_space(std::string_view line, std::size_t width) {
  std::size_t last = std::string_view::npos;
  for (std::size_t at = line.find(' ', line.find_first_not_of(' '));
       at != std::string_view::npos && character_count(line.substr(0, at)) <= width;
       at = line.find(' ', at + 1))
    if (!line.substr(at).starts_with(" %")) last = at;  // keeps `90 %` together
  return last;
}

/// Appends the line broken at spaces; what follows a break is indented by `indent` characters.
void append_broken(std::string& out, std::string_view line, std::size_t width, std::size_t indent) {
  std::string hanging;
  while (hanging.size() + character_count(line) > width) {
    const std::size_t space = last_space(line, width - std::min(width, hanging.size()));
    if (space == std::string_view::npos) break;
    out.append(hanging).append(without_end_spaces(line.substr(0, space))) += '\n';
    line.remove_prefix(std::min(line.find_first_not_of(' ', space), line.size()));
    hanging.assign(indent, ' ');
  }
  out.append(hanging).append(line) += '\n';
}

/// Appends prose; a labelled line continues below its words.
void append_prose(std::string& out, std::string_view line, std::size_t width) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size()) + 2;
  append_broken(out, line, width, label_of(line) > 0 ? label_width : indent);
}

std::string_view cell_of(std::string_view line, const LineColumn& column) {
  if (line.size() <= column.start) return {};
  return without_end_spaces(line.substr(column.start, column.width));
}

/// Least width of a column of names.
constexpr std::size_t least_name = 26;

/// True if each cell below the head is one word: a name or a path, whose middle can be cut. Keys
/// stay whole, because people write them.
bool has_names(std::span<const std::string> lines, const LineColumn& column) {
  if (cell_of(lines.front(), column) == "key") return false;
  return std::all_of(lines.begin() + 2, lines.end(), [&](const std::string& line) {
    const std::string_view cell = cell_of(line, column);
    const std::size_t first = cell.find_first_not_of(' ');
    return first == cell.npos ||
           (cell.find(' ', first) == cell.npos &&
            std::ranges::all_of(cell, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  });
}

/// Cuts the middle out of a name: `Dell/8xXE96..-80GB`.
std::string without_middle(std::string_view name, std::size_t width) {
  if (name.size() <= width) return std::string(name);
  const std::size_t last = (width - 2) / 2;
  return std::string(name.substr(0, width - 2 - last)) + ".." +
         std::string(name.substr(name.size() - last));
}

/// Returns the table with names shortened as far as the width requires.
std::vector<std::string> with_short_names(std::vector<std::string> lines, std::size_t width) {
  for (;;) {
    const auto columns = columns_of(lines[1]);
    if (columns.back().end() <= width) return lines;
    const LineColumn* widest = nullptr;
    std::size_t least = 0;
    for (const LineColumn& column : columns) {
      const std::size_t head = cell_of(lines.front(), column).size();
      if (column.width <= std::max(least_name, head) || !has_names(lines, column)) continue;
      if (widest != nullptr && widest->width >= column.width) continue;
      widest = &column;
      least = std::max(least_name, head);
    }
    if (widest == nullptr) return lines;
    const std::size_t excess = columns.back().end() - width;
    const std::size_t now = std::max(least, widest->width - std::min(widest->width, excess));
    for (std::string& line : lines) {
      if (line.size() <= widest->start) continue;
      line.resize(std::max(line.size(), widest->end()), ' ');
      std::string cell(&line == &lines[1] ? std::string(now, '-')
                                          : without_middle(cell_of(line, *widest), now));
      cell.resize(now, ' ');
      line.replace(widest->start, widest->width, cell);
      line.resize(without_end_spaces(line).size());
    }
  }
}

void append_table(std::string& out, std::span<const std::string_view> whole, std::size_t width) {
  const std::vector<std::string> lines =
      with_short_names({whole.begin(), whole.end()}, std::max(width, std::size_t{1}));
  const auto columns = columns_of(lines[1]);
  if (columns.size() == 1 || columns.back().end() <= width) {
    for (const std::string_view line : lines) out.append(line) += '\n';
    return;
  }
  const std::size_t first = columns.front().width;
  for (std::size_t next = 1; next < columns.size();) {
    const std::size_t count = fitting(columns, next, width);
    const std::size_t start = columns[next].start;
    const std::size_t end = columns[next + count - 1].end();
    if (next > 1) out += '\n';
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::string row = lines[i];
      row.resize(columns.back().end(), ' ');
      std::string text = row.substr(0, first) + ' ' + row.substr(start, end - start);
      if (i == 1) text.resize(std::min(text.size(), std::max(width, first + 2)));  // the rule
      append_broken(out, without_end_spaces(text), width, first + 1);
    }
    next += count;
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::size_t label_of(std::string_view line) {
  if (line.size() <= label_width || line[label_width - 1] != ' ' || line[label_width] == ' ')
    return 0;
  if (std::isalpha(static_cast<unsigned char>(line.front())) == 0) return 0;
  const std::size_t end = line.find_last_not_of(' ', label_width - 1) + 1;
  const bool is_padded = end + 2 <= label_width;
  const std::string_view label = line.substr(0, end);
  if (label.find("  ") != label.npos) return 0;
  return is_padded || label.find(' ') == label.npos ? end : 0;
}

std::string with_line_width(std::string_view text, std::size_t width) {
  const std::vector<std::string_view> lines = lines_of(text);
  std::string out;
  for (std::size_t i = 0; i < lines.size();) {
    const auto columns =
        i + 1 < lines.size() ? columns_of(lines[i + 1]) : std::vector<LineColumn>{};
    if (columns.empty() || !is_row(lines[i], columns)) {
      append_prose(out, lines[i++], width);
      continue;
    }
    std::size_t end = i + 2;
    while (end < lines.size() && is_row(lines[end], columns)) ++end;
    append_table(out, std::span(lines).subspan(i, end - i), width);
    i = end;
  }
  return out;
}

}  // namespace report
}  // namespace tofn
