#include "sim/answers/goodput_answer.hpp"

#include "sim/cluster/unanswered_row.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr Seconds month = Seconds(30 * 24 * 3600.0);

}  // namespace

std::vector<StatedGoodput> goodput_answer(const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  std::vector<StatedGoodput> all;
  if (!table.has_column("goodput")) return all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const CsvRow cells(table, row);
    std::string text = cells.text("goodput");
    if (text.empty()) continue;
    StatedGoodput one{.row = row, .run = cells.text("run"), .typical = {}};
    one.is_bound = text.front() == '>';
    if (one.is_bound) text.erase(0, 1);
    if (!parse_number(text, one.stated) || !(one.stated > 0) || one.stated > 1)
      cells.fail("goodput", "expected a number above 0 and at most 1, got '" + text + "'");
    if (!why_unanswered(cells, "gpus").empty()) continue;
    one.accelerators = cells.needed_count("gpus");
    const auto hours = cells.positive("gpu_hours");
    const Seconds time = hours ? Seconds(3600 * *hours / one.accelerators) : month;
    one.typical = default_goodput(one.accelerators, one.stated * time);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace answers
}  // namespace tofn
