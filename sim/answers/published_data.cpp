#include "sim/answers/published_data.hpp"

#include <algorithm>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {

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

/// A round after the one that is predicted by default: held out.
bool is_later_round(const std::filesystem::path& file, const std::filesystem::path& configs) {
  const std::string name = file.filename().string();
  return name.starts_with("mlperf-training-v") &&
         name > default_published_table(configs).filename();
}

/// Of these tables, of an older round only what adds a software release.
std::vector<ResolvedRow> joined_rows(std::vector<std::filesystem::path> files, Resolver& resolver) {
  std::sort(files.begin(), files.end(), std::greater<>{});  // the newest round first
  std::vector<ResolvedRow> rows;
  for (const auto& file : files) {
    const std::size_t newer = rows.size();
    for (ResolvedRow& row : resolver.resolve(read_published_table(file))) {
      const bool adds_nothing =
          std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(newer),
                      [&](const ResolvedRow& other) { return is_of_the_same_release(other, row); });
      if (!adds_nothing) rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

std::vector<std::filesystem::path> published_tables(const std::filesystem::path& configs) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  const auto folder = configs / "published";
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  if (error) throw InputError({folder.string()}, "", "cannot be read: " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<ResolvedRow> shipped_rows(const std::filesystem::path& configs, Resolver& resolver) {
  std::vector<std::filesystem::path> files = published_tables(configs);
  std::erase_if(files, [&](const auto& file) { return is_later_round(file, configs); });
  return joined_rows(std::move(files), resolver);
}

std::vector<ResolvedRow> rows_of_other_rounds(const std::filesystem::path& configs,
                                              Resolver& resolver,
                                              const std::filesystem::path& table) {
  std::vector<std::filesystem::path> files = published_tables(configs);
  std::erase_if(files, [&](const auto& file) { return file.filename() == table.filename(); });
  return joined_rows(std::move(files), resolver);
}

bool names_accelerator(const std::string& wanted, const std::string& name) {
  return name == wanted || name.starts_with(wanted + ' ');
}

}  // namespace answers
}  // namespace tofn
