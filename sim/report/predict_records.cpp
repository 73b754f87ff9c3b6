#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
namespace {

/// One record, written by column name so that names and values cannot drift apart.
class Record {
 public:
  explicit Record(Records& records) : records_(records), is_first_(records.rows.empty()) {
    records_.rows.emplace_back();
  }
  void put(const char* column, Value value) {
    if (is_first_) records_.columns.emplace_back(column);
    records_.rows.back().push_back(std::move(value));
  }
  void put_text(const char* column, std::string_view text) {
    put(column, text.empty() ? Value{} : Value{std::string(text)});
  }
  void put_count(const char* column, int count) { put(column, static_cast<long long>(count)); }

 private:
  Records& records_;
  bool is_first_;
};

Value value_if(bool is_known, double value) { return is_known ? Value{value} : Value{}; }

void put_plan(Record& record, const PredictedPoint& point) {
  const bool known = point.run.has_value();
  const Plan plan = known ? point.run->plan : Plan{};
  const auto size = [&](int count) {
    return known ? Value{static_cast<long long>(count)} : Value{};
  };
  record.put("global_batch", value_if(known, plan.global_batch()));
  record.put("micro_batch", value_if(known, plan.micro_batch));
  record.put("tensor_parallel", size(plan.tensor_parallel_size));
  record.put("context_parallel", size(plan.context_parallel_size));
  record.put("data_parallel", size(plan.data_parallel_size));
  record.put("gradient_accumulation", size(plan.gradient_accumulation));
}

void put_total(Record& record, const PredictedPoint& point, const ScalingPoint& reference) {
  const bool known = point.prediction.has_value();
  const bool trains = trains_to_target(point);
  const RunPrediction p = known ? *point.prediction : RunPrediction{};
  const ScalingPoint scaled = known ? scaling_point(point) : ScalingPoint{};
  const Cost weakest_term = trains ? p.expected.total() : p.expected.step.cost();
  record.put("time_to_train_min", value_if(trains, scaled.minutes));
  record.put("time_to_train_low90_min", value_if(trains, p.total_seconds.low / 60));
  record.put("time_to_train_high90_min", value_if(trains, p.total_seconds.high / 60));
  record.put_text("basis", known ? to_text(weakest_term.basis) : "");
  record.put("reference_accelerators",
             known ? Value{static_cast<long long>(reference.accelerators)} : Value{});
  record.put("speedup", value_if(known, known ? speedup(scaled, reference) : 0));
  record.put("efficiency", value_if(known, known ? relative_efficiency(scaled, reference) : 0));
}

void put_step(Record& record, const PredictedPoint& point) {
  const bool known = point.prediction.has_value();
  const RunPrediction p = known ? *point.prediction : RunPrediction{};
  const StepTimes& step = p.expected.step;
  const auto put = [&](const std::string& name, const Cost& cost) {
    record.put((name + "_ms").c_str(), value_if(known, cost.time.base() * 1e3));
    const bool is_there = known && cost.time != Seconds{};
    record.put_text((name + "_basis").c_str(), is_there ? to_text(cost.basis) : "");
  };
  put("step", step.cost());
  record.put("step_low90_ms", value_if(known, p.step_seconds.low * 1e3));
  record.put("step_high90_ms", value_if(known, p.step_seconds.high * 1e3));
  for (std::size_t i = 0; i < step_parts.size(); ++i) {
    const std::string name = "step_" + std::string(step_parts[i].first);
    put(name, step.cost(step_parts[i].second));
    const Interval& interval = p.step_part_seconds[i];
    record.put((name + "_low90_ms").c_str(), value_if(known, interval.low * 1e3));
    record.put((name + "_high90_ms").c_str(), value_if(known, interval.high * 1e3));
  }
  put("communication_exposed", step.exposed());
  record.put("communication_total_ms", value_if(known, step.communication.base() * 1e3));
  record.put("samples_per_s", value_if(known, known ? throughput(point) : 0));
}

void put_run(Record& record, const PredictedPoint& point) {
  const bool known = trains_to_target(point);
  const RunPrediction p = known ? *point.prediction : RunPrediction{};
  const RunBreakdown& run = p.expected;
  const auto put = [&](const char* name, double value) {
    record.put(name, value_if(known, value));
  };
  const auto basis = [&](const char* name, Basis value) {
    record.put_text(name, known ? to_text(value) : "");
  };
  put("samples", run.samples);
  put("samples_low90", p.samples.low);
  put("samples_high90", p.samples.high);
  basis("samples_basis", known ? point.parameters->samples.basis : Basis::Assumed);
  put("steps", run.steps);
  put("training_min", run.training.time.base() / 60);
  basis("training_basis", run.training.basis);
  put("evaluations", run.evaluations);
  put("evaluation_each_s", run.evaluation_each.time.base());
  put("evaluation_min", run.evaluation.time.base() / 60);
  put("evaluation_low90_min", p.evaluation_seconds.low / 60);
  put("evaluation_high90_min", p.evaluation_seconds.high / 60);
  basis("evaluation_basis", run.evaluation.basis);
  put("fixed_s", run.fixed.time.base());
  put("fixed_low90_s", p.fixed_seconds.low);
  put("fixed_high90_s", p.fixed_seconds.high);
  basis("fixed_basis", run.fixed.basis);
  put("score_scaling_min", run.score_scaling.time.base() / 60);
}

void put_range(Record& record, const std::string& name, const std::string& unit,
               const std::optional<Ranged>& amount) {
  const Ranged is = amount.value_or(Ranged{});
  record.put((name + unit).c_str(), value_if(amount.has_value(), is.value));
  record.put((name + "_low90" + unit).c_str(), value_if(amount.has_value(), is.interval.low));
  record.put((name + "_high90" + unit).c_str(), value_if(amount.has_value(), is.interval.high));
}

void put_energy(Record& record, const PredictedPoint& point) {
  const bool known = point.expense.has_value();
  const bool trains = known && trains_to_target(point);
  const Expense expense = known ? *point.expense : Expense{};
  put_range(record, "energy", "_kwh", trains ? std::optional(energy_kwh(point)) : std::nullopt);
  record.put_text("energy_basis", known ? to_text(expense.energy_basis) : "");
  record.put("energy_per_sample_j", value_if(known, known ? energy_per_sample(point).base() : 0));
  record.put("accelerator_utilisation", value_if(known, expense.utilisation));
  record.put("accelerators_w",
             value_if(known, expense.power.accelerators *
                                 mean_power(expense.power, expense.utilisation).base()));
  record.put("hosts_w", value_if(known, expense.power.hosts.base()));
  record.put("switches_w", value_if(known, expense.power.switches.base()));
  record.put("facility_factor", value_if(known, expense.power.facility_factor));
}

void put_cost(Record& record, const PredictedPoint& point) {
  const bool known = point.expense.has_value() && trains_to_target(point);
  const Expense expense = known ? *point.expense : Expense{};
  const ChosenPrice price = expense.price.value_or(ChosenPrice{});
  const bool has_price = expense.price.has_value();
  put_range(record, "cost", "_usd", has_price ? std::optional(cost_usd(point)) : std::nullopt);
  record.put_text("cost_basis", has_price ? to_text(expense.cost_basis) : "");
  record.put("usd_per_accelerator_hour", value_if(has_price, price.usd_per_hour));
  record.put_text("price_term", has_price ? name_in(price_terms, price.term) : "");
  record.put_text("price_source", price.source);
  record.put_text("price_of", !has_price                    ? ""
                              : price.source == "asked for" ? "asked for"
                              : price.is_usual              ? "accelerator"
                                                            : "cluster");
  record.put("interruption_every_h",
             value_if(known, expense.interruptions.mean_between.base() / 3600));
  record.put("interrupted_run_min", value_if(known, expense.run.expected.base() / 60));
  const auto every = expense.run.checkpoint_every;
  record.put("checkpoint_every_min",
             value_if(every.has_value(), every.value_or(Seconds{}).base() / 60));
}

}  // namespace

Records predict_records(const PredictionStudy& study) {
  std::vector<ScalingPoint> scaling;
  for (const PredictedPoint& point : study.points)
    if (point.prediction) scaling.push_back(scaling_point(point));
  const ScalingPoint reference = scaling.empty() ? ScalingPoint{} : reference_point(scaling);
  Records records;
  for (const PredictedPoint& point : study.points) {
    Record record(records);
    record.put_text("workload", study.workload->name);
    record.put_text("cluster", study.cluster->name);
    record.put_text("accelerator", study.cluster->accelerator.name);
    record.put_count("accelerators", point.accelerators);
    put_plan(record, point);
    put_total(record, point, reference);
    put_step(record, point);
    put_run(record, point);
    put_energy(record, point);
    put_cost(record, point);
    record.put_text("software_release", study.settings.software_release);
    record.put_text("calibrated_on", point.parameters ? point.parameters->compute.origin : "");
    const auto assumed = assumed_figures(study, point);
    record.put_text("assumed", fmt::format("{}", fmt::join(assumed, "; ")));
    record.put_text("precision",
                    point.parameters ? to_text(point.parameters->compute.precision.matmul) : "");
    record.put("substituted", substituted(point.substitutions));
    record.put_text("skipped_because", point.skipped_because);
  }
  return records;
}

}  // namespace tofn
