#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/model_steps_answer.hpp"
#include "sim/answers/observed_step.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr int most_counted = 1 << 20;

[[noreturn]] void refuse(const std::string& given, const std::string& flag) {
  throw InputError({}, flag,
                   fmt::format("expected ACCELERATORS: TIME or ACCELERATORS,BATCH: TIME, e.g. '8: "
                               "1.42 s' or '8,64: 1.42 s', got '{}'",
                               shortened(given)));
}

/// Reads a whole number of at least 1, without the spaces around it.
int count_in(const std::string& words, const std::string& given, const std::string& flag) {
  const auto first = words.find_first_not_of(' ');
  const auto last = words.find_last_not_of(' ');
  long long count = 0;
  if (first == std::string::npos || !parse_integer(words.substr(first, last - first + 1), count) ||
      count < 1 || count > most_counted)
    refuse(given, flag);
  return static_cast<int>(count);
}

struct Observed {
  int accelerators = 0;
  std::optional<int> batch;
  Seconds time;
};

Observed observed_of(const std::string& given, const std::string& flag) {
  const auto colon = given.find(':');
  if (colon == std::string::npos) refuse(given, flag);
  const std::string sizes = given.substr(0, colon);
  const auto comma = sizes.find(',');
  Observed seen{
      .accelerators = count_in(sizes.substr(0, comma), given, flag), .batch = {}, .time = {}};
  if (comma != std::string::npos) seen.batch = count_in(sizes.substr(comma + 1), given, flag);
  const auto start = given.find_first_not_of(' ', colon + 1);
  if (start == std::string::npos) refuse(given, flag);
  seen.time = amount_of<Seconds>(given.substr(start), flag);
  return seen;
}

}  // namespace

namespace option {

constexpr OptionOf<Observed> observed{
    {"observed",
     "a measured step of the model under this plan, ACCELERATORS[,BATCH]: TIME, e.g. '8: 1.42 s' "
     "(without a batch: as many samples an accelerator as requested): sharpens the stack"},
    observed_of};

}  // namespace option

CommandOptions measured_rows() {
  return {{&option::observed, of_predicted_models},
          {&option::steps, of_predicted_models | workload_predicted}};
}

std::optional<std::string> stack_of_steps(const options::variables_map& values) {
  const auto file = option::steps.of(values);
  if (!file) return {};
  const std::string theirs = load_model_steps(*file).stack;
  const std::string request = option::stack.value(values);
  if (option::stack.is_given(values) && request != theirs)
    throw InputError({.file = *file}, option::stack.flag(),
                     fmt::format("says {}, but the steps ran by {}", request, theirs));
  return theirs;
}

KernelProfile found_stack(const options::variables_map& values,
                          const std::filesystem::path& configs, const std::string& name_or_file) {
  const auto find = [&] { return find_kernel_profile(configs, name_or_file); };
  const bool is_called_so = option::stack.is_given(values) && !is_file_name(name_or_file);
  return is_called_so ? at_key({}, option::stack.flag(), find) : find();
}

KernelProfile with_measured_steps(const options::variables_map& values,
                                  const std::filesystem::path& configs, Library& library,
                                  const KernelProfile& profile, const Model& model,
                                  const Cluster& cluster, const PlanAt& plan_at,
                                  double samples_each) {
  KernelProfile known = profile;
  if (const auto file = option::steps.of(values)) {
    const ModelSteps steps = load_model_steps(*file);
    const OwnSubject subject = subject_of(*file, steps, configs, library);
    known = sharpened_for(model, cluster.accelerator, subject, cases_of(steps, subject));
  }
  if (!option::observed.is_given(values)) return known;
  const std::string flag = option::observed.flag();
  if (known.uncertainty.covariance.empty())
    throw InputError(
        {}, flag,
        fmt::format("changes nothing: the figures of stack {} are fitted to no table of steps",
                    profile.name));
  const Observed seen = option::observed.value(values);
  const double batch = seen.batch ? *seen.batch : samples_each * seen.accelerators;
  if (!(batch > 0))
    throw InputError({}, flag, "needs its batch where --batch is not stated, e.g. '8,64: 1.42 s'");
  return at_key({}, flag, [&] {
    const PlannedModel ran = plan_at(known, seen.accelerators, batch);
    const StepCase measured{
        .model = ran.model, .plan = ran.plan, .cluster = cluster, .measured = seen.time};
    return with_observed(known, measured);
  });
}

}  // namespace app
}  // namespace tofn
