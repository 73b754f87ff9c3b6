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

/// What ships in a folder of configs and what its published runs teach. Each part is read when it
/// is first asked for, once, and lives as long as this does. Of one thread.
class Shipped {
 public:
  /// InputError as of Library::load.
  explicit Shipped(const std::filesystem::path& configs);
  Shipped(const Shipped&) = delete;  // rows point into it
  Shipped& operator=(const Shipped&) = delete;

  const std::filesystem::path& configs() const { return configs_; }
  Library& library() { return library_; }

  /// The rows of a table with the runs that they describe; `notes` as of `read_published_table`.
  std::vector<ResolvedRow> resolved(const std::filesystem::path& table,
                                    std::vector<std::string>* notes = nullptr);
  std::vector<ResolvedRow> resolved(const std::vector<PublishedRow>&);
  /// The tables that ship, the newest round first. Of an older round only what adds a software
  /// release: one-domain rows of a workload, accelerator and release that a newer one has are left
  /// out. Of rounds after the default table only workloads whose steps are simulated are among
  /// them: the others are held out, and teach nothing but their own comparison.
  const std::vector<ResolvedRow>& rows();
  /// What predictions of a table learn from beside itself: the rows above, or those of all rounds
  /// but the table's own, later ones too.
  std::vector<ResolvedRow> rows_beside(const std::filesystem::path& table, CalibrationRule);
  /// What the rows above teach.
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

/// The table that `compare` predicts unless told otherwise.
std::filesystem::path default_published_table(const std::filesystem::path& configs);

/// Every published table that ships, by name.
std::vector<std::filesystem::path> published_tables(const std::filesystem::path& configs);

/// `H100` stands for every H100, `H100 SXM` for that one.
bool names_accelerator(const std::string& wanted, const std::string& name);

}  // namespace evidence
}  // namespace tofn
