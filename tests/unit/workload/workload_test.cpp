#include "sim/workload/workload.hpp"

#include "sim/config/library.hpp"
#include "tests/catch.hpp"

// Totals of the four workloads as their publishers and benchmark rules state them.
using namespace tofn;
using namespace tofn::test;

namespace {

const Library& library() {
  static const Library loaded = Library::load(TOFN_SOURCE_DIR "/configs");
  return loaded;
}

const Workload& workload_named(std::string_view name) { return library().workload(name); }

double teraflop(std::string_view name) {
  return total_work(workload_named(name)).total().base() / 1e12;
}

}  // namespace

TEST_CASE("parameters are the published ones") {
  CHECK(workload_named("bert").parameters == 336'226'108);
  CHECK(workload_named("bert").trainable_parameters == 336'226'108);
  const Workload& lora = workload_named("llama2_70b_lora");
  CHECK(lora.parameters - lora.trainable_parameters == 68'976'648'192);
  CHECK(lora.trainable_parameters == 44'564'480);
  CHECK(workload_named("retinanet").parameters == 37'060'652);
  CHECK(workload_named("retinanet").trainable_parameters == 36'849'004);
  CHECK(workload_named("stable_diffusion").trainable_parameters == 865'910'724);
}

TEST_CASE("work of one sample is the published one") {
  CHECK_THAT(teraflop("bert"), WithinRel(0.497, 0.01));
  CHECK_THAT(teraflop("llama2_70b_lora"), WithinRel(2516.0, 0.01));
  CHECK_THAT(teraflop("retinanet"), WithinRel(1.169, 0.01));
  CHECK_THAT(teraflop("stable_diffusion"), WithinRel(2.413, 0.01));
}

TEST_CASE("a GEMM has two FLOP for every input of every output") {
  // Gate and up of Llama 2: 2 x 8192 tokens x 469,762,048 weights exceed an int by far.
  CHECK(flops({.rows = 8192, .inputs = 8192, .outputs = 57344}).base() == 7'696'581'394'432.0);
  // A 3x3 convolution on 128 channels in 32 groups has 40,000 x 128 outputs of 4 x 9 inputs each.
  CHECK(flops({.rows = 40000, .inputs = 36, .outputs = 4, .count = 32}).base() ==
        2.0 * 40'000 * 128 * 36);
}

TEST_CASE("totals count each layer as often as it occurs, by kind of arithmetic") {
  Workload made;
  made.layers.push_back({.name = "linear",
                         .count = 3,
                         .parameters = 0,
                         .trainable_parameters = 0,
                         .arithmetic = Arithmetic::Matmul,
                         .forward = {Flops{10}, ""},
                         .backward = {Flops{20}, ""},
                         .forward_operators = 2,
                         .backward_operators = 4});
  made.layers.push_back({.name = "attention",
                         .count = 2,
                         .parameters = 0,
                         .trainable_parameters = 0,
                         .arithmetic = Arithmetic::Attention,
                         .forward = {Flops{100}, ""},
                         .backward = {Flops{250}, ""},
                         .forward_operators = 1,
                         .backward_operators = 2});
  const WorkTotals work = total_work(made);
  CHECK(work.matmul_forward == Flops{30});
  CHECK(work.matmul_backward == Flops{60});
  CHECK(work.attention_forward == Flops{200});
  CHECK(work.attention_backward == Flops{500});
  CHECK(work.total() == Flops{790});
  CHECK(work.forward_operators == 8);
  CHECK(work.backward_operators == 16);
}

TEST_CASE("backward passes cost what is trained") {
  // Backward is twice the forward pass if everything is trained, and about once under LoRA.
  const WorkTotals bert = total_work(workload_named("bert"));
  CHECK_THAT(bert.matmul_backward / bert.matmul_forward, WithinRel(2.0, 1e-3));
  const WorkTotals lora = total_work(workload_named("llama2_70b_lora"));
  CHECK_THAT(lora.matmul_backward / lora.matmul_forward, WithinRel(1.0, 1e-2));
}

TEST_CASE("the evaluation interval of BERT follows its rule of the batch") {
  const Evaluation& evaluation = workload_named("bert").evaluation;
  CHECK(evaluation.interval_at(448) == 150'000);    // 0.05 x 3,103,143 = 6.2 x 25,000
  CHECK(evaluation.interval_at(3072) == 175'000);   // 0.05 x 3,707,267 = 7.4 x 25,000
  CHECK(evaluation.interval_at(16384) == 325'000);  // 0.05 x 6,772,088 = 13.5 x 25,000
  CHECK(workload_named("retinanet").evaluation.interval_at(256) == 1'170'301);  // one epoch
}
