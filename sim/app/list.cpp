#include <array>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/file_keys.hpp"
#include "sim/config/hugging_face/hugging_face_types.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/load_run.hpp"
#include "sim/core/error.hpp"
#include "sim/core/row_named.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/load_launcher.hpp"
#include "sim/glossary/term.hpp"
#include "sim/report/list_report.hpp"
#include "sim/sweep/sweep_file.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Sources of a list.
struct Sources {
  Shipped& shipped;
  std::string of{};  ///< kind of file whose fields are listed; empty for all
};

template <class Things>
auto pointers(const Things& things) {
  std::vector<decltype(&things.front())> list;
  list.reserve(things.size());
  for (const auto& thing : things) list.push_back(&thing);
  return list;
}

Listing accelerators(const Sources& from) {
  return list_accelerators(pointers(from.shipped.library().accelerators()));
}
Listing clusters(const Sources& from) {
  return list_clusters(pointers(from.shipped.library().clusters()));
}
Listing workloads(const Sources& from) {
  return list_workloads(pointers(from.shipped.library().workloads()));
}

/// Returns the result of `load` for each file in a folder of configs.
template <class Load>
auto loaded(const Sources& from, const char* folder, const Load& load) {
  std::vector<decltype(load(std::filesystem::path()))> things;
  for (const auto& file : files_in(from.shipped.configs(), folder)) things.push_back(load(file));
  return things;
}

Listing models(const Sources& from) { return list_models(loaded(from, "models", load_model)); }
Listing architectures_of_models(const Sources&) { return list_architectures(hugging_face_types()); }
Listing plans(const Sources& from) { return list_plans(loaded(from, "plans", load_plan)); }
Listing runs(const Sources& from) {
  return list_runs(loaded(
      from, "runs", [&](const auto& file) { return load_run(file, from.shipped.configs()); }));
}
Listing sweeps(const Sources& from) { return list_sweeps(loaded(from, "sweeps", load_sweep)); }

Listing fields(const Sources& from) {
  constexpr std::array<std::string_view, 2> machines{"accelerator", "cluster"};
  const bool is_machine = std::ranges::find(machines, from.of) != machines.end();
  std::vector<FileKey> keys =
      is_machine ? std::vector<FileKey>{} : file_keys(from.of, {machines.begin(), machines.end()});
  for (const std::string_view machine : machines)
    if (from.of.empty() || from.of == machine)
      for (FileKey& key : machine_file_keys(machine)) keys.push_back(std::move(key));
  return list_fields(keys);
}

Listing stacks(const Sources& from) {
  return list_stacks(loaded(from, "stacks", load_kernel_profile));
}

Listing launchers(const Sources& from) {
  return list_launchers(launchers_in(from.shipped.configs()), written_launchers());
}

Listing fabrics(const Sources& from) {
  const auto& families = from.shipped.library().link_families();
  return list_fabrics(std::vector<LinkFamily>(families.begin(), families.end()));
}
Listing baselines_of_clusters(const Sources& from) {
  return list_baselines(baselines(from.shipped.configs()));
}

Listing figures(const Sources&) { return list_figures(); }
Listing choices_in_view(const Sources&) { return list_disclosures(); }

Listing calibrations(const Sources& from) { return list_calibrations(from.shipped.calibration()); }

/// List that `tofn list` can show. A new one needs a row in `kinds`.
struct Kind {
  std::string_view name;
  std::string_view what;
  Listing (*list)(const Sources&);
};
constexpr std::array kinds{
    Kind{"accelerators", "chips, as their datasheets have them", accelerators},
    Kind{"clusters", "machines to predict on", clusters},
    Kind{"fabrics", "families of links, and what was fitted to tables of them", fabrics},
    Kind{"baselines", "bandwidth that each cluster should pass", baselines_of_clusters},
    Kind{"workloads", "training tasks", workloads},
    Kind{"models", "networks by their dimensions", models},
    Kind{"architectures", "kinds of model_type that a config.json may state",
         architectures_of_models},
    Kind{"plans", "splits of a replica over accelerators", plans},
    Kind{"runs", "training runs: batches, lengths, phases", runs},
    Kind{"stacks", "software stacks, and what they make of a chip", stacks},
    Kind{"launchers", "software whose launch files are known", launchers},
    Kind{"sweeps", "what-if studies", sweeps},
    Kind{"figures", "columns of answers: unit, meaning and formula", figures},
    Kind{"disclosures", "choices made with the errors of a score in view", choices_in_view},
    Kind{"calibrations", "fits to published one-domain runs", calibrations},
    Kind{"fields", "keys of files: `tofn list fields run`", fields}};

std::string kind_names() {
  std::string names;
  for (const Kind& kind : kinds) names += fmt::format("{}{}", names.empty() ? "" : "|", kind.name);
  return names;
}

/// Number of entries in each list.
Listing counts(const Sources& from) {
  struct Row {
    std::string_view list;
    std::size_t entries;
    std::string_view what;
  };
  std::vector<Row> rows;
  for (const Kind& kind : kinds)
    rows.push_back({kind.name, kind.list(from).records.rows.size(), kind.what});
  const TableColumns<Row> columns{{"list", &Row::list, left("list")},
                                  {"entries", &Row::entries, right("entries")},
                                  left("", &Row::what)};
  return listing_of(columns, rows, "`tofn list NAME` shows the entries\n");
}

}  // namespace

CommandLine list_command_line() {
  static const std::string usage = "list [" + kind_names() + "] [OPTIONS]";
  return {usage,
          "  tofn list\n"
          "  tofn list clusters\n"
          "  tofn list fields run\n"
          "  tofn list calibrations --format csv -o calibrations.csv\n",
          {{&option::what, every_job, kind_names(), {}, 1},
           {&option::of, every_job, "kind of file whose fields are listed, such as run", {}, 1}}};
}

CommandAnswer run_list(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  const auto what = option::what.of(values);
  const Kind* kind = what ? &row_named(kinds, "list", *what) : nullptr;
  const auto of = option::of.of(values);
  if (of && (kind == nullptr || kind->name != "fields"))
    throw InputError(fmt::format(
        "'{0}': only `tofn list fields` takes a second word, a kind of file; `tofn list {1}` "
        "lists all {1}",
        *of, kind == nullptr ? "" : kind->name));
  Shipped shipped(common.configs);
  const Sources from{shipped, of.value_or("")};
  const Listing listing = kind != nullptr ? kind->list(from) : counts(from);
  return {.text = listing.text, .records = listing.records};
}

}  // namespace app
}  // namespace tofn
