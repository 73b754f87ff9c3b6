#include <cmath>
#include <map>
#include <string>

#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/expense/interruptions.hpp"
#include "sim/training/run_estimate.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/csv_number.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Times of the job of a row, on H100 where only the host link would tell accelerators apart.
CheckpointTimes times_of(const CsvTable& table, std::size_t row) {
  const Model model = find_model(configs, table.at(row, "model"), {});
  CheckpointStorage storage{.all = BytesPerSecond{1e12}};
  if (!table.at(row, "bandwidth_gb_s").empty())
    storage.all = BytesPerSecond{1e9 * csv_number(table, row, "bandwidth_gb_s")};
  storage.mode = table.at(row, "mode") == "async" ? CheckpointMode::Async : CheckpointMode::Sync;
  return checkpoint_times(storage,
                          {.bytes = checkpoint_size(model, Plan{}, half_state),
                           .accelerators = static_cast<int>(csv_number(table, row, "accelerators")),
                           .nodes = static_cast<int>(csv_number(table, row, "nodes")),
                           .host_link = BytesPerSecond{63e9}});
}

double figure_of(const std::string& name, const CheckpointTimes& times) {
  const std::map<std::string, double> figures{{"size_gb", times.bytes.base() / 1e9},
                                              {"rank_gb", times.of_rank.base() / 1e9},
                                              {"waits_s", times.blocks.base()},
                                              {"write_s", times.write.base()},
                                              {"read_s", times.read.base()}};
  return figures.at(name);
}

}  // namespace

TEST_CASE("checkpoints are as large and take as long as public statements say") {
  const auto table = CsvTable::read(TOFN_SOURCE_DIR "/tests/validation/data/checkpoints.csv");
  std::map<std::string, int> rules;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    CAPTURE(table.at(row, "statement"));
    const std::string rule = table.at(row, "rule");
    const double stated = csv_number(table, row, "stated");
    const double predicted = figure_of(table.at(row, "figure"), times_of(table, row));
    const bool is_near = std::abs(predicted / stated - 1) <= 0.3;
    ++rules[rule];
    if (rule == "within") CHECK(is_near);
    if (rule == "fitted") CHECK(std::abs(predicted / stated - 1) <= 0.02);
    if (rule == "most") CHECK(predicted <= stated);
    if (rule == "apart") CHECK_FALSE(is_near);
    if (rule == "apart") CHECK_FALSE(table.at(row, "why").empty());
  }
  CHECK(rules ==
        std::map<std::string, int>{{"apart", 2}, {"fitted", 1}, {"most", 2}, {"within", 3}});
}

TEST_CASE("OPT's checkpoint is that of 16-bit weights that are their own master") {
  const double bytes = parameters(find_model(configs, "opt-175b", {})) * (2 + 8);
  CHECK_THAT(bytes, WithinRel(992 * 1.7e9, 0.06));
}

// The second of the two statements that `staging_start` and `staging_rate` come from; no model of
// configs has its 7 billion parameters in a ViT.
TEST_CASE("staging meets ByteCheckpoint's smaller job") {
  const CheckpointTimes times =
      checkpoint_times({.node = BytesPerSecond{1e9}, .mode = CheckpointMode::Async},
                       {.bytes = Bytes{7e9 * 14},
                        .accelerators = 1488,
                        .nodes = 186,
                        .host_link = BytesPerSecond{63e9}});
  CHECK_THAT(times.blocks.base(), WithinRel(0.34, 0.02));
}
