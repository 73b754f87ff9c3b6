#include "sim/answers/repeat_answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tofn {
inline namespace answers {
namespace {

std::optional<double> number_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* whole = std::get_if<long long>(&value)) return static_cast<double>(*whole);
  return {};
}

bool agree(const Value& a, const Value& b) {
  constexpr double digits = 2e-9;  // of nine digits, the last may be rounded either way
  const auto x = number_of(a);
  const auto y = number_of(b);
  if (!x || !y) return a == b;
  return std::abs(*x - *y) <= digits * std::max(std::abs(*x), std::abs(*y));
}

using Row = std::map<std::string, Value>;

Row row_of(const Records& records, std::size_t index) {
  Row row;
  for (std::size_t c = 0; c < records.columns.size(); ++c)
    row[records.columns[c]] = records.rows[index][c];
  return row;
}

std::vector<std::string> changed_files(const Provenance& before, const Provenance& now) {
  auto all = before.files;
  all.insert(now.files.begin(), now.files.end());
  std::vector<std::string> changed;
  for (const auto& [name, digest] : all) {
    const auto then = before.files.find(name);
    const auto today = now.files.find(name);
    if (then == before.files.end() || today == now.files.end() || then->second != today->second)
      changed.push_back(name);
  }
  return changed;
}

}  // namespace

std::optional<double> ChangedFigure::change() const {
  const auto from = number_of(before);
  const auto to = number_of(now);
  if (!from || !to || *from == 0) return {};
  return *to / *from - 1;
}

RepeatAnswer repeat_answer(const AnswerFile& before, const AnswerFile& now) {
  RepeatAnswer answer{.before = before.from,
                      .now = now.from,
                      .files = changed_files(before.from, now.from),
                      .changed = {},
                      .rows_before = before.rows.rows.size(),
                      .rows_now = now.rows.rows.size()};
  for (std::size_t i = 0; i < std::min(answer.rows_before, answer.rows_now); ++i) {
    const Row then = row_of(before.rows, i);
    Row today = row_of(now.rows, i);
    for (const auto& [figure, value] : then) {
      ++answer.figures;
      if (!agree(value, today[figure]))
        answer.changed.push_back({i + 1, figure, value, today[figure]});
      today.erase(figure);
    }
    for (const auto& [figure, value] : today) {
      ++answer.figures;
      answer.changed.push_back({i + 1, figure, {}, value});
    }
  }
  return answer;
}

}  // namespace answers
}  // namespace tofn
