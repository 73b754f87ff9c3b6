#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/answers/predict_answer.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/report/run_records.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

// Recomputes every number of an answer in JSON from the others.

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string root = TOFN_SOURCE_DIR;

std::vector<std::string> model_files() {
  std::vector<std::string> files;
  for (const char* name : {"bert-large", "bloom-176b", "deepseek-v3", "gpt3-175b", "llama3-405b",
                           "llama3-70b", "llama3-8b", "megatron-1t", "megatron-22b", "mixtral-8x7b",
                           "resnet-50", "retinanet-resnext50", "stable-diffusion-v2"})
    files.push_back(root + "/configs/models/" + name + ".yaml");
  for (const char* name : {"deepseek-v2-lite", "falcon-7b", "gemma-2-9b", "gpt-neox-20b",
                           "gpt-oss-120b", "opt-6.7b", "qwen3-30b-a3b"})
    files.push_back(root + "/tests/unit/config/hugging_face/" + name + ".json");
  return files;
}

/// A plan that is searched for, one with stated options, and one read from a file.
std::vector<StatedPlan> plans() {
  std::vector<StatedPlan> all(2);
  all[1].split.tensor_parallel_size = 8;
  all[1].split.recompute = Recompute::Full;
  all[1].stated = {"tp", "recompute"};
  all.push_back(find_plan(root + "/configs", "fsdp"));
  return all;
}

StatedRun run_of(const Model& model, const StatedPlan& plan) {
  constexpr double batch = 512;
  StatedRun run{.name = model.name,
                .phases = {{.model = model, .stretches = {{batch, 1e6}}, .plan = plan}}};
  run.evaluation = {.every = Amount{1e5, Counted::Samples}, .takes = {1024, Counted::Samples}};
  run.input_rate = 2000;  // low enough that the fastest machine waits
  return run;
}

/// One row of an answer in JSON.
class Row {
 public:
  explicit Row(nlohmann::json row) : row_(std::move(row)) {}

  double operator[](const std::string& name) const { return row_.at(name).get<double>(); }
  bool has(const std::string& name) const { return !row_.at(name).is_null(); }
  std::string text(const std::string& name) const { return row_.at(name).get<std::string>(); }
  const nlohmann::json& all() const { return row_; }

 private:
  nlohmann::json row_;
};

/// Compares to the nine digits that JSON prints.
void check_equal(double value, double again) { CHECK_THAT(value, WithinRel(again, 1e-7)); }

void check_rates(const Row& r) {
  const double n = r["accelerators"];
  check_equal(r["steps"] * r["global_batch"], r["samples"]);
  check_equal(r["training_s"], r["steps"] * r["step_s"]);
  check_equal(r["samples_per_s"], r["global_batch"] / r["step_s"]);
  CHECK(r.has("tokens") == r.has("sequence_length"));  // neither if samples are no texts
  if (r.has("tokens")) {
    check_equal(r["tokens_per_s"], r["samples_per_s"] * r["sequence_length"]);
    check_equal(r["tokens"], r["samples"] * r["sequence_length"]);
    check_equal(r["tokens_per_s_each"] * n, r["tokens_per_s"]);
  }
  const double peak = r["peak_flop_per_s"] * n;
  if (r.has("tokens"))
    check_equal(r["mfu_6n"], 6 * r["parameters_active"] * r["tokens_per_s"] / peak);
  check_equal(r["mfu"], r["model_flop_a_sample"] * r["samples_per_s"] / peak);
  check_equal(r["hfu"], r["hardware_flop_a_sample"] * r["samples_per_s"] / peak);
  CHECK(r["hfu"] < 1);
}

/// Checks that an evaluation takes no less than its arithmetic at peak, and no more than steps of
/// as many samples with one more to fill the pipeline.
void check_evaluation(const Row& r) {
  constexpr double evaluated = 1024;
  const double each = r["evaluation_s"] / (r["samples"] / 1e5);
  CHECK(each >=
        evaluated * r["forward_flop_a_sample"] / (r["peak_flop_per_s"] * r["accelerators"]));
  CHECK(each <= (evaluated / r["global_batch"] + 1) * r["step_s"]);
}

void check_time_and_money(const Row& r) {
  const double seconds =
      r["training_s"] + r["evaluation_s"] + r["input_s"] + r["start_up_s"] + r["lost_s"];
  check_equal(r["time_s"], seconds);
  check_equal(r["days"] * 86400, seconds);
  check_equal(r["goodput"], r["training_s"] / seconds);
  if (r.has("tokens"))
    check_equal(r["days"], r["tokens"] / (r["tokens_per_s"] * r["goodput"]) / 86400);
  check_equal(r["accelerator_hours"], r["days"] * 24 * r["accelerators"]);
  check_equal(r["co2_t"], r["energy_kwh"] * r["grid_g_per_kwh"] / 1e6);
  if (r.has("cost_usd"))
    check_equal(r["cost_usd"], r["accelerator_hours"] * r["price_usd_per_hour"]);
  check_evaluation(r);
}

/// Checks that the power left for the accelerators, after everything else, implies a utilisation
/// between 0 and 1.
void check_energy(const Row& r, const Cluster& cluster) {
  const MachinePower power = machine_power(cluster, static_cast<int>(r["accelerators"]));
  const double watts = r["energy_kwh"] * 1000 / (r["time_s"] / 3600) / power.facility_factor;
  const double cooled = (watts - power.switches.base()) / (1 + power.fans);
  const double each = (cooled - power.hosts.base()) / r["accelerators"];
  const double idle = power.accelerator_idle.base();
  const double utilisation = (each - idle) / (power.accelerator_busy.base() - idle);
  CHECK(utilisation > 0);
  CHECK(utilisation < 1);
}

/// Sum of the columns `start` + name + `end`.
double sum_of(const Row& r, const std::vector<std::string>& names, const char* start,
              const char* end) {
  double sum = 0;
  for (const std::string& name : names) sum += r[start + name + end];
  return sum;
}

void check_sums(const Row& r) {
  std::vector<std::string> parts;
  for (const auto& part : step_parts) parts.emplace_back(part.first);
  check_equal(sum_of(r, parts, "", "_s"), r["step_s"]);
  std::vector<std::string> held;
  for (const FootprintPart& part : footprint_parts) held.emplace_back(part.name);
  check_equal(sum_of(r, held, "memory_", "_gb"), r["memory_gb"]);
}

void check_intervals(const Row& r) {
  for (const RunFigure& figure : run_figures) {
    const std::string name(figure.name);
    INFO(name);
    if (!r.has(name)) continue;
    if (has_interval(figure)) {
      CHECK(r[name + "_low90"] <= r[name] * (1 + 1e-12));
      CHECK(r[name + "_high90"] >= r[name] * (1 - 1e-12));
    } else {
      CHECK_FALSE(r.has(name + "_low90"));
      CHECK_FALSE(r.has(name + "_high90"));
    }
    CHECK_FALSE(r.text(name + "_basis").empty());
  }
  CHECK(r["days_low90"] < r["days_high90"]);
}

}  // namespace

TEST_CASE("every number of an answer follows from the others") {
  const KernelProfile profile = find_kernel_profile(root + "/configs", default_stack);
  std::map<std::string, int> answered;
  for (const std::string& file : model_files()) {
    const Model model = load_model(file);
    for (const char* cluster : {"dgx-h100", "dgx-a100", "gb200-nvl72", "mi300x", "tpu-v5p"})
      for (const StatedPlan& plan : plans()) {
        INFO(model.name << " on " << cluster << ", plan '" << plan.name << "'");
        const StatedRun run = run_of(model, plan);
        const Cluster on = machine(cluster);
        const RunRequest request{.of = ModelRun{.run = run, .cluster = on, .stack = profile}};
        std::string printed;
        try {
          printed = to_json(run_records(predict_answer(request, {64})));
        } catch (const InputError&) {
          continue;  // the plan does not divide the model
        }
        const Row row(nlohmann::json::parse(printed).at(0));
        check_rates(row);
        check_time_and_money(row);
        check_energy(row, on);
        check_sums(row);
        check_intervals(row);
        ++answered[model.name];
      }
  }
  CHECK(answered.size() == model_files().size());
  int all = 0;
  for (const auto& [name, count] : answered) all += count;
  CHECK(all >= 270);  // of 300, because some plans do not divide some models
}
