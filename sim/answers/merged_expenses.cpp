#include "sim/answers/merged_expenses.hpp"

#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {
namespace {

CheckpointStorage joined(CheckpointStorage request, const CheckpointStorage& of_run) {
  if (!request.is_known()) {
    request.all = of_run.all;
    request.node = of_run.node;
  }
  if (!request.mode) request.mode = of_run.mode;
  if (!request.layout) request.layout = of_run.layout;
  return request;
}

}  // namespace

ExpenseOptions merged_expenses(ExpenseOptions request, const ExpenseOptions& of_run) {
  const bool states_cost = request.checkpoint || request.storage.is_known();
  for (const auto member : {&ExpenseOptions::time_to_failure, &ExpenseOptions::restart,
                            &ExpenseOptions::checkpoint_every})
    if (!(request.*member)) request.*member = of_run.*member;
  // The storage of the run says nothing of a time that was stated, nor its time of another storage.
  if (!states_cost) request.checkpoint = of_run.checkpoint;
  if (!request.checkpoint) request.storage = joined(request.storage, of_run.storage);
  if (!request.storage.is_known() && (request.storage.mode || request.storage.layout))
    throw InputError({}, request.storage.mode ? "--checkpoint-mode" : "--checkpoint-layout",
                     "needs --checkpoint-storage or --checkpoint-node-bandwidth");
  return request;
}

}  // namespace answers
}  // namespace tofn
