#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/model_steps_answer.hpp"
#include "sim/answers/observed_step.hpp"
#include "sim/app/job_options.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/options/option_values.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr const char* option = "--observed";
constexpr int most_counted = 1 << 20;

[[noreturn]] void refuse(const std::string& given) {
  throw InputError({}, option,
                   fmt::format("expected ACCELERATORS: TIME or ACCELERATORS,BATCH: TIME, e.g. '8: "
                               "1.42 s' or '8,64: 1.42 s', got '{}'",
                               shortened(given)));
}

/// A whole number of at least 1.
int count_in(const std::string& words, const std::string& given) {
  const auto first = words.find_first_not_of(' ');
  const auto last = words.find_last_not_of(' ');
  long long count = 0;
  if (first == std::string::npos || !parse_integer(words.substr(first, last - first + 1), count) ||
      count < 1 || count > most_counted)
    refuse(given);
  return static_cast<int>(count);
}

struct Observed {
  int accelerators = 0;
  std::optional<int> batch;
  Seconds time;
};

Observed parsed(const std::string& given) {
  const auto colon = given.find(':');
  if (colon == std::string::npos) refuse(given);
  const std::string sizes = given.substr(0, colon);
  const auto comma = sizes.find(',');
  Observed seen{.accelerators = count_in(sizes.substr(0, comma), given), .batch = {}, .time = {}};
  if (comma != std::string::npos) seen.batch = count_in(sizes.substr(comma + 1), given);
  const auto start = given.find_first_not_of(' ', colon + 1);
  if (start == std::string::npos) refuse(given);
  seen.time = amount_of<Seconds>(given.substr(start), option);
  return seen;
}

}  // namespace

void add_measured_options(options::options_description& description) {
  description.add_options()  //
      ("observed", options::value<std::string>(),
       "a measured step of the model under this plan, ACCELERATORS[,BATCH]: TIME, e.g. '8: 1.42 s' "
       "(without a batch: as many samples an accelerator as requested): sharpens the stack")  //
      ("steps", options::value<std::string>(),
       "measured steps (`tofn calibrate --steps --model`), which sharpen the stack and name it");
}

std::optional<std::string> stack_of_steps(const options::variables_map& values) {
  const auto file = text_option(values, "steps");
  if (!file) return {};
  const std::string theirs = load_model_steps(*file).stack;
  const std::string asked = values["stack"].as<std::string>();
  if (!values["stack"].defaulted() && asked != theirs)
    throw InputError({.file = *file}, "--stack",
                     fmt::format("says {}, but the steps ran by {}", asked, theirs));
  return theirs;
}

KernelProfile with_measured_steps(const options::variables_map& values,
                                  const std::filesystem::path& configs, Library& library,
                                  const KernelProfile& profile, const Model& model,
                                  const Cluster& cluster, const PlanAt& plan_at,
                                  double samples_each) {
  KernelProfile known = profile;
  if (const auto file = text_option(values, "steps")) {
    const ModelSteps steps = load_model_steps(*file);
    const OwnSubject subject = subject_of(*file, steps, configs, library);
    known = sharpened_for(model, cluster.accelerator, subject, cases_of(steps, subject));
  }
  const auto given = text_option(values, "observed");
  if (!given) return known;
  if (known.uncertainty.covariance.empty())
    throw InputError(
        {}, option,
        fmt::format("changes nothing: the figures of stack {} are fitted to no table of steps",
                    profile.name));
  const Observed seen = parsed(*given);
  const double batch = seen.batch ? *seen.batch : samples_each * seen.accelerators;
  if (!(batch > 0))
    throw InputError({}, option,
                     "needs its batch where --batch is not stated, e.g. '8,64: 1.42 s'");
  return at_key({}, option, [&] {
    const PlannedModel ran = plan_at(known, seen.accelerators, batch);
    const StepCase measured{
        .model = ran.model, .plan = ran.plan, .cluster = cluster, .measured = seen.time};
    return with_observed(known, measured);
  });
}

}  // namespace app
}  // namespace tofn
