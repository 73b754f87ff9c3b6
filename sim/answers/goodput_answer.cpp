#include "sim/answers/goodput_answer.hpp"

#include "sim/core/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr Seconds month = Seconds(30 * 24 * 3600.0);

double number_at(const CsvTable& table, std::size_t row, std::string_view column,
                 std::string text) {
  double number = 0;
  if (!parse_number(text, number) || !(number > 0))
    throw InputError(table.location(row, column), column,
                     "expected a number above 0, got '" + text + "'");
  return number;
}

}  // namespace

std::vector<StatedGoodput> goodput_answer(const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  std::vector<StatedGoodput> all;
  if (!table.has_column("goodput")) return all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string text = table.at(row, "goodput");
    if (text.empty()) continue;
    StatedGoodput one{.run = table.at(row, "run"), .usual = {}};
    one.is_bound = text.front() == '>';
    if (one.is_bound) text.erase(0, 1);
    one.stated = number_at(table, row, "goodput", text);
    if (one.stated > 1)
      throw InputError(table.location(row, "goodput"), "goodput", "must be at most 1");
    one.accelerators = static_cast<int>(number_at(table, row, "gpus", table.at(row, "gpus")));
    const std::string& hours = table.at(row, "gpu_hours");
    const Seconds time =
        hours.empty()
            ? month
            : Seconds(3600 * number_at(table, row, "gpu_hours", hours) / one.accelerators);
    one.usual = usual_goodput(one.accelerators, one.stated * time);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace answers
}  // namespace tofn
