#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "sim/answers/published_data.hpp"
#include "sim/config/library.hpp"
#include "sim/config/resolve.hpp"
#include "sim/published/backtest.hpp"
#include "sim/published/published_table.hpp"
#include "tests/configs.hpp"

namespace tofn::test {

/// The published rows of both rounds, resolved. Holds what the rows point to.
struct PublishedRounds {
  Library library = Library::load(configs);
  Resolver resolver{library};
  std::vector<PublishedRow> table =
      read_published_table(configs / "published/mlperf-training-v4.1.csv");
  std::vector<ResolvedRow> background = shipped_rows(configs, resolver);
};

}  // namespace tofn::test
