#include <algorithm>
#include <utility>

#include "sim/timeline/pass.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Seconds part_of(const StepTimes& times, StepPart which) {
  return times.parts[static_cast<std::size_t>(which)];
}

/// A rank with layers of 1 s forward and 2 s backward, and one micro-batch.
StepWork one_rank(int layers) {
  LayerTimes layer;
  layer.name = "layer";
  layer.count = layers;
  layer.forward.compute = Seconds{1};
  layer.backward.compute = Seconds{2};
  StepWork work;
  work.stages = {{ChunkTimes{{layer}}}};
  return work;
}

LayerTimes& first_layer(StepWork& work) { return work.stages[0][0].own_layers()[0]; }

}  // namespace

TEST_CASE("a rank on its own computes, launches and waits in turn") {
  StepWork work = one_rank(3);
  work.micro_batches = 2;
  first_layer(work).forward.launch = Seconds{0.25};
  first_layer(work).backward.exposed = {Seconds{0.5}, Seconds{0.125}, Seconds{}};
  work.optimizer = {Seconds{4}};
  work.after = {Seconds{2}};
  const StepTimes times = simulate(work);
  CHECK(part_of(times, StepPart::Compute) == Seconds{18});
  CHECK(part_of(times, StepPart::Launch) == Seconds{1.5});
  CHECK(part_of(times, StepPart::Tensor) == Seconds{3});
  CHECK(part_of(times, StepPart::Context) == Seconds{0.75});
  CHECK(part_of(times, StepPart::Data) == Seconds{2});
  CHECK(part_of(times, StepPart::Optimizer) == Seconds{4});
  CHECK(times.total == Seconds{29.25});
  CHECK(times.communication == Seconds{5.75});
}

TEST_CASE("an overlapped exchange costs what it slows and what outlasts it") {
  StepWork work = one_rank(1);
  first_layer(work).backward.overlapped = {Seconds{1}, Seconds{}, Seconds{}};
  CHECK(simulate(work).total == Seconds{3});
  work.slowdown = uniform_slowdown(0.5);  // a second at half the pace loses 0.5 s
  CHECK(part_of(simulate(work), StepPart::Tensor) == Seconds{0.5});
  // The ring overlaps a second of attention, and both end after two. The other second of kernels
  // ends two later, a third before the tensor exchange.
  first_layer(work).backward.attention = Seconds{1};
  first_layer(work).backward.overlapped = {Seconds{3}, Seconds{2}, Seconds{}};
  for (const StepTimes& times : {simulate(work), closed_form(work)}) {
    CHECK(part_of(times, StepPart::Compute) == Seconds{3});
    CHECK(part_of(times, StepPart::Tensor) == Seconds{2});
    CHECK(part_of(times, StepPart::Context) == Seconds{1});
    CHECK(times.total == Seconds{6});
  }
}

TEST_CASE("each kind of communication slows compute by its own share") {
  StepWork work = one_rank(1);
  LayerPass& backward = first_layer(work).backward;
  backward.attention = Seconds{1};
  backward.overlapped = {Seconds{0.5}, Seconds{0.5}, Seconds{}};
  work.slowdown = {.tensor = 0.5, .context = 0.25, .data = 0};
  for (const StepTimes& times : {simulate(work), closed_form(work)}) {
    CHECK(part_of(times, StepPart::Tensor) == Seconds{0.25});
    CHECK(part_of(times, StepPart::Context) == Seconds{0.125});
  }
  // Gradients of the second layer overlap the first, but its ring slows it more than they do.
  work.stages[0][0].own_layers().push_back(first_layer(work));
  work.stages[0][0].own_layers().back().backward.reduce = Seconds{0.5};
  work.slowdown = {.tensor = 0, .context = 0.25, .data = 0.125};
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{});
  work.slowdown.data = 0.5;
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{0.125});
  CHECK_THAT(closed_form(work).total.base(), WithinRel(simulate(work).total.base(), 1e-12));
}

TEST_CASE("gradients leave behind the backward pass, one after another; the last is exposed") {
  StepWork work = one_rank(3);
  first_layer(work).backward.reduce = Seconds{0.5};
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{0.5});
  // Each takes longer than a layer, so from the end of the first, 3 + 2, they travel without a
  // pause.
  first_layer(work).backward.reduce = Seconds{3};
  CHECK(simulate(work).total == Seconds{3 + 2 + 9});
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{5});
  work.micro_batches = 4;  // only the last one's count
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{5});
  // A layer takes 2.5 s beside a reduction of 1 s.
  work.slowdown = uniform_slowdown(0.5);
  first_layer(work).backward.reduce = Seconds{1};
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{0.5 + 0.5 + 1});
  work.data_overlap = false;
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{3});
}

// F runs 0-1, B 1-2, and its weight gradients 2-3, which are then reduced.
TEST_CASE("weight gradients that run apart leave behind their own pass") {
  StepWork work = one_rank(1);
  work.schedule = PipelineSchedule::ZeroBubble;
  first_layer(work).backward.weight_gradients = Seconds{1};
  first_layer(work).backward.reduce = Seconds{0.5};
  for (const StepTimes& times : {simulate(work), closed_form(work)}) {
    CHECK(times.total == Seconds{3.5});
    CHECK(part_of(times, StepPart::Data) == Seconds{0.5});
    CHECK(times.communication == Seconds{0.5});
  }
}

// Two layers: F 0-2, B 2-6 with the first gradients at 4; F 6-8, B 8-12. With 1.5 s each, the first
// two travel 4-5.5 and 6-7.5, beside other passes, and the last one 12-13.5. With 4 s each they
// travel without a pause from 4 on: 4 + 4 x 4.
TEST_CASE("gradients of each micro-batch overlap the next one's passes") {
  StepWork work = one_rank(2);
  work.micro_batches = 2;
  work.reduces_each_micro_batch = true;
  first_layer(work).backward.reduce = Seconds{1.5};
  CHECK(simulate(work).total == Seconds{13.5});
  CHECK(simulate(work).communication == Seconds{6});
  first_layer(work).backward.reduce = Seconds{4};
  CHECK(simulate(work).total == Seconds{20});
  CHECK(closed_form(work).total == Seconds{20});
  CHECK(closed_form(work).communication == Seconds{16});
  work.micro_batches = 20;  // 80 passes of layers, 40 reductions
  CHECK(simulate(work).total == Seconds{4 + 160});
  CHECK(closed_form(work).total == Seconds{4 + 160});
  work.data_overlap = false;
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{160});
}

TEST_CASE("backward takes the layers in reverse") {
  StepWork work = one_rank(1);
  auto& layers = work.stages[0][0].own_layers();
  layers.push_back(layers.front());
  layers.front().backward.reduce = Seconds{5};
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{5});  // it is reduced last
  CHECK(part_of(closed_form(work), StepPart::Data) == Seconds{5});
  std::swap(layers.front(), layers.back());
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{3});
}

TEST_CASE("the next layer's parameters are gathered beside this one") {
  StepWork work = one_rank(4);
  first_layer(work).forward.gather = Seconds{0.5};
  // Only the first gather has no compute beside it.
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{0.5});
  CHECK(simulate(work).communication == Seconds{2});
  first_layer(work).forward.gather = Seconds{1.5};
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{1.5 + 3 * 0.5});
  // The first backward gather overlaps the last layer of the forward pass.
  first_layer(work).backward.gather = Seconds{1};
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{1.5 + 3 * 0.5});
  work.micro_batches = 2;
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{1.5 + 6 * 0.5});
  work.gathers_each_micro_batch = false;
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{1.5 + 3 * 0.5});
  work.data_overlap = false;
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{4 * 1.5});
}

TEST_CASE("layers whose parameters are whole are passed over when the next are gathered") {
  StepWork work = one_rank(1);
  auto& layers = work.stages[0][0].own_layers();
  layers.assign(3, layers.front());
  layers.front().forward.gather = layers.back().forward.gather = Seconds{3};
  // Two seconds of the second gather overlap the two layers before.
  CHECK(part_of(simulate(work), StepPart::Data) == Seconds{3 + 1});
}

// Drawn by hand: F0 0-1, F1 1-2 on the first stage; F0 1.5-2.5, B0 2.5-4.5, F1 4.5-5.5 and B1
// 5.5-7.5 on the second; B0 5-7, B1 8-10 on the first.
TEST_CASE("two stages, two micro-batches and a send of half a second") {
  StepWork work = one_rank(1);
  work.stages.push_back(work.stages.front());
  work.micro_batches = 2;
  work.send.assign(2, Seconds{0.5});
  const Timeline timeline = record_timeline(work);
  const StepTimes& first = timeline.stages[0];
  CHECK(first.total == Seconds{10});
  CHECK(part_of(first, StepPart::Compute) == Seconds{6});
  CHECK(part_of(first, StepPart::Pipeline) == Seconds{1});
  CHECK(part_of(first, StepPart::Bubble) == Seconds{3});
  CHECK(first.communication == Seconds{1});
  CHECK(simulate(work).total == Seconds{10});
  CHECK(closed_form(work).total == Seconds{10});
  CHECK(part_of(closed_form(work), StepPart::Pipeline) == Seconds{1});  // 9 without sends
  CHECK(part_of(closed_form(work), StepPart::Bubble) == Seconds{3});
  std::string path;
  for (const int i : timeline.critical_path)
    path += name_of(timeline.spans[static_cast<std::size_t>(i)]) + "; ";
  CHECK(path ==
        "layer forward 0; send forward 0; layer forward 0; layer backward 0; layer forward 1; "
        "layer backward 1; send backward 1; layer backward 1; ");
}

// GPipe: F0 0-1 and F1 1-2 on the first stage, their sends 1-2.5 and 2.5-4; F0 2.5-3.5, F1 4-5, B0
// 5-7 and B1 7-9 on the second; sends 7-8.5 and 9-10.5; B0 8.5-10.5, B1 10.5-12.5 on the first.
TEST_CASE("sends queue, and only the rest of one that is underway is waited for") {
  StepWork work = one_rank(1);
  work.stages.push_back(work.stages.front());
  work.schedule = PipelineSchedule::GPipe;
  work.micro_batches = 2;
  work.send.assign(2, Seconds{1.5});
  const StepTimes second = record_timeline(work).stages[1];
  CHECK(second.total == Seconds{12.5});
  CHECK(part_of(second, StepPart::Compute) == Seconds{6});
  CHECK(part_of(second, StepPart::Pipeline) == Seconds{1.5 + 0.5});
  CHECK(part_of(second, StepPart::Bubble) == Seconds{1 + 3.5});
}

// F0 0-1, F1 1.5-2.5 on the first stage, a send after each; F0 1.5-2.5, B0 2.5-4.5, its send to 5,
// F1 5-6, B1 6-8 on the second; B0 5-7, B1 8.5-10.5 on the first.
TEST_CASE("sends that compute waits for") {
  StepWork work = one_rank(1);
  work.stages.push_back(work.stages.front());
  work.micro_batches = 2;
  work.send.assign(2, Seconds{0.5});
  work.send_overlap = false;
  const StepTimes first = record_timeline(work).stages[0];
  CHECK(first.total == Seconds{10.5});
  CHECK(part_of(first, StepPart::Compute) == Seconds{6});
  CHECK(part_of(first, StepPart::Pipeline) == Seconds{2});
  CHECK(part_of(first, StepPart::Bubble) == Seconds{2.5});
  CHECK(closed_form(work).total == Seconds{10.5});
}

TEST_CASE("a stage with less to do waits for the slowest one") {
  StepWork work = one_rank(1);
  work.stages.push_back(work.stages.front());
  work.stages[1][0].own_layers()[0].count = 2;
  work.micro_batches = 10;
  const Timeline timeline = record_timeline(work);
  CHECK(part_of(timeline.stages[0], StepPart::Compute) == Seconds{30});
  CHECK(part_of(timeline.stages[0], StepPart::Imbalance) == Seconds{30});
  CHECK(part_of(timeline.stages[1], StepPart::Imbalance) == Seconds{});
  CHECK(part_of(timeline.stages[1], StepPart::Bubble) == Seconds{3});
  CHECK(part_of(simulate(work), StepPart::Compute) == Seconds{60});
  CHECK(simulate(work).total == Seconds{63});
}

// Three stages have passes of one second each way and two micro-batches. Sends take one second from
// the first stage to the second, and two from the second to the third. F0 0-1, F1 1-2 on the first
// stage; F0 2-3, F1 3-4 on the second; F0 5-6, B0 6-7, F1 7-8 (sent 5-7), B1 8-9 on the third; B0
// 9-10, B1 11-12 on the second; B0 11-12, B1 13-14 on the first.
TEST_CASE("each pair of neighbours has a send time of its own") {
  StepWork work = one_rank(1);
  first_layer(work).backward.compute = Seconds{1};
  work.stages.assign(3, work.stages.front());
  work.micro_batches = 2;
  work.send = {Seconds{1}, Seconds{2}, Seconds{50}};  // the last stage sends nothing to the first
  const Timeline timeline = record_timeline(work);
  CHECK(timeline.stages[0].total == Seconds{14});
  CHECK(timeline.stages[0].communication == Seconds{2});
  CHECK(timeline.stages[1].communication == Seconds{2 * (1 + 2)});
  CHECK(timeline.stages[2].communication == Seconds{4});
  CHECK(closed_form(work).total == Seconds{14});
  std::swap(work.send[0], work.send[1]);  // the order of links does not matter
  CHECK(simulate(work).total == Seconds{14});
  // The last stage sends gradients back, and the first one sends activations.
  work.stages[2][0].own_layers()[0].count = 2;
  CHECK(closed_form(work).communication == Seconds{2 * 1});
  CHECK(simulate(work).communication == Seconds{2 * 1});
  work.stages[1][0].own_layers()[0].count = 3;
  CHECK(closed_form(work).communication == Seconds{2 * (2 + 1)});
  work.stages[0][0].own_layers()[0].count = 4;
  CHECK(closed_form(work).communication == Seconds{2 * 2});
}

// Two chunks on two stages, one micro-batch, one second a pass: 0-1 on the first stage, 2-3 on the
// second, 6-7 on the first again, 8-9 on the second; back 9-10, 11-12, 15-16, 17-18.
TEST_CASE("between chunks the last stage sends to the first") {
  StepWork work = one_rank(1);
  first_layer(work).backward.compute = Seconds{1};
  work.stages.assign(2, {2, work.stages[0][0]});
  work.send = {Seconds{1}, Seconds{3}};
  CHECK(simulate(work).total == Seconds{18});
  CHECK(record_timeline(work).stages[0].communication == Seconds{1 + 1 + 3});
}

// Order in a V: 0-1 on the first stage, 2-3 and 3-4 on the second, 5-6 on the first; back 6-7
// there, 8-9 and 9-10 on the second, 11-12 on the first.
TEST_CASE("in the middle of a V nothing is sent") {
  StepWork work = one_rank(1);
  work.schedule = PipelineSchedule::ZeroBubbleV;
  first_layer(work).backward.compute = Seconds{1};
  work.stages.assign(2, {2, work.stages[0][0]});
  work.send = {Seconds{1}, Seconds{50}};
  for (const StepTimes& times : {simulate(work), closed_form(work)}) {
    CHECK(times.total == Seconds{12});
    CHECK(times.communication == Seconds{2});
  }
  for (const StepTimes& stage : record_timeline(work).stages)
    CHECK(stage.communication == Seconds{2});
  // The second stage runs F0 11-12, sends the output of its other chunk 13-23, gets the next
  // micro-batch at 21, and needs no link for it at 22.
  work.micro_batches = 2;
  work.send[0] = Seconds{10};
  const std::vector<Span> spans = record_timeline(work).spans;
  const auto turned = std::find_if(spans.begin(), spans.end(), [](const Span& span) {
    return span.stage == 1 && span.stream == Stream::Compute && span.kind == PassKind::Forward &&
           span.chunk == 1 && span.micro_batch == 1;
  });
  REQUIRE(turned != spans.end());
  CHECK(turned->start == Seconds{22});
}

namespace {

/// Work with F = 1, B = 2, and half a second of experts' exchanges each way.
StepWork with_experts(int micro_batches) {
  StepWork work = one_rank(1);
  work.micro_batches = micro_batches;
  LayerTimes& layer = first_layer(work);
  layer.forward.compute = Seconds{1};
  layer.backward.compute = Seconds{2};
  layer.forward.exposed[2] = layer.backward.exposed[2] = Seconds{0.5};
  return work;
}

}  // namespace

// F1; B1 and F2; B2 and F3; B3: only the first and the last exchange are exposed.
TEST_CASE("pairs of passes hide what experts exchange") {
  StepWork work = with_experts(3);
  CHECK(simulate(work).total == Seconds{3 * 4});
  work.pairs_passes = true;
  for (const StepTimes& times : {simulate(work), closed_form(work)}) {
    CHECK_THAT(times.total.base(), WithinRel(3 * 3 + 2 * 0.5, 1e-12));
    CHECK_THAT(part(times.parts, StepPart::Expert).base(), WithinRel(1.0, 1e-12));
    CHECK_THAT(times.communication.base(), WithinRel(3.0, 1e-12));
  }
  work.micro_batches = 20;
  CHECK_THAT(closed_form(work).total.base(), WithinRel(20 * 3 + 2 * 0.5, 1e-12));
  CHECK_THAT(closed_form(work).communication.base(), WithinRel(20 * 2 * 0.5, 1e-12));
  work.slowdown = uniform_slowdown(0.2);  // slows 19 pairs' exchanges of a second
  CHECK_THAT(simulate(work).total.base(), WithinRel(61 + 19 * 0.2, 1e-12));
  first_layer(work).forward.exposed[2] = Seconds{9.5};  // longer than the compute beside it
  CHECK_THAT(simulate(work).total.base(), WithinRel(10.5 + 19 * 10 + 2.5, 1e-12));
}

TEST_CASE("what computes nothing in either pass hides no exchange of experts") {
  LayerTimes layer;
  layer.forward.exposed[2] = Seconds{0.5};
  CHECK(paired_part_of(layer, PassKind::Forward, false) == layer.forward);
  layer.backward.compute = Seconds{2};  // all of it overlaps the other pass
  CHECK(paired_part_of(layer, PassKind::Forward, false).overlapped[2] == Seconds{});
  CHECK(paired_part_of(layer, PassKind::Backward, false).overlapped[2] == Seconds{0.5});
}

TEST_CASE("a pass lasts as long as the host launches, whatever keeps the device busy meanwhile") {
  StepWork work = one_rank(1);
  LayerPass& backward = first_layer(work).backward;  // 2 s of compute
  backward.overlapped = {Seconds{2.5}, Seconds{}, Seconds{}};
  backward.host = Seconds{2.75};
  for (const StepTimes& times : {simulate(work), closed_form(work)}) {
    CHECK(times.total == Seconds{3.75});
    CHECK(part_of(times, StepPart::Launch) == Seconds{0.25});
  }
  backward.exposed = {Seconds{}, Seconds{}, Seconds{0.5}};  // together they outlast it
  CHECK(simulate(work).total == Seconds{4});
  backward.launch = Seconds{0.125};  // added in any case
  CHECK(simulate(work).total == Seconds{4.125});
}

TEST_CASE("data traffic costs nothing while the host is behind") {
  StepWork work = one_rank(2);
  work.micro_batches = 1;
  work.slowdown = uniform_slowdown(0.5);
  first_layer(work).backward.reduce = Seconds{1};  // half a second overlaps the other layer
  const StepTimes slowed = simulate(work);
  CHECK(part_of(slowed, StepPart::Data) == Seconds{1.5});  // and a second after the last layer
  first_layer(work).backward.host = Seconds{3};
  for (const StepTimes& times : {simulate(work), closed_form(work)}) {
    CHECK(times.total == Seconds{2 * 1 + 2 * 3 + 1});
    CHECK(part_of(times, StepPart::Launch) == Seconds{2});
    CHECK(part_of(times, StepPart::Data) == Seconds{1});
  }
}

TEST_CASE("the host launches weight gradients where they run") {
  StepWork work = one_rank(1);
  LayerTimes layer = first_layer(work);
  layer.backward.weight_gradients = Seconds{0.75};
  layer.backward.host = Seconds{3};
  layer.backward.host_of_weight_gradients = Seconds{1};
  const auto length = [&](PassKind kind, bool split) {
    return layer_length(timeline::part_of(layer, kind, split), {}, {});
  };
  CHECK(length(PassKind::Backward, false) == Seconds{3});
  CHECK(length(PassKind::Backward, true) == Seconds{2});         // 1.25 of compute
  CHECK(length(PassKind::WeightGradients, true) == Seconds{1});  // 0.75 of compute
}

TEST_CASE("where a pair hides its exchanges the host may fall behind") {
  StepWork work = with_experts(2);
  work.pairs_passes = true;
  first_layer(work).forward.host = Seconds{1.25};
  // A pair takes 3, of which F has a third; for that the host needs a quarter of a second more.
  CHECK_THAT(simulate(work).total.base(), WithinRel(1.5 + 3 + 0.25 + 2.5, 1e-12));
}

// Stage 0 runs F0 F1 Fb0 Fb1, the pairs of F2..Fb3 with B, then the rest. Both passes of a pair
// begin and end together.
TEST_CASE("interleaved stages pair a forward pass with the backward pass of another micro-batch") {
  StepWork work = with_experts(8);
  work.stages.assign(2, {2, work.stages[0][0]});
  const StepTimes alone = simulate(work);
  work.pairs_passes = true;
  const StepTimes paired = simulate(work);
  CHECK(paired.total < alone.total);
  // The step is never shorter than its compute, and of 16 passes each way only those of warm-up and
  // its counterpart expose exchanges.
  CHECK(paired.total > Seconds{16 * 3});
  CHECK_THAT(part(paired.parts, StepPart::Expert).base(), WithinRel(2 * 5 * 0.5, 0.25));
}
