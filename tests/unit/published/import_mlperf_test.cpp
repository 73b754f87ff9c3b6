// Imports an artificial repository of two rounds, with lines in the form of published ones
// (github.com/mlcommons/training_results_v4.1, _v5.0). The expected scores were computed by hand.
#include "sim/published/import_mlperf.hpp"

#include <fstream>
#include <functional>

#include <fmt/format.h>

#include "sim/core/records.hpp"
#include "sim/published/published_table.hpp"
#include "sim/report/import_report.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

/// Line `:::MLLOG {...}` as mlperf_logging writes it.
std::string event(long long milliseconds, const std::string& key, const std::string& value,
                  const std::string& metadata = "") {
  return fmt::format(
      "0: :::MLLOG {{\"namespace\": \"\", \"time_ms\": {}, \"event_type\": "
      "\"POINT_IN_TIME\", \"key\": \"{}\", \"value\": {}, \"metadata\": {{\"file\": "
      "\"train.py\", \"lineno\": 1{}}}}}\n",
      milliseconds, key, value, metadata.empty() ? "" : ", " + metadata);
}

void write_system(const fs::path& submitter, const std::string& name, int nodes) {
  write(
      submitter / "systems" / (name + ".json"),
      fmt::format("{{\"division\": \"closed\", \"status\": \"Available on-premise\", "
                  "\"number_of_nodes\": \"{}\", \"accelerators_per_node\": \"8\", "
                  "\"accelerator_model_name\": \"NVIDIA H100-SXM5-80GB\", \"framework\": \"NeMo\", "
                  "\"framework_name\": \"ngc24.09_nemo\"}}",
                  nodes));
}

/// Log of a run of LoRA: 20 s at the start, then blocks of 48 steps of 3.5 s at batch 8, each with
/// an evaluation of 30 s. Minutes: (20 + blocks x (168 + 30)) / 60.
std::string lora_run(int blocks) {
  long long now = 1'000'000;
  std::string text =
      event(now, "init_start", "null") + event(now, "submission_benchmark", "\"llama2_70b_lora\"") +
      event(now, "global_batch_size", "8") + event(now, "gradient_accumulation_steps", "2") +
      "tensor_model_parallel_size: 4\n" + event(now + 60'000, "run_start", "null");
  now += 80'000;
  int samples = 0;
  for (int i = 0; i < blocks; ++i) {
    text += event(now, "block_start", "null", fmt::format("\"samples_count\": {}", samples));
    now += 168'000;
    samples += 384;
    const std::string count = fmt::format("\"samples_count\": {}", samples);
    text += event(now, "block_stop", "null", count) + event(now, "eval_start", "null", count);
    now += 30'000;
    text += event(now, "eval_accuracy", "0.93", count) + event(now, "eval_stop", "null", count);
  }
  return text + event(now, "run_stop", "null",
                      fmt::format("\"status\": \"success\", \"samples_count\": {}", samples));
}

/// Log of RetinaNet: epochs of 100 batches of 256 in 12.5 s, with the throughput of one of 8
/// accelerators.
std::string ssd_run(int epochs, const std::string& status, int train_samples = 100) {
  long long now = 500'000;
  std::string text = event(now, "global_batch_size", "256") + event(now, "run_start", "null") +
                     event(now, "train_samples", std::to_string(train_samples));
  for (int i = 0; i < epochs; ++i) {
    const std::string number = fmt::format("\"epoch_num\": {}", i);
    text += event(now, "epoch_start", fmt::format("{}", i), number);
    now += 12'500;
    text += event(now, "epoch_stop", fmt::format("{}", i), number) +
            event(now, "tracked_stats", "{\"throughput\": 256.0}") +
            event(now, "eval_accuracy", "0.3", fmt::format("\"epoch_num\": {}", i + 1));
  }
  return text + event(now, "run_stop", "null", fmt::format("\"status\": \"{}\"", status));
}

/// Writes runs of 7 to 16 blocks; if `is_cut`, the fourth ends early.
void write_lora(const fs::path& round, bool is_cut) {
  const fs::path submitter = round / "Acme";
  write_system(submitter, "box_x1", 1);
  const fs::path folder = submitter / "results" / "box_x1" / "llama2_70b_lora";
  for (int i = 0; i < 10; ++i) {
    std::string text = lora_run(7 + i);
    if (i == 2) text.insert(0, ":::MLLOG {\"key\": \"tra\n");
    if (i == 3 && is_cut) text.resize(text.size() / 2);
    write(folder / fmt::format("result_{}.txt", i), text);
  }
  write(folder / "scaling.json", "{\"scaling_factor\": 1.05}");
  write(submitter / "benchmarks" / "llama2_70b_lora" / "implementations" / "config_box_x1.sh",
        "export TP=4\nexport CP=1\nexport FP8=True\n");
}

void write_ssd(const fs::path& round, const std::string& status_of_last) {
  const fs::path submitter = round / "Beta";
  write_system(submitter, "box_x1", 1);
  for (int i = 0; i < 5; ++i)
    write(submitter / "results" / "box_x1" / "ssd" / fmt::format("result_{}.txt", i),
          ssd_run(4 + i, i == 4 ? status_of_last : "success"));
}

}  // namespace

TEST_CASE("two rounds of results: scores, steps and where they were read") {
  const TemporaryFolder folder;
  write_lora(folder.path() / "training_results_v4.1", false);
  write_ssd(folder.path() / "unnamed_round", "success");
  const ImportedRounds rounds = import_mlperf(folder.path());
  REQUIRE(rounds.rows.size() == 2);
  CHECK(rounds.files == 15);
  CHECK(rounds.damaged_lines == 1);
  CHECK(rounds.truncated_files == 0);

  const ImportedRow& lora = rounds.rows[0];
  CHECK(lora.organisation == "Acme");
  CHECK(lora.round == "v4.1");
  CHECK(lora.accelerators == 8);
  CHECK(lora.tensor_parallel == 4);
  CHECK(lora.plan_source == "config config_box_x1.sh");
  CHECK(lora.precision == "fp8");
  // The best (7 blocks) and the worst (16) are dropped, so the mean is that of 8 to 15: 11.5
  // blocks.
  const double minutes = (20 + 11.5 * 198) / 60;
  CHECK_THAT(*lora.unscaled_minutes, WithinRel(minutes, 1e-9));
  CHECK_THAT(*lora.minutes, WithinRel(minutes * 1.05, 1e-9));
  CHECK_THAT(*lora.samples, WithinRel(11.5 * 384, 1e-9));
  CHECK_THAT(*lora.step_ms, WithinRel(3500.0, 1e-9));
  CHECK(lora.step_source == "block_start, block_stop");
  CHECK_THAT(*lora.startup_seconds, WithinRel(20.0, 1e-9));
  CHECK_THAT(*lora.evaluation_minutes, WithinRel(11.5 * 0.5, 1e-9));
  CHECK_THAT(*lora.evaluations, WithinRel(11.5, 1e-9));
  CHECK_THAT(*lora.initialisation_minutes, WithinRel(1.0, 1e-9));
  CHECK(lora.software_release == "24.09");

  const ImportedRow& ssd = rounds.rows[1];
  CHECK(ssd.round.empty());
  // Runs of 5, 6 and 7 epochs remain.
  CHECK_THAT(*ssd.minutes, WithinRel(6 * 12.5 / 60, 1e-9));
  CHECK_THAT(*ssd.step_ms, WithinRel(125.0, 1e-9));
  CHECK_THAT(*ssd.samples, WithinRel(6 * 25600.0, 1e-9));
}

TEST_CASE("a run that did not converge or was cut off is the worst one") {
  const TemporaryFolder folder;
  write_lora(folder.path(), true);
  write_ssd(folder.path(), "aborted");
  const ImportedRounds rounds = import_mlperf(folder.path());
  CHECK(rounds.truncated_files == 1);
  // The run of 10 blocks is cut off and counts as the worst. It is dropped, and so is the best, of
  // 7.
  CHECK_THAT(*rounds.rows[0].unscaled_minutes,
             WithinRel((20 + (8 + 9 + 11 + 12 + 13 + 14 + 15 + 16) / 8.0 * 198) / 60, 1e-9));
  CHECK(rounds.rows[0].failed_runs == 1);
  // Samples and evaluations are means of the same eight runs.
  CHECK_THAT(*rounds.rows[0].samples, WithinRel(12.25 * 384, 1e-9));
  CHECK_THAT(*rounds.rows[0].evaluations, WithinRel(12.25, 1e-9));
  CHECK_THAT(*rounds.rows[1].minutes, WithinRel(6 * 12.5 / 60, 1e-9));
}

TEST_CASE("scores drop as many as the benchmark's rule says") {
  CHECK(score_rule("gpt3").runs == 3);
  CHECK(score_rule("unet3d").dropped == 4);
  CHECK(unscaled_score({3, 1, 2}, 0, {3, 1}) == 2.0);
  CHECK(unscaled_score({3, 1}, 1, {3, 1}) == 3.0);
  CHECK(!unscaled_score({1, 2}, 2, {4, 1}));
}

TEST_CASE("an imported table is a table of published runs") {
  const TemporaryFolder folder;
  write_lora(folder.path(), false);
  const fs::path table = folder.path() / "table.csv";
  write(table, to_csv(import_records(import_mlperf(folder.path()))));
  const auto rows = read_published_table(table);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].inputs.global_batch == 8);
  CHECK(rows[0].inputs.tensor_parallel_size == 4);
  CHECK_THAT(*rows[0].outcome.official_minutes, WithinRel((20 + 11.5 * 198) / 60 * 1.05, 1e-5));
  CHECK(rows[0].contradiction().empty());
}

TEST_CASE("epochs of samples are counted as such, those of batches times the batch") {
  for (const int train_samples : {100, 25600}) {
    INFO(train_samples);
    const TemporaryFolder folder;
    write_system(folder.path() / "Beta", "box_x1", 1);
    for (int i = 0; i < 5; ++i)
      write(folder.path() / "Beta/results/box_x1/ssd" / fmt::format("result_{}.txt", i),
            ssd_run(6, "success", train_samples));
    CHECK_THAT(*import_mlperf(folder.path()).rows.at(0).samples, WithinRel(6 * 25600.0, 1e-9));
  }
}

TEST_CASE("where no script says the plan, what the log says of it is taken") {
  const TemporaryFolder folder;
  write_lora(folder.path(), false);
  fs::remove_all(folder.path() / "Acme" / "benchmarks");
  const ImportedRow row = import_mlperf(folder.path()).rows.at(0);
  CHECK(row.plan_source == "log");
  CHECK(row.tensor_parallel == 4);
}

TEST_CASE("a system that nobody describes is left out and told") {
  const TemporaryFolder folder;
  write_lora(folder.path(), false);
  fs::remove(folder.path() / "Acme" / "systems" / "box_x1.json");
  const ImportedRounds rounds = import_mlperf(folder.path());
  CHECK(rounds.rows.empty());
  REQUIRE(rounds.notes.size() == 1);
  CHECK(
      rounds.notes.front().ends_with("left out: systems/box_x1.json says no number_of_nodes, "
                                     "accelerators_per_node or accelerator_model_name"));
}
