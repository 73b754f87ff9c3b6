#include "sim/answers/steps_answer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/answers/step_rows.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/stack_doubt.hpp"
#include "sim/simulation/stack_habits.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// A row that can be predicted.
struct KnownStep {
  StepCaseRow row;
  std::string widths;  ///< of its model's layers: what is left out together
  std::string stack;   ///< a profile's name
  std::string family;
  ObservedStep observed;              ///< as its stack runs it
  std::optional<std::size_t> scored;  ///< place in the answer
};

std::string trust_of(const std::string& source) {
  return source.size() > 2 && source.front() == '[' ? source.substr(1, 1) : std::string{};
}

/// A stack with fewer firm steps ships with the figures of its family.
constexpr std::ptrdiff_t fewest_steps = 10;

/// Rows that state less are as much further off.
double noise_of(const std::string& trust) { return trust == "C" ? 3 : trust == "B" ? 1.2 : 1; }

std::string widths_of(const Model& model) {
  const auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  return fmt::format("{}/{}/{}", layers.hidden, layers.feed_forward, layers.experts);
}

/// Of steps whose plans alone may differ.
std::string job_of(const StepCaseRow& row) {
  const Model& model = row.step.model;
  const auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  return fmt::format("{}|{}|{}|{}x{}|{}|{}|{}|{}|{}|{}", row.stack, row.accelerator,
                     widths_of(model), layers.count, layers.heads, layers.key_value_heads,
                     parameters(model), to_text(model.precision), row.step.plan.accelerators(),
                     row.step.plan.global_batch(), model.sequence_length);
}

/// The same measurement, in whatever file.
std::string identity_of(const StepCaseRow& row) {
  const Plan& plan = row.step.plan;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", row.stack, row.step.model.name, row.accelerator,
                     to_text(row.step.model.precision), plan.accelerators(), plan.global_batch(),
                     plan.micro_batch, row.step.model.sequence_length, row.step.measured->base());
}

/// The stack as rows tell of it that err by so much more.
KernelProfile with_noise(KernelProfile stack, double noise) {
  Discrepancy& own = stack.doubt.discrepancy;
  own = {.run = noise * own.run, .plan = noise * own.plan, .model = noise * own.model};
  return stack;
}

StepCase run_by(const KernelProfile& stack, StepCase step) {
  step.model = as_run_by(stack.habits, std::move(step.model));
  step.plan = as_run_by(stack.habits, step.plan, [](std::string_view) { return false; });
  return step;
}

/// A stack that does not say what its reports call memory is taken to mean what is reserved.
std::optional<ScoredMemory> memory_of(const StepCaseRow& row, const StepCase& step,
                                      const KernelProfile& stack) {
  if (!row.measured_peak) return {};
  const Plan computed = computed_plan(step.plan, step.model, step.cluster.accelerator);
  const MemoryReading reading = stack.habits.reported_memory.value_or(MemoryReading::Reserved);
  const Footprint largest =
      largest_footprint(layer_work(step.model, computed), step.plan,
                        memory_profile(step.model, step.plan, step.cluster, stack), reading);
  return ScoredMemory{
      .measured = *row.measured_peak, .predicted = largest.total(reading), .reading = reading};
}

ScoredStep unscored(const StepCaseRow& row, std::optional<ScoredMemory> memory = {}) {
  return {.stack = row.stack,
          .model = row.step.model.name,
          .accelerator = row.accelerator,
          .precision = std::string(to_text(row.step.model.precision)),
          .source = row.source,
          .trust = trust_of(row.source),
          .job = job_of(row),
          .plan = row.step.plan,
          .accelerators = row.step.plan.accelerators(),
          .measured = row.step.measured ? row.step.measured->base() : 0,
          .memory = memory};
}

class Steps {
 public:
  explicit Steps(const std::filesystem::path& configs)
      : library_(Library::load(configs)), stacks_(load_stacks(configs)) {
    for (const KernelProfile& stack : stacks_) {
      if (stack.name == usual_stack) unknown_ = stack;
      if (!stack.tables.empty()) learning_.push_back(stack);
    }
  }

  /// `scored`: takes what can be predicted of the table, or why a row cannot.
  void read(const std::filesystem::path& table, std::vector<ScoredStep>* scored) {
    StepCaseTable read = read_step_cases(table, library_);
    if (scored != nullptr)
      for (const InputError& refused : read.refused)
        scored->push_back({.skipped_because = refused.what()});
    for (StepCaseRow& row : read.rows) add(std::move(row), scored);
  }

  void score(StepProtocol protocol, std::vector<ScoredStep>& scored) const {
    std::set<std::string> groups;
    for (const KnownStep& step : known_)
      if (step.scored) groups.insert(group_of(step, protocol));
    for (const std::string& group : groups) score_group(group, protocol, scored);
  }

  StackFit fit(const std::function<bool(const KnownStep&)>& is_seen) const {
    std::vector<ObservedStep> seen;
    for (const KnownStep& step : known_)
      if (is_seen(step)) seen.push_back(step.observed);
    return {seen, learning_};
  }

  const std::vector<KernelProfile>& stacks() const { return stacks_; }

  /// Of a fit to all steps, longest first.
  std::vector<FigureMove> moves(const std::vector<double>& moved_by) const {
    std::vector<FigureMove> moves;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const StepCase& step = known_[i].row.step;
      moves.push_back({fmt::format("{} {} {} on {} x {}", known_[i].stack, step.model.name,
                                   to_text(step.model.precision), step.plan.accelerators(),
                                   step.cluster.accelerator.name),
                       moved_by[i]});
    }
    std::stable_sort(moves.begin(), moves.end(), [](const FigureMove& a, const FigureMove& b) {
      return std::abs(a.by) > std::abs(b.by);
    });
    return moves;
  }

  /// Those whose sources state all or all but one dimension.
  std::ptrdiff_t firm_steps(const std::string& stack) const {
    return std::count_if(known_.begin(), known_.end(), [&](const KnownStep& step) {
      return step.stack == stack && trust_of(step.row.source) != "C";
    });
  }

 private:
  static std::string group_of(const KnownStep& step, StepProtocol protocol) {
    return protocol == StepProtocol::UnknownStack ? step.family : step.widths;
  }

  void add(StepCaseRow row, std::vector<ScoredStep>* scored) {
    const auto skip = [&](std::string why) {
      if (scored == nullptr) return;
      scored->push_back(unscored(row));
      scored->back().skipped_because = std::move(why);
    };
    if (!row.step.measured) return skip("no step was measured");
    const KernelProfile* found = stack_of_table(stacks_, row.stack, row.accelerator, row.source);
    const KernelProfile stack = found != nullptr ? *found : undescribed(row.stack);
    const StepCase step = run_by(stack, row.step);
    try {
      closed_step(step, stack);
    } catch (const InputError& mistake) {
      return skip(mistake.what());
    }
    if (scored != nullptr) scored->push_back(unscored(row, memory_of(row, step, stack)));
    const std::string identity = identity_of(row);
    const auto before = known_at_.find(identity);
    if (before != known_at_.end()) {
      if (scored != nullptr) known_[before->second].scored = scored->size() - 1;
      return;
    }
    known_at_[identity] = known_.size();
    const std::string widths = widths_of(row.step.model);
    known_.push_back(
        {.row = row,
         .widths = widths,
         .stack = stack.name,
         .family = stack.family.empty() ? stack.name : stack.family,
         .observed = {.step = step,
                      .stack = stack.name,
                      .model = fmt::format("{}|{}", widths, to_text(row.step.model.precision)),
                      .noise = noise_of(trust_of(row.source))},
         .scored = scored == nullptr ? std::nullopt : std::optional(scored->size() - 1)});
  }

  void score_group(const std::string& group, StepProtocol protocol,
                   std::vector<ScoredStep>& scored) const {
    const StackFit others =
        fit([&](const KnownStep& step) { return group_of(step, protocol) != group; });
    std::vector<const KnownStep*> members;
    for (const KnownStep& step : known_)
      if (step.scored && group_of(step, protocol) == group) members.push_back(&step);
    if (protocol == StepProtocol::OneMeasured) return score_larger(members, others, scored);
    for (const KnownStep* step : members)
      set(scored, *step,
          with_noise(
              others.learnt(protocol == StepProtocol::UnknownStack ? unknown_ : profile_of(*step)),
              step->observed.noise),
          protocol == StepProtocol::UnknownStack);
  }

  /// What no file describes is a stack of its own.
  const KernelProfile& undescribed(const std::string& name) {
    for (const KernelProfile& each : learning_)
      if (each.name == name) return each;
    learning_.push_back(unknown_);
    learning_.back().name = name;
    return learning_.back();
  }

  const KernelProfile& profile_of(const KnownStep& step) const {
    return *std::find_if(learning_.begin(), learning_.end(),
                         [&](const KernelProfile& each) { return each.name == step.stack; });
  }

  /// The first of each stack, model, accelerator and precision sharpens the others.
  void score_larger(const std::vector<const KnownStep*>& members, const StackFit& others,
                    std::vector<ScoredStep>& scored) const {
    std::map<std::string, std::vector<const KnownStep*>> alike;
    for (const KnownStep* step : members)
      alike[fmt::format("{}|{}|{}|{}", step->row.stack, step->row.step.model.name,
                        step->row.accelerator, to_text(step->row.step.model.precision))]
          .push_back(step);
    for (const auto& [name, steps] : alike) {
      const auto size = [](const KnownStep* step) {
        const Plan& plan = step->row.step.plan;
        return std::tuple(plan.accelerators(),
                          plan.global_batch() * step->row.step.model.sequence_length);
      };
      const KnownStep* first =
          *std::min_element(steps.begin(), steps.end(),
                            [&](const auto* a, const auto* b) { return size(a) < size(b); });
      const KernelProfile stack =
          with_noise(others.learnt(profile_of(*first)), first->observed.noise);
      const std::string plan = plan_key(first->observed.step);
      for (const KnownStep* step : steps) {
        const bool is_alike = plan_key(step->observed.step) == plan;
        if (step->row.step.plan.accelerators() > first->row.step.plan.accelerators())
          set(scored, *step,
              sharpened(stack, first->observed.step,
                        is_alike ? Shared::ModelAndPlan : Shared::Model),
              false);
        else
          scored[*step->scored].skipped_because =
              step == first ? "it is the one that was measured" : "no more accelerators than that";
      }
    }
  }

  static void set(std::vector<ScoredStep>& scored, const KnownStep& step,
                  const KernelProfile& stack, bool is_unknown) {
    const StepCase as_run = is_unknown ? run_by(stack, step.row.step) : step.observed.step;
    const auto seconds = [&](const KernelProfile& by) { return closed_step(as_run, by).base(); };
    ScoredStep& result = scored[*step.scored];
    result.predicted = seconds(stack);
    const Architecture architecture = as_run.cluster.accelerator.architecture;
    result.deviation = stack_deviation(stack_response(stack, seconds, architecture), stack.doubt);
  }

  Library library_;
  std::vector<KernelProfile> stacks_;
  std::vector<KernelProfile> learning_;
  KernelProfile unknown_;
  std::vector<KnownStep> known_;
  std::map<std::string, std::size_t> known_at_;
};

}  // namespace

double ScoredStep::end(double deviations) const {
  return predicted * std::exp(deviations * deviation);
}

std::vector<std::filesystem::path> tables_of_steps(const std::filesystem::path& configs) {
  std::vector<std::filesystem::path> tables;
  for (const auto& entry : std::filesystem::directory_iterator(configs / "measured"))
    if (entry.path().filename().string().starts_with("steps")) tables.push_back(entry.path());
  std::sort(tables.begin(), tables.end());
  return tables;
}

std::vector<ScoredStep> steps_answer(const std::filesystem::path& configs,
                                     const std::vector<std::filesystem::path>& tables,
                                     StepProtocol protocol) {
  Steps steps(configs);
  for (const auto& table : tables_of_steps(configs)) steps.read(table, nullptr);
  std::vector<ScoredStep> scored;
  for (const auto& table : tables) steps.read(table, &scored);
  steps.score(protocol, scored);
  return scored;
}

std::vector<ScoredStep> peak_memory_answer(const std::filesystem::path& configs,
                                           const std::vector<std::filesystem::path>& tables) {
  Steps steps(configs);
  std::vector<ScoredStep> rows;
  for (const auto& table : tables) steps.read(table, &rows);
  std::erase_if(rows, [](const ScoredStep& row) { return !row.memory; });
  return rows;
}

std::vector<KernelProfile> relearnt_stacks(const std::filesystem::path& configs) {
  std::vector<KernelProfile> learnt;
  for (ExplainedStack& stack : explained_stacks(configs)) learnt.push_back(std::move(stack.learnt));
  return learnt;
}

std::vector<ExplainedStack> explained_stacks(const std::filesystem::path& configs) {
  Steps steps(configs);
  for (const auto& table : tables_of_steps(configs)) steps.read(table, nullptr);
  const StackFit fit = steps.fit([](const auto&) { return true; });
  std::vector<ExplainedStack> explained;
  for (const KernelProfile& stack : steps.stacks()) {
    if (stack.name != usual_stack && stack.tables.empty()) continue;
    const bool is_taught = steps.firm_steps(stack.name) >= fewest_steps;
    const Kinship kinship = is_taught ? Kinship::Own : Kinship::Family;
    explained.push_back({.learnt = fit.learnt(stack, kinship), .moves = {}});
    for (std::size_t i = 0; i < stack_figures.size(); ++i)
      explained.back().moves[i] = steps.moves(fit.moved_by(stack, i, kinship));
  }
  return explained;
}

}  // namespace answers
}  // namespace tofn
