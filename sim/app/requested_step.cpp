#include "sim/app/requested_step.hpp"

#include "sim/app/job_options.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

std::string needed_of_model(const options::variables_map& values, const option::Text& option) {
  if (const auto text = option.of(values)) return *text;
  throw InputError({}, std::string(option.name),
                   "is needed, e.g. `tofn step llama3-8b dgx-h100 -N 8 --batch 64`");
}

}  // namespace

RequestedStep requested_step(const options::variables_map& values, const CommonOptions& common,
                             const std::optional<Launched>& launched) {
  RequestedStep request;
  if (launched) {
    request.subject = launched->training.model;
    request.stack = stack_of(values, common, *launched);
    request.model = launched_model(values, common, *launched, request.stack);
    request.plan = launched_plan(values, common, *launched, request.stack);
    request.cluster = launched->cluster;
    return request;
  }
  request.subject = needed_of_model(values, option::model);
  request.stack = stack_of(values, common, request.subject);
  request.model = as_run_by(request.stack.framework_defaults,
                            requested_model(values, common.configs, request.subject));
  request.plan = plan_of(values, common.configs, request.stack.framework_defaults);
  request.cluster = needed_of_model(values, option::cluster);
  return request;
}

}  // namespace app
}  // namespace tofn
