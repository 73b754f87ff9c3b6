#include "sim/blocks/csv_rows.hpp"

#include <cstdint>
#include <fstream>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace blocks {
namespace {

constexpr std::uint64_t rows_between_questions = 4096;

/// Removes the first cell from `rest` and returns it.
std::string take_cell(std::string_view& rest) {
  std::string cell;
  bool is_quoted = false;
  while (!rest.empty() && (is_quoted || rest.front() != ',')) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '"') {
      cell += c;
    } else if (is_quoted && rest.starts_with('"')) {
      cell += c;
      rest.remove_prefix(1);
    } else {
      is_quoted = !is_quoted;
    }
  }
  return cell;
}

}  // namespace

std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells{take_cell(line)};
  while (line.starts_with(',')) {
    line.remove_prefix(1);
    cells.push_back(take_cell(line));
  }
  return cells;
}

bool for_each_csv_row(const std::filesystem::path& csv, const std::function<bool()>& is_stopped,
                      const std::function<void(const std::vector<std::string>& cells)>& use) {
  std::ifstream file(csv, std::ios::binary);
  std::string line;
  std::getline(file, line);
  for (std::uint64_t row = 0; std::getline(file, line); ++row) {
    if (row % rows_between_questions == 0 && is_stopped()) return false;
    use(csv_cells(line));
  }
  if (file.bad()) throw InputError({csv.string()}, "", "cannot be read");
  return true;
}

}  // namespace blocks
}  // namespace tofn
