#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/runs_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/kernel/kernel_profile.hpp"
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

/// Simulates every row of a table of runs (`runs_answer`) and adds its stated goodput. Nothing is
/// fitted to other runs here. Unknown columns are reported in `notes`; InputError at one if it is
/// null.
std::vector<PublishedRun> simulated_runs(const std::filesystem::path& table, Library&,
                                         const KernelProfile&, std::vector<std::string>* notes);

}  // namespace answers
}  // namespace tofn
