#include "sim/expense/energy.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "sim/core/csv.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/statistics.hpp"
#include "sim/training/run_activity.hpp"
#include "tests/catch.hpp"
#include "tests/validation/shipped_backtest.hpp"

using namespace tofn;

namespace {

/// A row of configs/measured/mlperf-power.csv, at the wall, and what is predicted of its run.
struct MeteredRun {
  std::string name;
  std::string use;
  int nodes = 0;
  double minutes = 0;
  double megajoules = 0;  ///< of the nodes
  const Cluster* cluster = nullptr;
  int accelerators = 0;
  Activity activity;  ///< predicted

  double watts() const { return megajoules * 1e6 / (minutes * 60) / nodes; }
  Energy predicted() const { return energy_of(machine_power(*cluster, accelerators, 1), activity); }
  double predicted_watts() const {
    return predicted().nodes() / activity.total() / Watts(1) / nodes;
  }
  double power_error() const { return predicted_watts() / watts() - 1; }
  double energy_error() const { return predicted().nodes().base() / 1e6 / megajoules - 1; }
  /// What the run's hosts must have drawn for the prediction to be right.
  double host_watts() const {
    return watts() - predicted().accelerators / activity.total() / Watts(1) / nodes;
  }
};

double number(const CsvTable& table, std::size_t row, const char* column) {
  double value = 0;
  REQUIRE(parse_number(table.at(row, column), value));
  return value;
}

struct Metered {
  test::PublishedRounds rounds;
  std::vector<MeteredRun> runs;

  Metered() {
    const CsvTable table = CsvTable::read(test::configs() / "measured/mlperf-power.csv");
    for (const char* round : {"mlperf-training-v4.0", "mlperf-training-v4.1"}) {
      const auto resolved = rounds.resolver.resolve(
          read_published_table(test::configs() / "published" / (std::string(round) + ".csv")));
      const auto predicted = backtest(resolved, rounds.background, {});
      for (std::size_t row = 0; row < table.rows(); ++row)
        if (table.at(row, "published") == round) add(table, row, resolved, predicted);
    }
  }

  void add(const CsvTable& table, std::size_t row, const std::vector<ResolvedRow>& resolved,
           const std::vector<BacktestRow>& predicted) {
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      const RowInputs& inputs = predicted[i].row.inputs;
      if (inputs.organisation != table.at(row, "organisation") ||
          inputs.system != table.at(row, "system") ||
          inputs.benchmark != table.at(row, "benchmark"))
        continue;
      CAPTURE(predicted[i].row.full_name(), predicted[i].skipped_because);
      REQUIRE(predicted[i].prediction);
      runs.push_back(
          {.name = predicted[i].row.full_name() + ' ' + inputs.benchmark,
           .use = table.at(row, "use"),
           .nodes = *inputs.nodes,
           .minutes = number(table, row, "run_min"),
           .megajoules = number(table, row, "node_energy_MJ") / number(table, row, "wall_share"),
           .cluster = resolved[i].run->cluster,
           .accelerators = inputs.accelerators,
           .activity = activity_of(predicted[i].prediction->expected)});
      return;
    }
    FAIL("no published row of " << table.at(row, "system") << ' ' << table.at(row, "benchmark"));
  }

  std::vector<MeteredRun> used_as(const std::string& use) const {
    std::vector<MeteredRun> found;
    for (const MeteredRun& run : runs)
      if (run.use == use) found.push_back(run);
    return found;
  }
};

}  // namespace

TEST_CASE("the usual power of a host is what the one-node runs make it") {
  const Metered metered;
  std::vector<double> hosts;
  for (const MeteredRun& run : metered.used_as("calibrates")) {
    const double maximum = run.cluster->accelerator.power.value.base() * 8;
    hosts.push_back(run.host_watts() / maximum);
    WARN(run.name << " u " << utilisation(run.activity) << " host " << run.host_watts() << " W "
                  << run.watts() << " min " << run.activity.total().base() / 60 << " "
                  << run.minutes);
  }
  REQUIRE(hosts.size() == 3);
  CHECK(std::abs(mean(hosts) - usual_host_share) < 0.005);
}
