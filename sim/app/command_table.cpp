#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/app/command.hpp"
#include "sim/app/predict_options.hpp"
#include "sim/app/scale_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/row_named.hpp"

namespace tofn {
inline namespace app {
namespace {

template <CommandLine (*line)()>
CommandLine line_of(const std::vector<std::string>&) {
  return line();
}

}  // namespace

std::span<const Command> commands() {
  static constexpr std::array table{
      Command{"compare", "predict every published run and show how far off each prediction is",
              line_of<compare_command_line>, run_compare},
      Command{"study", "repeat a published study of scaling on a table of published runs",
              line_of<study_command_line>, run_study},
      Command{"predict",
              "predict step, run, energy and cost of a workload or a model on N accelerators",
              line_of<predict_command_line>, run_predict},
      Command{
          "plan",
          "choose machines, their number and the plan of a run: by deadline, budget, confidence",
          line_of<plan_command_line>, run_plan},
      Command{"scale",
              "scaling of a job or of given times: strong, weak, laws, knees and what to do",
              line_of<scale_command_line>, run_scale},
      Command{
          "step",
          "simulate a training step from dimensions, plan and cluster: time, bottleneck, memory",
          step_command_line, run_step, step_of_workload_command_line},
      Command{"sweep", "predict or simulate every point of a grid, and show the best",
              line_of<sweep_command_line>, run_sweep},
      Command{"collective",
              "time of one collective by each algorithm and protocol, and which is chosen",
              line_of<collective_command_line>, run_collective},
      Command{"report", "draw what the other commands wrote as one page of HTML",
              line_of<report_command_line>, run_report},
      Command{"explore", "open a page of sliders: days, money and the step while they move",
              line_of<explore_command_line>, run_explore},
      Command{"list", "show the known accelerators, clusters, workloads or calibrations",
              line_of<list_command_line>, run_list},
      Command{"explain", "say what a term, a figure, a column, a key or an option means",
              line_of<explain_command_line>, run_explain},
      Command{"init", "write a file to begin with: a cluster, a model, a run or a sweep",
              line_of<init_command_line>, run_init},
      Command{"check", "validate files: YAML of any kind, published tables, logs",
              line_of<check_command_line>, run_check},
      Command{"calibrate",
              "turn logs of collectives into curves, logs of training into a step profile",
              line_of<calibrate_command_line>, run_calibrate},
      Command{"validate", "hold measurements back and show how far off predictions of them are",
              line_of<validate_command_line>, run_validate},
      Command{"import", "turn a checkout of MLPerf Training's results into a table of runs",
              line_of<import_command_line>, run_import},
      Command{"watch", "follow the log of a running job: progress, end, drift and its likely cause",
              line_of<watch_command_line>, run_watch},
      Command{"repeat", "give an answer again that was written as JSON, and say what changed",
              line_of<repeat_command_line>, run_repeat},
      Command{"manual", "write man pages and completions of bash, zsh and fish to a folder",
              line_of<manual_command_line>, run_manual},
  };
  return table;
}

const Command* find_command(std::string_view name) {
  const auto known = commands();
  const auto found = std::ranges::find(known, name, &Command::name);
  return found == known.end() ? nullptr : &*found;
}

const Command& command_named(const std::string& name) {
  return row_named(commands(), "command", name);
}

}  // namespace app
}  // namespace tofn
