#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/calibration/calibration.hpp"
#include "sim/config/library.hpp"
#include "sim/config/resolve.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace evidence {

/// The files of a configs folder, and the calibration on its published runs. Each part is read
/// once, when it is first needed, and lives as long as this object. Use it from one thread.
class Shipped {
 public:
  /// InputError as in Library::load.
  explicit Shipped(const std::filesystem::path& configs);
  Shipped(const Shipped&) = delete;  // rows point into it
  Shipped& operator=(const Shipped&) = delete;

  const std::filesystem::path& configs() const { return configs_; }
  Library& library() { return library_; }

  /// Rows of a table with the runs that they describe; `notes` as in `read_published_table`.
  std::vector<ResolvedRow> resolved(const std::filesystem::path& table,
                                    std::vector<std::string>* notes = nullptr);
  std::vector<ResolvedRow> resolved(const std::vector<PublishedRow>&);
  /// Rows of the shipped tables, the newest round first. An older round adds only new software
  /// releases: it leaves out one-domain rows whose workload, accelerator and release a newer one
  /// has. Rounds after the default table add only workloads whose steps are simulated; the others
  /// are held out and calibrate only their own comparison.
  const std::vector<ResolvedRow>& rows();
  /// Rows beside a table that calibrate its predictions: rows(), or those of all other rounds,
  /// later ones included.
  std::vector<ResolvedRow> rows_beside(const std::filesystem::path& table, CalibrationRule);
  /// Observations of rows(), and their calibration.
  const std::vector<Observation>& observations();
  const Calibration& calibration();

 private:
  std::vector<ResolvedRow> joined(std::vector<std::filesystem::path> tables);

  std::filesystem::path configs_;
  Library library_;
  Resolver resolver_{library_};
  std::optional<std::vector<ResolvedRow>> rows_;
  std::optional<std::vector<Observation>> observations_;
  std::optional<Calibration> calibration_;
};

/// The table that `compare` predicts by default.
std::filesystem::path default_published_table(const std::filesystem::path& configs);

/// Every shipped published table, by name.
std::vector<std::filesystem::path> published_tables(const std::filesystem::path& configs);

/// True if `wanted` names the accelerator: `H100` names every H100, `H100 SXM` only that one.
bool names_accelerator(const std::string& wanted, const std::string& name);

}  // namespace evidence
}  // namespace tofn
