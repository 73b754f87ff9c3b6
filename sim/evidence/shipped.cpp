#include "sim/evidence/shipped.hpp"

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"

namespace tofn {
inline namespace evidence {

std::filesystem::path default_published_table(const std::filesystem::path& configs) {
  return configs / "published" / "mlperf-training-v4.1.csv";
}

namespace {

bool is_of_the_same_release(const ResolvedRow& a, const ResolvedRow& b) {
  return a.run && b.run && a.run->workload == b.run->workload &&
         a.run->cluster->accelerator.name == b.run->cluster->accelerator.name &&
         a.run->settings.software_release == b.run->settings.software_release &&
         is_in_one_domain(*a.run) && is_in_one_domain(*b.run);
}

/// True for a round after the default table, which is held out.
bool is_later_round(const std::filesystem::path& file, const std::filesystem::path& configs) {
  const std::string name = file.filename().string();
  return name.starts_with("mlperf-training-v") &&
         name > default_published_table(configs).filename();
}

}  // namespace

std::vector<std::filesystem::path> published_tables(const std::filesystem::path& configs) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  const auto folder = configs / "published";
  for (const auto& entry : sorted_entries(folder, error))
    if (entry.extension() == ".csv") files.push_back(entry);
  if (error) throw InputError({folder.string()}, "", "cannot be read: " + error.message());
  return files;
}

Shipped::Shipped(const std::filesystem::path& configs)
    : configs_(configs), library_(Library::load(configs)) {}

std::vector<ResolvedRow> Shipped::resolved(const std::filesystem::path& table,
                                           std::vector<std::string>* notes) {
  return resolved(read_published_table(table, notes));
}

std::vector<ResolvedRow> Shipped::resolved(const std::vector<PublishedRow>& rows) {
  return resolver_.resolve(rows);
}

std::vector<ResolvedRow> Shipped::joined(std::vector<std::filesystem::path> tables) {
  std::ranges::sort(tables, std::greater<>{});  // the newest round first
  std::vector<ResolvedRow> rows;
  for (const auto& table : tables) {
    const std::size_t newer = rows.size();
    for (ResolvedRow& row : resolved(table)) {
      const bool adds_nothing =
          std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(newer),
                      [&](const ResolvedRow& other) { return is_of_the_same_release(other, row); });
      if (!adds_nothing) rows.push_back(std::move(row));
    }
  }
  return rows;
}

const std::vector<ResolvedRow>& Shipped::rows() {
  if (rows_) return *rows_;
  std::vector<std::filesystem::path> tables;
  std::vector<std::filesystem::path> later;
  for (const auto& table : published_tables(configs_))
    (is_later_round(table, configs_) ? later : tables).push_back(table);
  rows_.emplace(joined(std::move(tables)));
  for (ResolvedRow& row : joined(std::move(later)))
    if (row.run && row.run->workload->simulated) rows_->push_back(std::move(row));
  return *rows_;
}

std::vector<ResolvedRow> Shipped::rows_beside(const std::filesystem::path& table,
                                              CalibrationRule rule) {
  if (rule != CalibrationRule::OtherRounds) return rows();
  std::vector<std::filesystem::path> tables = published_tables(configs_);
  std::erase_if(tables, [&](const auto& each) { return each.filename() == table.filename(); });
  return joined(std::move(tables));
}

const std::vector<Observation>& Shipped::observations() {
  if (!observations_) observations_ = calibration_observations(rows());
  return *observations_;
}

const Calibration& Shipped::calibration() {
  if (!calibration_) calibration_.emplace(observations());
  return *calibration_;
}

bool names_accelerator(const std::string& wanted, const std::string& name) {
  return name == wanted || name.starts_with(wanted + ' ');
}

}  // namespace evidence
}  // namespace tofn
