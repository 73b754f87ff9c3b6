// Nsight Systems' export (docs.nvidia.com/nsight-systems, "SQLite schema"): times in ns.
#include "sim/blocks/nsys_sqlite.hpp"

#include <memory>

#include "sim/core/error.hpp"

#ifdef TOFN_HAS_SQLITE
#include <sqlite3.h>
#endif

namespace tofn {
inline namespace blocks {

#ifdef TOFN_HAS_SQLITE

namespace {

using ProfileDatabase = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

ProfileDatabase opened(const std::filesystem::path& path) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  ProfileDatabase database(raw, &sqlite3_close);
  if (code != SQLITE_OK) throw InputError({path.string()}, "", sqlite3_errmsg(raw));
  return database;
}

/// Appends rows of start, end, device and name; none if the table does not exist.
void append(sqlite3* database, const std::filesystem::path& path, const char* query,
            std::vector<TracedKernel>& kernels) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(database, query, -1, &raw, nullptr) != SQLITE_OK) return;
  const Statement statement(raw, &sqlite3_finalize);
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
    constexpr double nano = 1e-9;
    const double start = sqlite3_column_double(raw, 0) * nano;
    const double end = sqlite3_column_double(raw, 1) * nano;
    const auto* const name = sqlite3_column_text(raw, 3);
    if (name == nullptr || !(end >= start)) continue;
    kernels.push_back({.name = std::string(reinterpret_cast<const char*>(name)),
                       .device = sqlite3_column_int(raw, 2),
                       .start = start,
                       .seconds = end - start});
  }
  if (code != SQLITE_DONE) throw InputError({path.string()}, "", sqlite3_errmsg(database));
}

}  // namespace

KernelTrace read_nsys_sqlite(const std::filesystem::path& path) {
  const ProfileDatabase database = opened(path);
  KernelTrace trace;
  append(database.get(), path,
         "SELECT k.start, k.end, k.deviceId, s.value FROM CUPTI_ACTIVITY_KIND_KERNEL k "
         "JOIN StringIds s ON s.id = k.shortName",
         trace.kernels);
  if (trace.kernels.empty())
    throw InputError({path.string()}, "",
                     "holds no kernels: expected what `nsys export --type sqlite` writes of a "
                     "profile with --trace cuda");
  append(database.get(), path,
         "SELECT start, end, deviceId, 'Memcpy' FROM CUPTI_ACTIVITY_KIND_MEMCPY", trace.kernels);
  return trace;
}

#else

KernelTrace read_nsys_sqlite(const std::filesystem::path& path) {
  throw InputError({path.string()}, "", "this tofn was built without SQLite, which reads this");
}

#endif

}  // namespace blocks
}  // namespace tofn
