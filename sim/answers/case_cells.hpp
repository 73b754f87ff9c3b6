#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/cluster/cluster.hpp"
#include "sim/config/library.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace answers {

inline constexpr int most_count = 100'000'000;

/// The cells of one row; an empty cell is as good as a missing column. Mistakes are InputErrors at
/// the cell.
class CaseCells {
 public:
  CaseCells(const CsvTable& table, std::size_t row) : table_(table), row_(row) {}

  std::string text(std::string_view column) const {
    return table_.has_column(column) ? table_.at(row_, column) : std::string{};
  }
  /// Above 0.
  std::optional<double> amount(std::string_view column) const;
  /// A whole number in these bounds, `8` or `8.0`.
  std::optional<int> count(std::string_view column, int least = 1, int most = most_count) const;
  /// As `count`; InputError where the row does not say.
  int needed_count(std::string_view column, int most = most_count) const;

  /// The value of the cell's word in a table of words, whatever its case.
  template <class T>
  std::optional<T> word(std::string_view column,
                        std::span<const std::pair<std::string_view, T>> words) const {
    const std::string cell = lower(text(column));
    if (cell.empty()) return {};
    std::vector<std::string> valid;
    for (const auto& [name, value] : words) {
      if (cell == name) return value;
      valid.emplace_back(name);
    }
    fail(column, unknown_name("value", text(column), valid));
  }

  [[noreturn]] void fail(std::string_view column, std::string_view problem) const;

  static std::string lower(std::string text);

 private:
  const CsvTable& table_;
  std::size_t row_;
};

/// The machine of a row that names its `accelerator` and `gpus_per_node` (8 unless it says so)
/// alone: of the clusters with that accelerator and so many a node the vendor's own (dgx), else one
/// of its reference designs (hgx), else the first by name. Where none has so many a node, the one
/// with that accelerator cut or grown to them; where none has the accelerator, one whose
/// accelerators have the same scale-up link. InputError at the cell where there is none at all.
Cluster case_cluster(const CaseCells&, const Library&);

}  // namespace answers
}  // namespace tofn
