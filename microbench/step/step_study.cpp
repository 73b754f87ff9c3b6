#include "microbench/step/step_study.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "microbench/harness/rounds.hpp"
#include "microbench/harness/row_text.hpp"
#include "microbench/step/synthetic_step.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"

namespace tofn::bench {
namespace {

/// A step in one mode, repeated.
class RepeatedStep : public Timed {
 public:
  RepeatedStep(Processor& processor, Step& step, StepMode mode)
      : processor_(processor), step_(step), mode_(mode) {}
  Elapsed run(int calls) override {
    return processor_.timed(
        [&] {
          for (int i = 0; i < calls; ++i) step_.enqueue(mode_);
        },
        [&] { step_.poll(); });
  }

 private:
  Processor& processor_;
  Step& step_;
  StepMode mode_;
};

/// The step on the first `ranks` ranks; other ranks have none.
struct Scale {
  int ranks = 1;
  std::unique_ptr<GradientReducer> reducer;
  std::unique_ptr<Step> step;
  std::vector<std::unique_ptr<RepeatedStep>> modes;
};

RecordPoint identity(const Lab& lab, const Processor& processor, const Backend* backend,
                     const StepProblem& problem, int ranks, std::string_view mode) {
  std::set<int> nodes;
  for (int rank = 0; rank < ranks; ++rank)
    nodes.insert(lab.placement.node[static_cast<std::size_t>(rank)]);
  RecordPoint point;
  point.kind = "step";
  point.parameters = {
      {"workload", problem.workload},
      {"plan", problem.plan},
      {"backend", backend == nullptr ? "none" : backend->name()},
      {"library", backend == nullptr ? "none" : backend->library()},
      {"device", processor.device()},
      {"model", processor.model()},
      {"type", problem.type},
      {"ranks", static_cast<long long>(ranks)},
      {"nodes", static_cast<long long>(nodes.size())},
      {"samples_per_rank", static_cast<long long>(problem.samples)},
      {"passes", static_cast<long long>(problem.passes)},
      {"scale", static_cast<long long>(problem.scale)},
      {"bucket_bytes", static_cast<long long>(problem.bucket_bytes)},
      {"gradient_bytes", static_cast<long long>(problem.gradients() * sizeof(float))},
      {"overlap", std::string(mode)}};
  return point;
}

/// Sets every gradient to a number of this rank, and checks their sums after a reduction.
void check_reduction(Lab& lab, Processor& processor, const Scale& scale) {
  if (!scale.reducer) return;
  const int rank = lab.team.rank();
  scale.step->fill_gradients(static_cast<float>(rank + 1));
  processor.timed([&] { scale.step->enqueue(StepMode::Communicate); }, [&] { scale.step->poll(); });
  const auto expected = static_cast<float>(scale.ranks) * static_cast<float>(scale.ranks + 1) / 2;
  const auto gradients = scale.step->gradients();
  const auto wrong = std::find_if(gradients.begin(), gradients.end(),
                                  [&](float each) { return each != expected; });
  scale.step->fill_gradients(0);
  if (wrong != gradients.end())
    throw std::runtime_error(fmt::format("wrong result: gradient {} is {}, not {}",
                                         wrong - gradients.begin(), *wrong, expected));
}

Scale prepared(Lab& lab, Processor& processor, Backend* backend, const StepProblem& problem,
               int ranks) {
  Scale scale{.ranks = ranks, .reducer = {}, .step = {}, .modes = {}};
  const bool takes_part = lab.team.rank() < ranks;
  const std::string title = fmt::format("step of {} on {} ranks", problem.workload, ranks);
  lab.watchdog.start("joining the ranks of the " + title);
  if (ranks > 1) scale.reducer = backend->gradient_reducer(lab.team, takes_part);
  lab.on_each_rank(title, [&] {
    if (!takes_part) return;
    scale.step = std::make_unique<Step>(processor, scale.reducer.get(), problem);
  });
  lab.watchdog.start("checking the gradients of the " + title);
  if (takes_part) check_reduction(lab, processor, scale);
  return scale;
}

/// True if the mode is meaningful on `ranks` ranks.
bool has_mode(int ranks, StepMode mode) { return ranks > 1 || mode == StepMode::Compute; }

std::vector<RecordPoint> measured(Lab& lab, Processor& processor, Backend* backend,
                                  const StepProblem& problem, Scale& scale) {
  std::vector<Case> cases;
  for (const auto& [name, mode] : step_modes) {
    if (!has_mode(scale.ranks, mode)) continue;
    RepeatedStep* timed = nullptr;
    if (scale.step)
      timed = scale.modes.emplace_back(std::make_unique<RepeatedStep>(processor, *scale.step, mode))
                  .get();
    const double work = mode == StepMode::Communicate ? 0 : problem.flops();
    const double samples = static_cast<double>(problem.samples) * problem.passes * scale.ranks;
    cases.push_back({.point = identity(lab, processor, backend, problem, scale.ranks, name),
                     .title = fmt::format("step of {} on {}, overlap {}", problem.workload,
                                          counted(scale.ranks, "rank"), name),
                     .timed = timed,
                     .prepare = {},
                     .check = {},
                     .figures = [work, samples](double seconds) {
                       RecordFigures figures;
                       if (work > 0)
                         figures = {{"samples_per_second", samples / seconds},
                                    {"tflop_s", work / seconds / 1e12}};
                       return figures;
                     }});
  }
  return measure_in_rounds(lab, cases);
}

double median_of(const std::vector<RecordPoint>& points, std::string_view mode) {
  for (const RecordPoint& point : points)
    if (std::get<std::string>(*parameter(point, "overlap")) == mode) return point.summary.median;
  return 0;
}

/// Summary such as `T(2) = 512 ms, weak-scaling efficiency 97.1 % of T(1); compute alone 501.6 ms,
/// communication alone 61 ms, of which 83 % hidden`.
std::string conclusion(int ranks, const std::vector<RecordPoint>& points, double one_rank) {
  if (ranks == 1)
    return fmt::format("T(1) = {}\n\n", to_text(Seconds(median_of(points, "compute")), 4));
  const double step = median_of(points, "backward");
  const double compute = median_of(points, "compute");
  const double communicate = median_of(points, "communicate");
  if (step == 0 || compute == 0 || communicate == 0) return "\n";  // the deadline came before
  std::string text = fmt::format("T({}) = {}", ranks, to_text(Seconds(step), 4));
  if (one_rank > 0)
    text += fmt::format(", weak-scaling efficiency {:.1f} % of T(1)", 100 * one_rank / step);
  const double hidden = 1 - (step - compute) / communicate;
  return text +
         fmt::format("; compute alone {}, communication alone {}, of which {:.0f} % hidden\n\n",
                     to_text(Seconds(compute), 4), to_text(Seconds(communicate), 4),
                     100 * std::clamp(hidden, 0.0, 1.0));
}

std::string table(const StepProblem& problem, int ranks, const std::vector<RecordPoint>& points) {
  std::string text =
      fmt::format("# step of {} ({}), {} a rank in {}, {} of gradients in buckets of {}; {}\n",
                  problem.workload, problem.type, counted(problem.samples, "sample"),
                  counted(problem.passes, "pass", "es"),
                  to_text(Bytes(static_cast<double>(problem.gradients() * sizeof(float))), 4),
                  to_text(Bytes(problem.bucket_bytes), 4), counted(ranks, "rank"));
  if (problem.share_of_flops < 1)
    text += fmt::format("# it runs products with {:.0f} % of the FLOPs of these layers\n",
                        100 * problem.share_of_flops);
  text += fmt::format("# {:>12} {} {:>9} {:>9}  {}\n", "overlap", time_headings(), "samples/s",
                      "TFLOP/s", "notes");
  text += fmt::format("# {:>12} {} {:>9} {:>9}\n", "", time_units(), "", "(a rank)");
  for (const RecordPoint& point : points)
    text +=
        fmt::format("{:>14} {} {:>9} {:>9}  {}\n",
                    std::get<std::string>(*parameter(point, "overlap")), time_columns(point),
                    figure(point, "samples_per_second"), figure(point, "tflop_s"), notes(point));
  return text;
}

}  // namespace

void run_step_study(Lab& lab, Processor& processor, Backend* backend, const StepProblem& problem,
                    const std::vector<int>& ranks) {
  double one_rank = 0;
  for (const int each : ranks) {
    Scale scale = prepared(lab, processor, backend, problem, each);
    const auto points = measured(lab, processor, backend, problem, scale);
    if (each == 1) one_rank = median_of(points, "compute");
    lab.progress.print(table(problem, each, points) + conclusion(each, points, one_rank));
  }
}

}  // namespace tofn::bench
