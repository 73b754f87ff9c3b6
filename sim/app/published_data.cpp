#include "sim/app/published_data.hpp"

#include <algorithm>

#include "sim/core/error.hpp"

namespace tofn {

std::filesystem::path default_published_table(const std::filesystem::path& configs) {
  return configs / "published" / "mlperf-training-v4.1.csv";
}

std::vector<ResolvedRow> shipped_rows(const std::filesystem::path& configs, Resolver& resolver) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  const auto folder = configs / "published";
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  if (error) throw InputError({folder.string()}, "", "cannot be read: " + error.message());
  std::sort(files.begin(), files.end(), std::greater<>{});  // the newest round first
  std::vector<ResolvedRow> rows;
  for (const auto& file : files)
    for (ResolvedRow& row : resolver.resolve(read_published_table(file)))
      rows.push_back(std::move(row));
  return rows;
}

}  // namespace tofn
