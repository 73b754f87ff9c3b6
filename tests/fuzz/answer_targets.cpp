// Targets that answer outside input. Each takes longer than a target that only reads.
#include <array>
#include <cmath>
#include <limits>

#include "sim/answers/step_answer.hpp"
#include "sim/answers/watch_answer.hpp"
#include "sim/answers/watch_collectives_answer.hpp"
#include "sim/app/answer_json.hpp"
#include "sim/app/command.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_run.hpp"
#include "sim/core/file.hpp"
#include "sim/glossary/known_terms.hpp"
#include "sim/options/option_values.hpp"
#include "sim/sweep/row_maker.hpp"
#include "tests/fuzz/file_room.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/shipped_configs.hpp"
#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

namespace fs = std::filesystem;

/// Files that name one another, and a few of the shipped ones, so that each load reads few files.
const FileRoom& room_of_files() {
  static const FileRoom room({"cluster.yaml", "model.yaml", "plan.yaml", "stack.yaml", "other.yaml",
                              "run.yaml", "sweep.yaml"});
  static const bool is_furnished = [] {
    for (const char* name :
         {"accelerators/h100-sxm.yaml", "clusters/dgx-h100.yaml", "fabrics/nvlink-4.yaml",
          "fabrics/infiniband.yaml", "models/llama3-8b.yaml", "plans/data-parallel.yaml",
          "plans/fsdp.yaml", "stacks/unknown.yaml", "stacks/megatron-core.yaml"}) {
      fs::create_directories((room.path() / "configs" / name).parent_path());
      fs::create_symlink(default_configs() / name, room.path() / "configs" / name);
    }
    fs::create_directories(room.path() / "configs" / "workloads");
    return true;
  }();
  static_cast<void>(is_furnished);
  return room;
}

Library& library_of_room() {
  static Library library = Library::load(room_of_files().path() / "configs");
  return library;
}

/// Runs a reader on the files of the room. Its refusals need not name a file, because figures and
/// rules have none.
template <class Action>
void in_room(const std::string& input, const Action& action) {
  room_of_files().hold(input);
  only_input_errors([&] { action(room_of_files().path()); }, "");
}

/// Simulates a step of a fuzzed model, plan, cluster and stack.
void step_of_files(const std::string& input) {
  in_room(input, [](const fs::path& room) {
    const Cluster cluster =
        load_cluster(room / "cluster.yaml", shipped_accelerators(), shipped_families());
    const Model model = load_model(room / "model.yaml");
    const StatedPlan plan = load_plan(room / "plan.yaml");
    const KernelProfile stack = load_kernel_profile(room / "stack.yaml");
    constexpr int most = 64;
    const int size = plan.split.model_parallel_size();
    if (size > most || plan.gradient_accumulation.value_or(1) > most) return;
    const double batch = size * plan.gradient_accumulation.value_or(1);
    for (const SimulatedStep& step : step_answer({.model = model,
                                     .cluster = cluster,
                                     .profile = stack,
                                     .plan = plan,
                                     .sizes = {size},
                                     .batch = batch,
                                     .replica_batch = {},
                                     .heterogeneous = {},
                                     .seed = {}}))
      require(std::isfinite(energy_per_sample(step).base()), "a step takes finite energy");
  });
}

/// Reads a run that names a model and plans.
void run_of_files(const std::string& input) {
  in_room(input, [](const fs::path& room) {
    const StatedRun run = load_run(room / "run.yaml", room / "configs");
    require(std::isfinite(run.samples()) && run.samples() > 0, "it trains");
  });
}

/// Computes the first points of a sweep that names a cluster, a model, a plan and a stack.
void sweep_of_files(const std::string& input) {
  in_room(input, [](const fs::path& room) {
    Sweep sweep = load_sweep(room / "sweep.yaml");
    if (sweep.base.workload || sweep.points_of_a_row() > 8) return;
    const auto in_there = [&](std::optional<std::string>& name) {
      if (name && name->ends_with(".yaml")) name = (room / *name).string();
    };
    for (auto* name : {&sweep.base.cluster, &sweep.base.model, &sweep.base.plan, &sweep.base.stack})
      in_there(*name);
    const SweepSources sources(sweep, room / "configs", library_of_room(), nullptr);
    const RowLayout layout = layout_of(sources);
    RowMaker(sources, layout).rows(0, sweep.points_of_a_row());
  });
}

/// True for commands that neither write nor wait, and answer within milliseconds. The readers and
/// options of the others have their own targets.
bool is_quick(std::string_view command) {
  constexpr std::array<std::string_view, 2> quick{"collective", "explain"};
  return std::find(quick.begin(), quick.end(), command) != quick.end();
}

/// Answers the JSON that the page sends.
void question(const std::string& text) {
  for (const Command& command : commands())
    if (!is_quick(command.name) && text.find(command.name) != text.npos) return;
  const std::string answer = answer_json(text);
  require(answer.find(R"("error":"internal error: )") == answer.npos,
          "every refusal is the user's mistake");
  require(is_text(answer), "an answer is UTF-8");
}

std::vector<std::string> words_of_commands() {
  std::vector<std::string> words{"dgx-h100", "llama3-8b", "fsdp", "25MiB", "8,16", "8..64", "on"};
  for (const Command& command : commands()) {
    words.emplace_back(command.name);
    const CommandLine line = command.line({});
    for (const CommandOption& row : line.rows) words.push_back(row.option->flag());
  }
  return words;
}

/// Parses words of a command line, one a line, and runs the command if it is quick.
void command_line(const std::string& input) {
  if (!is_text(input)) return;  // messages repeat the words as typed
  std::vector<std::string> words;
  for (std::size_t start = 0, end = 0; start < input.size(); start = end + 1) {
    end = std::min(input.find('\n', start), input.size());
    words.push_back(input.substr(start, end - start));
  }
  if (words.empty()) return;
  const Notices notices;
  only_input_errors(
      [&] {
        const Command& command = command_named(words.front());
        const auto values = parse_command(command, {words.begin() + 1, words.end()});
        const CommonOptions common = read_common(values);
        if (is_quick(command.name) && common.output.empty() && values.count("help") == 0)
          command.run(values);
      },
      "");
}

void watched(const std::string& text) {
  const std::string& path = path_with(text);
  only_input_errors(
      [&] {
        const WatchAnswer now = watch({.file = path, .hints = {.accelerators = 8}});
        require(std::isfinite(now.recent.base()) && now.recent.base() > 0, "steps take time");
        require(!now.left || std::isfinite(now.left->base()), "what is left is finite");
      },
      path);
  only_input_errors(
      [&] {
        check_text(text, path);
        static_cast<void>(watch_collectives(text, path));
      },
      path);
}

/// Looks up a word for `tofn explain`.
void explained(const std::string& text) {
  static const std::vector<Term> terms = known_terms();
  for (const Term& term : terms_named(terms, text))
    require(!term.name.empty(), "a term has a name");
  static_cast<void>(near_names(terms, text));
}

}  // namespace

TargetTable answer_targets() {
  return {{.name = "step_files",
           .reads = "a cluster, a model, a plan and a stack at once: `step`",
           .run = step_of_files,
           .shape = Shape::Sections,
           .longest = 8192},
          {.name = "run_files",
           .reads = "a run, its model and plan at once",
           .run = run_of_files,
           .shape = Shape::Sections,
           .longest = 8192},
          {.name = "sweep_files",
           .reads = "a sweep, its cluster, model, plan and stack at once",
           .run = sweep_of_files,
           .shape = Shape::Sections,
           .longest = 8192},
          {.name = "question",
           .reads = "questions to `explore`",
           .run = question,
           .millions = 10,
           .words = words_of_commands},
          {.name = "command_line",
           .reads = "command lines",
           .run = command_line,
           .shape = Shape::Words,
           .longest = 512,
           .words = words_of_commands},
          {.name = "watch", .reads = "logs of running jobs", .run = watched, .millions = 10},
          {.name = "explain", .reads = "words to `explain`", .run = explained, .longest = 64}};
}

}  // namespace tofn::fuzz
