#include "sim/config/read_run_phases.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/config/load_model.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/core/names.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

constexpr double rounding = 1e-9;

/// Growth of a batch: from a first size to a last one, in equal increments, over part of the
/// training.
struct Ramp {
  double from = 0, by = 0, to = 0;  ///< samples
  double over = 0;                  ///< samples trained during the growth
};

/// A phase as its map states it.
struct StatedPhase {
  YamlNode node;
  RunPhase phase;
  std::optional<Amount> trains;
  Ramp ramp;  ///< only `to` if the batch does not grow

  double sequence_length() const { return phase.model.sequence_length; }
};

double read_batch(const YamlNode& node, double sequence_length) {
  const Amount amount = read_batch_amount(node, "4M tokens");
  if (amount.of == Counted::Tokens) {
    if (sequence_length <= 0) node.fail("samples of this model are no texts");
    return batch_samples(amount.value, sequence_length);
  }
  if (amount.value != std::floor(amount.value)) node.fail("must be whole samples");
  return amount.value;
}

std::vector<BatchStretch> stretches_of(const StatedPhase& stated, double samples) {
  const Ramp& ramp = stated.ramp;
  std::vector<BatchStretch> stretches;
  if (ramp.by > 0) {
    if (ramp.over > samples) stated.node.fail("its batch grows over more than it trains");
    const double increments = (ramp.to - ramp.from) / ramp.by;
    for (double batch = ramp.from; batch < ramp.to; batch += ramp.by)
      stretches.push_back({batch, ramp.over / increments});
    samples -= ramp.over;
  }
  if (samples > 0) stretches.push_back({ramp.to, samples});
  return stretches;
}

class PhaseReader {
 public:
  explicit PhaseReader(const RunFrame& frame) : frame_(frame) {
    if (frame.trains) amount_ = read_amount(*frame.trains, "2T tokens");
  }

  StatedPhase read(const YamlNode&, double batch_before) const;
  void list(FieldLister&) const;
  /// Sets how much each phase trains.
  void share_out(std::vector<StatedPhase>&) const;

 private:
  Model model_of_length(const YamlNode&) const;
  template <class Walk>
  void rows(Walk&, StatedPhase&, double batch_before) const;
  template <class Walk>
  void ramp_rows(Walk&, Ramp&, double sequence_length) const;
  double grown_over(const YamlNode&, double sequence_length) const;
  Ramp read_ramp(const YamlNode&, double sequence_length) const;
  double samples_in(const YamlNode&, const Amount&, const StatedPhase&) const;
  double rest_of(const std::vector<StatedPhase>&, const StatedPhase& open) const;

  const RunFrame& frame_;
  std::optional<Amount> amount_;  ///< of all phases
};

template <class Walk>
void PhaseReader::ramp_rows(Walk& walk, Ramp& ramp, double sequence_length) const {
  const auto batch = [&](const FileField& field, double& out) {
    walk.with(field, "such as 4M tokens",
              [&](const YamlNode& node) { out = read_batch(node, sequence_length); });
  };
  batch({"from", "first batch", true}, ramp.from);
  batch({"by", "increment of the batch", true}, ramp.by);
  batch({"to", "last batch", true}, ramp.to);
  walk.with({"over", "training over which the batch grows", true}, "such as 12B tokens",
            [&](const YamlNode& node) { ramp.over = grown_over(node, sequence_length); });
}

double PhaseReader::grown_over(const YamlNode& node, double sequence_length) const {
  const Amount amount = read_amount(node, "12B tokens");
  if (amount.of == Counted::Steps) node.fail("a batch grows over samples or tokens");
  return at_node(node, [&] {
    return samples_of(amount, {.sequence_length = sequence_length, .epoch = frame_.epoch});
  });
}

Ramp PhaseReader::read_ramp(const YamlNode& node, double sequence_length) const {
  if (!node.is_map()) return {.to = read_batch(node, sequence_length)};
  constexpr int most_increments = 1000;
  Ramp ramp;
  FieldReader::read_map(node, [&](auto& walk) { this->ramp_rows(walk, ramp, sequence_length); });
  const double increments = (ramp.to - ramp.from) / ramp.by;
  if (!(increments >= 1 && increments <= most_increments) || increments != std::floor(increments))
    node.fail(fmt::format("{:g} samples do not grow to {:g} by whole steps of {:g}", ramp.from,
                          ramp.to, ramp.by));
  return ramp;
}

Model PhaseReader::model_of_length(const YamlNode& length) const {
  int tokens = 0;
  read_dimension(length, tokens);
  return at_node(length, [&] { return find_model(frame_.configs, frame_.model, tokens); });
}

/// Rows of a phase.
template <class Walk>
void PhaseReader::rows(Walk& walk, StatedPhase& stated, double batch_before) const {
  RunPhase& phase = stated.phase;
  walk.with({"sequence_length", "tokens of a sample (default: the model's)"}, "whole number",
            [&](const YamlNode& node) { phase.model = model_of_length(node); });
  walk({"name", "name of the phase"}, phase.name);
  walk.with({"trains", "amount that it trains; one phase may take the rest"}, "such as 800B tokens",
            [&](const YamlNode& node) { stated.trains = read_amount(node, "800B tokens"); });
  const bool has_batch = walk.with(
      {"batch", "batch of a step, or how it grows (default: that of the phase before)"},
      "such as 4M tokens, or a map",
      [&](const YamlNode& node) { stated.ramp = read_ramp(node, stated.sequence_length()); });
  walk.with({"rl", "RL post-training: its responses are what the phase trains"}, "map",
            [&](const YamlNode& node) { phase.rl = read_rl_job(node); });
  if (!has_batch && batch_before == 0 && !phase.rl)
    stated.node.fail("missing key 'batch': no phase before it states one");
  walk({"most_accelerators", "most accelerators that take part (default: all)", false,
        range::at_least_one},
       phase.most_accelerators);
  walk.with({"plan", "plan of the phase, on top of the run's"},
            "a name of plans/, or a map of rows", [&](const YamlNode& node) {
              phase.plan = read_plan_choice(node, frame_.configs, frame_.plan);
            });
}

StatedPhase PhaseReader::read(const YamlNode& node, double batch_before) const {
  StatedPhase stated{.node = node,
                     .phase = {.model = {}, .plan = frame_.plan},
                     .trains = {},
                     .ramp = {.to = batch_before}};
  Fields fields = node.fields();
  if (!fields.has("sequence_length")) stated.phase.model = find_model(frame_.configs, frame_.model);
  FieldReader reader(fields);
  rows(reader, stated, batch_before);
  fields.done();
  if (!stated.phase.rl) return stated;
  for (const char* key : {"trains", "batch", "sequence_length", "most_accelerators"})
    if (fields.has(key))
      fields.child(key).fail("does nothing beside 'rl', which says what is trained");
  const RlJob& rl = *stated.phase.rl;
  if (rl.engine_ranks || rl.engine_attention) {
    const Decoder decoder = decoder_of(stated.phase.model);
    for (const auto& [key, value] : fields.child("rl").entries()) {
      if (key == "engine_attention")
        at_node(value, [&] { require_engine_attention(decoder, *rl.engine_attention); });
      if (key == "engine_tp")
        at_node(value,
                [&] { require_engine_size(decoder, *rl.engine_ranks, rl.engine_attention); });
    }
  }
  stated.phase.model.sequence_length = rl.sample_tokens();
  stated.ramp = {.to = rl.responses_of_update()};
  stated.trains = Amount{*rl.steps * rl.responses(), Counted::Samples};
  return stated;
}

void PhaseReader::list(FieldLister& lister) const {
  StatedPhase stated{.node = YamlNode::parse("{}", ""), .phase = {}, .trains = {}, .ramp = {}};
  rows(lister, stated, 0);
  lister.inside("batch.",
                [&](auto& walk) { ramp_rows(walk, stated.ramp, stated.sequence_length()); });
  lister.inside("rl.", [&](FieldLister& walk) { list_rl_keys(walk); });
}

double PhaseReader::samples_in(const YamlNode& node, const Amount& amount,
                               const StatedPhase& stated) const {
  if (amount.of == Counted::Steps && stated.ramp.by > 0)
    node.fail("is counted in samples or tokens where the batch grows");
  return at_node(node, [&] {
    return samples_of(amount, {.batch = stated.ramp.to,
                               .sequence_length = stated.sequence_length(),
                               .epoch = frame_.epoch});
  });
}

/// Samples left for the phase that does not state its own.
double PhaseReader::rest_of(const std::vector<StatedPhase>& all, const StatedPhase& open) const {
  if (frame_.target) return samples_to_target(frame_.target->points, open.ramp.to).expected;
  if (!amount_) open.node.fail("missing key 'trains': the run does not say it either");
  const bool counts_tokens = amount_->of == Counted::Tokens;
  const auto measure = [&](const StatedPhase& each) {
    return counts_tokens ? each.sequence_length() : 1.0;
  };
  double left = samples_in(*frame_.trains, *amount_, open) * measure(open);
  const double whole = left;
  for (const StatedPhase& each : all)
    if (each.trains) left -= samples_in(each.node, *each.trains, each) * measure(each);
  if (left <= rounding * whole)
    frame_.trains->fail(
        "is no more than what the phases that state it train: none is left for another");
  return left / measure(open);
}

void PhaseReader::share_out(std::vector<StatedPhase>& all) const {
  const auto is_open = [](const StatedPhase& each) { return !each.trains; };
  const auto open = std::ranges::find_if(all, is_open);
  if (std::ranges::count_if(all, is_open) > 1)
    std::find_if(open + 1, all.end(), is_open)
        ->node.fail("missing key 'trains': only one phase can take what the others leave");
  if (frame_.target && all.size() > 1)
    frame_.target->node.fail(
        "is known at one batch: a run of several phases states what it trains");
  if (amount_ && amount_->of == Counted::Steps && all.size() > 1)
    frame_.trains->fail("is counted in samples, tokens or epochs where there are several phases");
  if (open == all.end() && (amount_ || frame_.target))
    (frame_.trains ? *frame_.trains : frame_.target->node)
        .fail("is what the phases say: leave it out of one of them");
  for (StatedPhase& each : all) {
    const double samples =
        each.trains ? samples_in(each.node, *each.trains, each) : rest_of(all, each);
    each.phase.stretches = stretches_of(each, samples);
  }
}

}  // namespace

Amount read_amount(const YamlNode& node, std::string_view example) {
  std::string text;
  node.read(text);
  const auto amount = parse_amount(text);
  if (!amount)
    node.fail(fmt::format(
        "expected an amount above 0 of samples, tokens, steps or epochs such as '{}', got '{}'",
        example, shortened(text)));
  return *amount;
}

Amount read_batch_amount(const YamlNode& node, std::string_view example) {
  const Amount amount = read_amount(node, example);
  if (amount.of != Counted::Samples && amount.of != Counted::Tokens)
    node.fail("a batch is of samples or tokens");
  return amount;
}

void list_phase_keys(FieldLister& lister) {
  const std::filesystem::path nowhere;
  const RunFrame frame{.configs = nowhere};
  lister.with({"phases", "parts of the run, each with one plan", true}, "list of maps",
              [](const YamlNode&) {});
  lister.inside("phases[].", [&](FieldLister& phase) { PhaseReader(frame).list(phase); });
}

std::vector<RunPhase> read_run_phases(const YamlNode& list, const RunFrame& frame) {
  const PhaseReader reader(frame);
  std::vector<StatedPhase> all;
  for (const YamlNode& item : list.items())
    all.push_back(reader.read(item, all.empty() ? 0 : all.back().ramp.to));
  if (all.empty()) list.fail("needs at least one");
  for (const StatedPhase& each : all)
    if (each.phase.rl && all.size() > 1)
      each.node.fail("RL post-training is a run of its own: leave the other phases out");
  reader.share_out(all);
  std::vector<RunPhase> phases;
  for (StatedPhase& each : all) phases.push_back(std::move(each.phase));
  return phases;
}

}  // namespace config
}  // namespace tofn
