#include "sim/diagnosis/slowed_sizes.hpp"

#include <cmath>

#include "sim/config/library.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Slowdown found in all-reduces on two nodes that take twice as long as the formula, and `small`
/// times for the two smallest sizes.
Slowdown reported_of(double small) {
  static const Library library = Library::load(configs);
  const Cluster& cluster = *library.find_cluster("dgx-h100");
  CollectiveTable table;
  table.ranks = 16;
  table.nodes = 2;
  const LinkTable nominal = link_table(table, cluster);
  for (int i = 0; i < 8; ++i) {
    const Bytes size{std::exp2(10 + 3 * i)};
    const double time = std::exp(log_time(table.collective, size, nominal.nominal, {}));
    table.rows.push_back(
        {.size = size, .out_of_place = Seconds{(i < 2 ? small : 2) * time}, .in_place = {}});
  }
  const LinkTable placed = link_table(table, cluster);
  const LinkPosterior nothing_slow =
      LinkFit({}, shipped_spreads()).posterior(placed, false, [](const LinkTable&) {
        return true;
      });
  return slowdown_of(placed, nothing_slow);
}

}  // namespace

TEST_CASE("a slowdown is of all sizes unless the small ones are as they should be") {
  CHECK(reported_of(2).first == 0);
  CHECK(reported_of(1.9).first == 0);
  CHECK(reported_of(1).first > 0);
}
