#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "sim/blocks/block_job.hpp"
#include "sim/core/error.hpp"

namespace tofn::test {

struct PointSettings {
  std::uint64_t points = 0;
  std::uint64_t cost = 0;  ///< steps of work a point; every 97th block takes five times as long
  std::uint64_t points_per_block = 16;
  std::optional<std::uint64_t> fail_at{};  ///< fails at this and all later points
  std::string identity = "one";
};

/// Keeps the processor busy for about a nanosecond a step. It counts work and not time, so that
/// sharing the processor shows.
inline void work(std::uint64_t steps) {
  volatile std::uint64_t kept = 1;
  std::uint64_t value = kept;
  for (std::uint64_t i = 0; i < steps; ++i) value = value * 6364136223846793005U + i;
  kept = value;
}

/// Row of a point: text that sometimes has a comma and quotes, a whole number, a number and a cell
/// that may be empty. Every seventh point has no row.
inline std::string row_of(std::uint64_t point) {
  if (point % 7 == 3) return "";
  return fmt::format("{},{},{:.9g},{}\n", point % 5 == 0 ? "\"a, \"\"b\"\"\"" : "plain", point,
                     1.0 / static_cast<double>(point + 1),
                     point % 3 == 0 ? "" : fmt::format("{}", point * point % 1000));
}

inline BlockJob synthetic_job(const PointSettings& settings) {
  BlockJob job{.points = settings.points,
               .points_per_block = settings.points_per_block,
               .make_worker = {},
               .identity = {{.name = "settings", .value = settings.identity}},
               .columns = {{"name", CellType::Text},
                           {"point", CellType::Whole},
                           {"share", CellType::Number},
                           {"rest", CellType::Whole}}};
  job.make_worker = [settings, job] {
    return [settings, job](std::uint64_t block) {
      std::string rows;
      const PointRange range = points_of(job, block);
      for (std::uint64_t point = range.first; point < range.end; ++point) {
        if (settings.fail_at && point >= *settings.fail_at)
          throw InputError(fmt::format("point {}: there is no such cluster", point));
        work(settings.cost * (block % 97 == 0 ? 5 : 1));
        rows += row_of(point);
      }
      return rows;
    };
  };
  return job;
}

/// The expected CSV, made without the code under test.
inline std::string expected_csv(std::uint64_t points) {
  std::string text = "name,point,share,rest\n";
  for (std::uint64_t point = 0; point < points; ++point) text += row_of(point);
  return text;
}

}  // namespace tofn::test
