#include <algorithm>
#include <array>

#include "sim/answers/job_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/run_options.hpp"
#include "sim/config/library.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/sensitivity_report.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr const char* predict_model_examples =
    "  tofn predict llama3-70b dgx-h100 -N 256 --tokens 2T\n"
    "  tofn predict llama3-405b dgx-h100 -N 16384 --tokens 15.6T --batch-tokens 16M --tp 8 --pp "
    "16\n"
    "  tofn predict mixtral-8x7b dgx-b200 -N 64..1024 --tokens 1T --price 3.5\n"
    "  tofn predict llama3-8b dgx-h100 -N 64 --tokens 200B --plan fsdp --format json\n"
    "  tofn predict bloom-176b-training dgx-a100 -N 384\n\n"
    "What of the plan is not stated is chosen: the shortest step that fits the memory.\n";

enum class Table { Points, Phases };
constexpr std::array<std::pair<std::string_view, Table>, 2> tables{
    {{"points", Table::Points}, {"phases", Table::Phases}}};

CommandLine predict_model_command_line() {
  CommandLine line{.usage = "predict MODEL|RUN CLUSTER -N N --tokens T [OPTIONS]",
                   .examples = predict_model_examples,
                   .description = options::options_description("Options"),
                   .positional = {}};
  const auto text = [] { return options::value<std::string>(); };
  line.description.add_options()  //
      ("model", text(),
       "a name of `tofn list models` or `tofn list runs`, or a file (.yaml, config.json)")        //
      ("cluster", text(), "a name of `tofn list clusters`, or a file (.yaml)")                    //
      ("accelerators,N", text(), "e.g. 256, or 64,512, or 64..1024 (default: one node)")          //
      ("calibration", text(), "measured collectives: a name of configs/calibrations, or a file")  //
      ("sensitivity", options::bool_switch(), sensitivity_help)                                   //
      ("table", text()->default_value("points"), "what csv and json hold: points or phases");
  add_run_options(line.description);
  add_search_options(line.description, "usual");
  add_measured_options(line.description);
  line.positional.add("model", 1).add("cluster", 1);
  return line;
}

std::string needed(const options::variables_map& values, const char* name) {
  if (const auto text = text_option(values, name)) return *text;
  throw InputError({}, name,
                   "is needed, e.g. `tofn predict llama3-70b dgx-h100 -N 256 --tokens 2T`");
}

/// The stack as measured steps leave it, and the plan of the one of `--observed`.
struct MeasuredStack {
  KernelProfile profile;
  std::optional<Plan> observed{};
};

MeasuredStack measured_stack(const options::variables_map& values, const CommonOptions& common,
                             Library& library, const KernelProfile& stack, const RunFile& run,
                             const Cluster& cluster, int accelerators) {
  const RunPhase& phase = run.phases.front();
  MeasuredStack known;
  known.profile = with_measured_steps(
      values, common.configs, library, stack, phase.model, cluster,
      [&](const KernelProfile& by, int size, double batch) {
        RunFile one = run;
        one.phases.resize(1);
        one.phases.front().stretches = {{.batch = batch, .samples = batch}};
        one.has_usual_batch = false;
        const JobPoint point = job_point({.run = one,
                                          .cluster = cluster,
                                          .profile = by,
                                          .sizes = {size},
                                          .space = plan_space_of(values)},
                                         size);
        return *(known.observed = main_phase(point.estimate->job).step.plan);
      },
      run.has_usual_batch ? 0 : phase.last_batch() / accelerators);
  return known;
}

}  // namespace

int run_predict_model(const std::vector<std::string>& words) {
  const auto parsed = parse(predict_model_command_line(), words);
  if (!parsed) return 0;
  const options::variables_map& values = *parsed;
  const CommonOptions common = read_common(values);
  const bool phases = choice_option(values, "table", tables) == Table::Phases;
  const std::string subject = needed(values, "model");
  const KernelProfile stack = stack_of(values, common, subject);
  const RunFile run = run_of(values, common, subject, stack);
  Library library = Library::load(common.configs);
  const auto prices = price_list_of(values, library);
  Cluster cluster = as_asked(values, library.cluster(needed(values, "cluster")), prices);
  if (const auto calibration = text_option(values, "calibration"))
    cluster = measured_cluster(cluster, library, common.configs, *calibration);
  const auto sizes = text_option(values, "accelerators");
  const std::vector<int> counts =
      sizes ? counts_of(*sizes, "-N") : std::vector<int>{cluster.accelerators_per_node.value};
  const MeasuredStack known =
      measured_stack(values, common, library, stack, run, cluster, counts.front());
  const JobRequest asked{.run = run,
                         .cluster = cluster,
                         .profile = known.profile,
                         .sizes = counts,
                         .expenses = listed_expenses(read_expense_options(values), cluster, prices),
                         .grid_intensity = grid_of(values),
                         .space = plan_space_of(values),
                         .overrun = overrun_of(values),
                         .observed_plan = known.observed};
  choose_price(cluster, asked.expenses);  // a term without a price is no matter of one N
  const JobAnswer answer = job_answer(asked);
  if (values["sensitivity"].as<bool>()) {
    const JobEstimate& job = *only_point(answer.points).estimate;
    const Sensitivity sensitivity = job_sensitivity(job, known.profile);
    write_answer(common, job_text(asked, answer) + sensitivity_text(sensitivity),
                 sensitivity_records(sensitivity));
    return answer.points.front().fits ? 0 : 1;
  }
  write_answer(common, job_text(asked, answer),
               phases ? job_phase_records(asked, answer) : job_records(asked, answer));
  const bool all_fit = std::all_of(answer.points.begin(), answer.points.end(),
                                   [](const JobPoint& point) { return point.fits; });
  return all_fit ? 0 : 1;
}

}  // namespace app
}  // namespace tofn
