#include "sim/answers/check_answer.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "sim/answers/check_log.hpp"
#include "sim/answers/file_kinds.hpp"
#include "sim/answers/goodput_answer.hpp"
#include "sim/answers/machine_notes.hpp"
#include "sim/answers/model_steps_answer.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/answers/step_cases_answer.hpp"
#include "sim/answers/sweep_job.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_calibration.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_link_family.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/load_price_list.hpp"
#include "sim/config/load_quote.hpp"
#include "sim/config/load_run.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/config/resolve.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/core/words.hpp"
#include "sim/diagnosis/machine_lint.hpp"
#include "sim/evidence/own_observations.hpp"
#include "sim/evidence/rl_rows.hpp"
#include "sim/formats/launchers/load_launcher.hpp"
#include "sim/published/metered_runs.hpp"
#include "sim/validation/link_lint.hpp"
#include "sim/validation/sensitivity.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Returns `file:line:column: key: problem` of each unlikely figure; InputError at an impossible
/// one.
std::vector<std::string> notes_of(const YamlNode& root, const std::vector<MachineFault>& faults) {
  std::vector<std::string> notes;
  for (const MachineFault& fault : faults) {
    const InputError error = error_of(root, fault);
    if (fault.is_impossible) throw error;
    notes.emplace_back(error.what());
  }
  return notes;
}

/// Returns the notes on a cluster's figures, and on its keys that change no prediction.
std::vector<std::string> check_machine(const YamlNode& root, const Cluster& cluster) {
  auto notes = notes_of(root, faults_of(cluster));
  for (const IdleFigure& idle : idle_figures(cluster))
    if (idle.excuse.empty())
      notes.emplace_back(
          InputError(location_of(root, idle.key), idle.key, "changes no predicted collective")
              .what());
  return notes;
}

/// Summary such as `, 46702792704 parameters (12879925248 active), 3.11 PFLOP a sample`.
FileContent check_model(const std::filesystem::path& file) {
  const Model model = load_model(file);
  const double all = parameters(model);
  const double active = active_parameters(model);
  return {.kind = "model",
          .summary = fmt::format(", {:.0f} parameters{}, {} a sample", all,
                                 active == all ? "" : fmt::format(" ({:.0f} active)", active),
                                 to_text(model_flops(model))),
          .notes = model.substitutions};
}

/// Summary such as `, of 2 clusters and 1 accelerator`.
std::string price_list_summary(const PriceList& list) {
  return fmt::format(", of {} and {}", counted(list.clusters.size(), "cluster"),
                     counted(list.accelerators.size(), "accelerator"));
}

/// Summary such as `, 97 keys`.
std::string launcher_summary(const Launcher& launcher) {
  return launcher.is_read ? ", " + counted(launcher.keys.size(), "key") : ", not read";
}

/// Summary such as `, 15.6T tokens in 4 phases`.
std::string run_summary(const StatedRun& run) {
  const double tokens = run.tokens();
  return fmt::format(
      ", {} in {}",
      tokens > 0 ? count_text(tokens, 6) + " tokens" : count_text(run.samples(), 6) + " samples",
      counted(run.phases.size(), "phase"));
}

}  // namespace

const std::vector<Accelerator>& FileChecker::accelerators() {
  if (accelerators_) return *accelerators_;
  std::error_code error;
  const auto folder = configs_ / "accelerators";
  std::vector<Accelerator> loaded;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".yaml") loaded.push_back(load_accelerator(entry.path()));
  if (error) throw InputError({folder.string()}, "", "cannot be read: " + error.message());
  std::ranges::sort(loaded, [](const auto& a, const auto& b) { return a.name < b.name; });
  return accelerators_.emplace(std::move(loaded));
}

Library& FileChecker::library() {
  if (!library_) library_.emplace(Library::load(configs_));
  return *library_;
}

FileContent FileChecker::check_yaml(const std::filesystem::path& file) {
  const YamlNode root = YamlNode::load(file);
  if (find_kind(root) == nullptr)
    if (auto launch = check_launch_file(file, configs_)) return *std::move(launch);
  const KindKey found = kind_of_file(root);
  FileContent report{.kind = std::string(found.name), .summary = {}, .notes = {}};
  switch (found.kind) {
    case FileKind::Accelerator:
      report.notes = notes_of(root, faults_of(load_accelerator(file)));
      break;
    case FileKind::Cluster:
      report.notes =
          check_machine(root, load_cluster(file, accelerators(), load_link_families(configs_)));
      break;
    case FileKind::Workload:
      load_workload(file, configs_);
      break;
    case FileKind::Model:
      return check_model(file);
    case FileKind::Plan:
      load_plan(file);
      break;
    case FileKind::Run:
      report.summary = run_summary(load_run(file, configs_));
      break;
    case FileKind::Stack:
      load_kernel_profile(file);
      break;
    case FileKind::Quote:
      load_quote(file);
      break;
    case FileKind::Launcher:
      report.summary = launcher_summary(load_launcher(file, configs_));
      break;
    case FileKind::LinkFamily:
      load_link_family(file);
      break;
    case FileKind::Calibration:
      return check_calibration(file);
    case FileKind::Sweep:
      report.summary =
          fmt::format(", {} points", SweepJob(load_sweep(file), configs_, {}).job().points);
      break;
    case FileKind::PriceList:
      report.summary = price_list_summary(load_price_list(file, library()));
      break;
    case FileKind::StepProfile:
      return check_step_profile(file);
  }
  return report;
}

FileContent FileChecker::check_calibration(const std::filesystem::path& file) {
  const CollectiveCalibration calibration = load_calibration(file);
  const Location place{.file = file.string()};
  const Cluster* cluster =
      calibration.cluster.empty() ? nullptr : &at_key(place, "cluster", [&]() -> const Cluster& {
        return library().cluster(calibration.cluster);
      });
  FileContent report{.kind = "calibration", .summary = {}, .notes = {}};
  std::size_t rows = 0;
  for (const CollectiveTable& table : calibration.tables) {
    rows += table.rows.size();
    const Faults faults = cluster == nullptr ? faults_of(table) : faults_on(table, *cluster);
    if (!faults.impossible.empty()) throw InputError(place, "tables", faults.impossible);
    if (!faults.unsteady.empty())
      report.notes.push_back(fmt::format("{}: {}", table.file, faults.unsteady));
  }
  report.summary =
      fmt::format(", {} of {}", counted(rows, "row"), counted(calibration.tables.size(), "table"));
  return report;
}

FileContent FileChecker::check_step_profile(const std::filesystem::path& file) {
  if (is_of_model(file)) {
    const ModelSteps steps = load_model_steps(file);
    const auto seen = cases_of(steps, subject_of(file, steps, configs_, library()));
    return {.kind = "step profile",
            .summary = fmt::format(", {}", counted(seen.size(), "row")),
            .notes = {}};
  }
  const StepProfile profile = load_step_profile(file);
  const auto seen = own_observations(file, profile, library());
  return {.kind = "step profile",
          .summary = fmt::format(", {}", counted(seen.size(), "row")),
          .notes = {}};
}

/// Checks a table of measured steps. InputError at the first wrong row.
FileContent FileChecker::check_steps(const std::filesystem::path& file) {
  const StepCaseTable table = read_step_cases(file, library());
  if (!table.refused.empty()) throw table.refused.front().mistake;
  return {
      .kind = "table of steps", .summary = ", " + counted(table.rows.size(), "row"), .notes = {}};
}

FileContent FileChecker::check_training_runs(const std::filesystem::path& file) {
  RunsTable table = check_runs(file, library());
  goodput_answer(file);  // checks the cells of its column
  return {.kind = "table of training runs",
          .summary = ", " + counted(table.rows, "row"),
          .notes = std::move(table.unscored)};
}

/// Checks a table of metered runs. InputError if a run names a published table that does not ship.
FileContent FileChecker::check_metered_runs(const std::filesystem::path& file) {
  const CsvTable table = read_metered_table(file);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string& name = table.at(row, "published");
    if (!std::filesystem::exists(configs_ / "published" / (name + ".csv")))
      throw InputError(table.location(row, "published"), "published",
                       fmt::format("no table of configs/published is called '{}'", name));
  }
  return {
      .kind = "table of metered runs", .summary = ", " + counted(table.rows(), "row"), .notes = {}};
}

/// Checks a table of RL steps or of generation rates; notes say which rows are not fitted.
template <class Row>
FileContent measured_rl(std::string kind, const std::vector<Row>& rows) {
  FileContent content{
      .kind = std::move(kind), .summary = ", " + counted(rows.size(), "row"), .notes = {}};
  for (const Row& row : rows)
    if (!row.left_out.empty()) content.notes.push_back(row.id + ": " + row.left_out);
  return content;
}

FileContent FileChecker::check_table(const std::filesystem::path& file) {
  std::vector<InputError> ragged;  // reported by the reader of that kind
  const CsvTable table = CsvTable::read_sound_rows(file, ragged);
  if (table.has_column("parameters_total")) return check_training_runs(file);
  if (table.has_column("node_energy_MJ")) return check_metered_runs(file);
  if (table.has_column("hidden")) return check_steps(file);
  if (table.has_column("gens_per_prompt"))
    return measured_rl("table of RL steps", read_rl_rows(file, configs_, library()));
  if (table.has_column("out_tok_per_s"))
    return measured_rl("table of generation rates", read_decode_rows(file, configs_, library()));
  if (!table.has_column("benchmark")) return check_log(file);  // a log in another program's format
  const auto rows = read_published_table(file);
  Resolver resolver(library());
  FileContent report{.kind = "published table", .summary = {}, .notes = {}};
  for (const ResolvedRow& row : resolver.resolve(rows))
    if (!row.run)
      report.notes.push_back(fmt::format("line {}: {} {}: {}", row.row.inputs.location.line,
                                         row.row.inputs.benchmark, row.row.full_name(),
                                         row.skipped_because));
  report.summary =
      fmt::format(", {} rows of which {} resolve", rows.size(), rows.size() - report.notes.size());
  return report;
}

FileContent FileChecker::check(const std::filesystem::path& file) {
  if (is_yaml(file)) return check_yaml(file);
  const std::string extension = file_ending(file);
  if (extension == ".csv") return check_table(file);
  if (is_profile(file)) return check_profile(file);
  if (extension == ".json") {
    const YamlNode root = YamlNode::load(file);
    if (is_model(root)) return check_model(file);
    if (resembles_record(root)) return check_record(file);
  }
  constexpr std::array endings{".sh", ".slurm", ".sbatch", ".toml", ".json"};
  if (std::ranges::find(endings, extension) != endings.end())
    if (auto launch = check_launch_file(file, configs_)) return *std::move(launch);
  return check_log(file);
}

CheckedFile FileChecker::checked(const std::string& file) try {
  return {.file = file, .content = check(file), .problem = {}};
} catch (const InputError& error) {
  return {.file = file, .content = {}, .problem = error.what()};
}

}  // namespace answers
}  // namespace tofn
