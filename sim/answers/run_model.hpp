#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/csv_row.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace answers {

/// A row of a table of runs, with the list of values assumed for it.
class RunsRow : public CsvRow {
 public:
  RunsRow(const CsvTable& table, std::size_t row, std::vector<std::string>& assumed)
      : CsvRow(table, row), assumed_(assumed) {}

  /// InputError if the row does not state it, or if it is not above 0.
  double needed(std::string_view column) const;
  /// Returns the default `value` if the row does not state it, and lists that as assumed.
  double assume(std::string_view column, double value);

 private:
  std::vector<std::string>& assumed_;
};

/// Language model of a row of a table of runs. Dimensions that it does not state follow from its
/// parameters and the shape of most models.
Model model_of_run(RunsRow&);

/// InputError if a row states dimensions that make another number of parameters than it states.
void check_parameters(const CsvTable&, std::size_t row);

}  // namespace answers
}  // namespace tofn
