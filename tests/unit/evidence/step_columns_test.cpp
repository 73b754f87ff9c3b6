#include "sim/evidence/known_steps.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

// Columns of step tables that are named like the fields of a plan, and those of latent attention.
namespace {

const std::string needed = "stack,accelerator,hidden,layers,heads,gpus,global_batch";
const std::string values = "megatron-lm,H100-80GB,2048,12,16,8,64";

StepCaseRow row_of(const std::string& columns, const std::string& cells) {
  static const Library library = Library::load(configs);
  const TemporaryFile table("steps.csv",
                            needed + ',' + columns + '\n' + values + ',' + cells + '\n');
  StepCaseTable read = read_step_cases(table.path(), library);
  if (!read.refused.empty()) throw read.refused.front().mistake;
  return read.rows.at(0);
}

KernelProfile with_default(ExpertDispatch dispatch) {
  KernelProfile stack;
  stack.framework_defaults.expert_dispatch = dispatch;
  stack.framework_defaults.whole_experts = true;
  return stack;
}

}  // namespace

TEST_CASE("a row states choices of its plan, which its stack's defaults do not take the place of") {
  const std::string columns =
      "tensor_parallel,expert_parallel,experts,sequence_parallel,whole_experts,expert_dispatch,"
      "recompute,recompute_modules,kept_moments,compile,loss_chunks";
  const std::string cells = "2,4,16,yes,no,all-to-all,selective,layernorm moe_act,bf16,off,8";
  const StepCaseRow row = row_of(columns, cells);
  CHECK(row.step.plan.recompute_modules ==
        RecomputeModules{RecomputeModule::LayerNorm, RecomputeModule::ExpertActivation});
  CHECK(row.step.plan.kept_moments == KeptFormat::Bf16);
  CHECK(row.step.plan.compile == Compile::Off);
  CHECK(row.step.plan.loss_chunks == 8);
  const Plan run = run_by(with_default(ExpertDispatch::DeepEp), row).plan;
  CHECK_FALSE(run.whole_experts);
  CHECK(run.expert_dispatch == ExpertDispatch::AllToAll);
  // The stack's defaults apply if the row states nothing.
  const StepCaseRow silent =
      row_of("tensor_parallel,expert_parallel,experts,sequence_parallel", "2,4,16,yes");
  const Plan typical = run_by(with_default(ExpertDispatch::DeepEp), silent).plan;
  CHECK(typical.whole_experts);
  CHECK(typical.expert_dispatch == ExpertDispatch::DeepEp);
}

TEST_CASE("latent attention, further tokens and routing of a row are its model's") {
  const StepCaseRow row = row_of(
      "experts,head_dim,key_value_rank,rotary_head_size,value_head_size,further_tokens,routing",
      "16,192,512,64,128,1,natural");
  const TransformerLayers& layers = body_of(row);
  REQUIRE(layers.latent);
  CHECK(layers.latent->query_rank == 0);
  CHECK(layers.latent->key_value_rank == 512);
  CHECK(layers.latent->rotary_head_size == 64);
  CHECK(layers.latent->value_head_size == 128);
  CHECK(layers.expert_imbalance == natural_imbalance);
  const auto& last = std::get<TransformerLayers>(row.step.model.parts.back().shape);
  CHECK(last.predicts_further);
}

TEST_CASE("a cell that names no choice is refused with the valid ones") {
  CHECK_THAT(refusal([] { row_of("recompute_modules", "layernrom"); }),
             ContainsText("recompute_modules: unknown module 'layernrom', did you mean "
                          "'layernorm'?"));
  CHECK_THAT(refusal([] { row_of("expert_dispatch", "deep-ep"); }),
             ContainsText("expert_dispatch: unknown value 'deep-ep'"));
  CHECK_THAT(refusal([] { row_of("outcome", "maybe"); }),
             ContainsText("outcome: unknown value 'maybe'"));
}
