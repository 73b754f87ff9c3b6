#include <cmath>

#include "sim/cluster/measured_machine.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/core/statistics.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/validation/fit_ramps.hpp"
#include "tests/catch.hpp"

// Compares reduce-scatters and all-gathers, predicted from all-reduces of the same ranks, with
// their own tables.
using namespace tofn;

namespace {

std::vector<double> errors_of(const std::string& calibration, const std::string& cluster_name,
                              bool with_all_reduce) {
  const std::string configs = TOFN_SOURCE_DIR "/configs";
  Library library = Library::load(configs);
  const auto loaded = find_calibration(configs, calibration);
  std::vector<CollectiveTable> taught;
  for (const CollectiveTable& table : loaded.tables)
    if (table.collective == CollectiveKind::AllReduce) taught.push_back(table);
  Cluster cluster = library.cluster(cluster_name);
  if (with_all_reduce)
    cluster.measured = std::make_shared<const MeasuredMachine>(
        MeasuredMachine{calibration, MeasuredCollectives(taught), {}});
  std::vector<double> errors;
  for (const CollectiveTable& table : loaded.tables) {
    const bool is_half = table.collective == CollectiveKind::ReduceScatter ||
                         table.collective == CollectiveKind::AllGather;
    const bool fills_nodes =
        table.nodes == 1 || table.ranks == table.nodes * cluster.accelerators_per_node.value;
    if (!is_half || !fills_nodes) continue;
    const Communicator c = place({1, table.ranks}, cluster, table.ranks);
    for (const CollectiveRow& row : table.rows)
      errors.push_back(
          std::abs(collective_cost(table.collective, row.size, c, false).time / row.time() - 1));
  }
  return errors;
}

}  // namespace

TEST_CASE("an all-reduce foretells its halves") {
  const auto carried = errors_of("h100-cluster01", "dgx-h100", true);
  CHECK(carried.size() == 40);
  CHECK(median(carried) < 0.09);
  const auto waiting = errors_of("h100-quietbox-1x4", "hgx-h100", true);
  CHECK(waiting.size() == 56);
  CHECK(median(waiting) < 0.11);
  // Formulas alone are far off for calls that wait for their host.
  CHECK(median(errors_of("h100-quietbox-1x4", "hgx-h100", false)) > 3 * median(waiting));
}
