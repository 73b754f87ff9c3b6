#include "sim/calibration/carried_spreads.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/answers/steps_answer.hpp"
#include "sim/calibration/calibration.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/evidence/shipped.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

/// Error ln(measured/predicted) of an observation that was left out. Errors with the same `alike`
/// count as one together.
struct LeftOut {
  std::string alike;
  double error = 0;
};

/// Spread of errors with long tails: the most likely width of Student's t with five degrees of
/// freedom, as the standard deviation of the normal with an equally wide 90 % interval.
double spread_of(const std::vector<LeftOut>& errors) {
  constexpr int freedom = 5;
  std::map<std::string, int> alike;
  for (const LeftOut& each : errors) ++alike[each.alike];
  double best = 0;
  double most_likely = -std::numeric_limits<double>::infinity();
  for (double width = 0.001; width < 1; width *= 1.01) {
    double likelihood = 0;
    for (const LeftOut& each : errors)
      likelihood -= (std::log(width) +
                     (freedom + 1) / 2.0 * std::log1p(std::pow(each.error / width, 2) / freedom)) /
                    alike[each.alike];
    if (likelihood <= most_likely) continue;
    most_likely = likelihood;
    best = width;
  }
  return best * student_quantile(0.95, freedom) / ninety_percent_deviations;
}

/// Runs inside one domain of all shipped rounds.
struct OneDomainRuns {
  Shipped shipped{configs};
  std::vector<ResolvedRow> rows = [&] {
    std::vector<ResolvedRow> all;
    for (const char* round : {"v5.0", "v4.1", "v4.0"})
      for (ResolvedRow& row : shipped.resolved(configs / "published" /
                                               ("mlperf-training-" + std::string(round) + ".csv")))
        all.push_back(std::move(row));
    return all;
  }();
  std::vector<Observation> seen = calibration_observations(rows);
};

OneDomainRuns& runs() {
  static OneDomainRuns made;
  return made;
}

std::string chip_of(const Observation& seen) { return seen.run.cluster->accelerator.name; }
std::string release_of(const Observation& seen) { return seen.run.settings.software_release; }
std::string split_text(const Observation& seen) {
  return std::to_string(seen.run.plan.tensor_parallel_size) + "x" +
         std::to_string(seen.run.plan.context_parallel_size);
}

using KeyOf = std::function<std::string(const Observation&)>;
using ErrorOf = std::function<std::optional<double>(const Observation&, const Run&)>;

std::optional<double> step_error(const Observation& seen, const Run& model) {
  if (!seen.step) return {};
  return std::log(*seen.step / model.expected().step.total);
}
std::optional<double> evaluation_error(const Observation& seen, const Run& model) {
  if (!seen.evaluation_each) return {};
  const Benchmark& benchmark = *model.benchmark;
  const double factor = benchmark.parameters.evaluation_factor.value;
  const Seconds each = evaluations_of(benchmark).each(*model.stretches[0].step);
  return std::log(*seen.evaluation_each / (factor * each));
}

/// Errors of the observations of each key, predicted without them, if their group has other keys.
std::vector<LeftOut> leave_out(const KeyOf& key_of, const KeyOf& group_of,
                               const ErrorOf& error_of) {
  std::map<std::string, std::set<std::string>> keys_of_group;
  std::set<std::string> keys;
  for (const Observation& each : runs().seen) {
    keys.insert(key_of(each));
    keys_of_group[group_of(each)].insert(key_of(each));
  }
  std::vector<LeftOut> errors;
  for (const std::string& key : keys) {
    std::vector<Observation> others;
    for (const Observation& each : runs().seen)
      if (key_of(each) != key) others.push_back(each);
    const Calibration calibration(others);
    for (const Observation& each : runs().seen) {
      if (key_of(each) != key || keys_of_group[group_of(each)].size() < 2) continue;
      const Run model = benchmark_run(each.run, calibration.parameters_for(each.run));
      if (const auto error = error_of(each, model))
        errors.push_back({each.run.workload->name + key, *error});
    }
  }
  return errors;
}

std::string workload_and_chip(const Observation& seen) {
  return seen.run.workload->name + '|' + chip_of(seen);
}
std::string architecture_of(const Observation& seen) {
  const Accelerator& accelerator = seen.run.cluster->accelerator;
  if (accelerator.architecture == Architecture::Other) return accelerator.name;
  return std::string(name_of(accelerator.architecture));
}
std::string workload_and_architecture(const Observation& seen) {
  return seen.run.workload->name + '|' + architecture_of(seen);
}
std::string with_release(const Observation& seen) {
  return workload_and_chip(seen) + '|' + release_of(seen);
}
std::string with_split(const Observation& seen) {
  return with_release(seen) + '|' + split_text(seen);
}

/// Checks a shipped spread with some slack, because new measurements move it a little.
void check_learned(double shipped, const std::vector<LeftOut>& errors) {
  std::set<std::string> alike;
  for (const LeftOut& each : errors) alike.insert(each.alike);
  CAPTURE(errors.size(), alike.size(), spread_of(errors));
  CHECK_THAT(shipped, test::WithinRel(spread_of(errors), 0.2));
}

}  // namespace

TEST_CASE("what a release carries to another was learnt by leaving each one out") {
  check_learned(carried_spreads.release, leave_out(with_release, workload_and_chip, step_error));
}

TEST_CASE("what accelerators carry to one that was never seen was learnt by leaving each one out") {
  check_learned(carried_spreads.same_architecture,
                leave_out(chip_of, workload_and_architecture, step_error));
  check_learned(
      carried_spreads.accelerator,
      leave_out(
          architecture_of, [](const auto& each) { return each.run.workload->name; }, step_error));
}

TEST_CASE("what a split carries to another was learnt by leaving each one out") {
  check_learned(carried_spreads.split, leave_out(with_split, with_release, step_error));
  check_learned(carried_spreads.evaluation, leave_out(with_split, with_release, evaluation_error));
}

// Published steps outside of the benchmark: the smallest of a model's steps sharpens its figures,
// which then predict the larger ones.
TEST_CASE("what a job of one domain carries to larger ones was learnt from measured steps") {
  std::vector<LeftOut> errors;
  for (const ScoredStep& step :
       steps_answer(configs, tables_of_steps(configs), StepProtocol::OneMeasured))
    if (step.skipped_because.empty() && step.trust != "C")
      errors.push_back({step.stack + '|' + step.model + '|' + step.accelerator + step.precision,
                        std::log(step.measured / step.predicted)});
  check_learned(carried_spreads.domains, errors);
}
