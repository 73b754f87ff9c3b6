#include <array>

#include <fmt/format.h>

#include "sim/answers/published_data.hpp"
#include "sim/app/command.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/named_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/options/option_values.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace tofn {
namespace {

struct Sources {
  const Library& library;
  const std::filesystem::path& configs;
};

Listing accelerators(const Sources& from) { return list_accelerators(from.library.accelerators()); }

template <class Things>
auto pointers(const Things& things) {
  std::vector<decltype(&things.front())> list;
  list.reserve(things.size());
  for (const auto& thing : things) list.push_back(&thing);
  return list;
}

Listing clusters(const Sources& from) { return list_clusters(pointers(from.library.clusters())); }
Listing workloads(const Sources& from) {
  return list_workloads(pointers(from.library.workloads()));
}

/// `8.03 B`, `25.56 M`
std::string short_count(double count) {
  return count >= 1e9 ? fmt::format("{:.4g} B", count / 1e9) : fmt::format("{:.4g} M", count / 1e6);
}

Columns<Model> model_columns() {
  return {{"name", &Model::name},
          {"title", &Model::title},
          {"parameters", [](const Model& m) { return static_cast<long long>(parameters(m)); }},
          {"trainable_parameters",
           [](const Model& m) { return static_cast<long long>(trainable_parameters(m)); }},
          {"tokens",
           [](const Model& m) {
             const bool has_tokens = m.sequence_length > 0;
             return has_tokens ? std::optional(static_cast<long long>(m.sequence_length))
                               : std::nullopt;
           }},
          {"precision", &Model::precision},
          {"flops_per_sample", [](const Model& m) { return model_flops(m).base(); }},
          {"source", &Model::source}};
}

/// Models by dimensions: one sample, forward and backward.
Listing models(const Sources& from) {
  TextTable table({{"model", Align::Left},
                   {"parameters"},
                   {"trainable"},
                   {"tokens"},
                   {"FLOP a sample"},
                   {"precision"}});
  std::vector<Model> models;
  for (const auto& file : files_in(from.configs, "models")) {
    const Model& model = models.emplace_back(load_model(file));
    table.add({model.name, short_count(parameters(model)), short_count(trainable_parameters(model)),
               model.sequence_length > 0 ? fmt::format("{}", model.sequence_length) : "-",
               to_text(model_flops(model)), std::string(to_text(model.precision))});
  }
  return {.text = table.render(), .records = records_of(model_columns(), models)};
}

Listing calibrations(const Sources& from) {
  Resolver resolver(from.library);
  return list_calibrations(
      Calibration(calibration_observations(shipped_rows(from.configs, resolver))));
}

/// What plans state.
Columns<PlanFile> plan_columns() {
  const auto setting = [](auto member) { return of_its(&PlanFile::settings, member); };
  Columns<PlanFile> columns{
      {"name", &PlanFile::name},
      {"gradient_accumulation", &PlanFile::gradient_accumulation},
      {"micro_batch", &PlanFile::micro_batch},
      {"precision", setting(&RunSettings::precision)},
      {"fp8_attention", setting(&RunSettings::fp8_attention)},
      {"tensor_overlap", setting(&RunSettings::tensor_overlap)},
      {"cuda_graphs", setting(&RunSettings::cuda_graphs)},
      {"in_network_reduction", setting(&RunSettings::in_network_reduction)},
      {"overlap_gradient_reduction", setting(&RunSettings::overlap_gradient_reduction)}};
  visit_plan([&](const PlanField& field, auto member) {
    if (!field.key.empty())
      columns.emplace_back(std::string(field.key), of_its(&PlanFile::split, member));
  });
  return columns;
}

Listing plans(const Sources& from) {
  TextTable table({{"plan", Align::Left},
                   {"tp"},
                   {"cp"},
                   {"pp"},
                   {"chunks"},
                   {"ep"},
                   {"sharded", Align::Left},
                   {"recompute", Align::Left},
                   {"accumulation"},
                   {"precision"},
                   {"CUDA graphs"}});
  std::vector<PlanFile> plans;
  for (const auto& file : files_in(from.configs, "plans")) {
    const PlanFile& plan = plans.emplace_back(load_plan(file));
    const RunSettings& s = plan.settings;
    const Plan& split = plan.split;
    const auto& steps = plan.gradient_accumulation;
    table.add({plan.name, fmt::format("{}", split.tensor_parallel_size),
               fmt::format("{}", split.context_parallel_size),
               fmt::format("{}", split.pipeline_parallel_size),
               fmt::format("{}", split.chunks_per_stage),
               fmt::format("{}", split.expert_parallel_size),
               std::string(name_in(sharded_names, split.sharded)),
               std::string(name_in(recompute_names, split.recompute)),
               steps ? fmt::format("{}", *steps) : "as needed",
               std::string(s.precision ? to_text(*s.precision) : "-"),
               std::string(s.cuda_graphs ? to_text(*s.cuda_graphs) : "-")});
  }
  return {.text = table.render() + "-: not stated, the default applies\n",
          .records = records_of(plan_columns(), plans)};
}

/// `bert, llama2_70b_lora, ...` where an axis varies it, else what the base says.
std::string swept_name(const Sweep& sweep, std::string_view key,
                       const std::optional<std::string>& base) {
  for (const Axis* axis : sweep.axes())
    if (axis->path == key) return fmt::format("{} of them", axis->values.size());
  return base.value_or("-");
}

Listing sweeps(const Sources& from) {
  TextTable table(
      {{"sweep", Align::Left}, {"of", Align::Left}, {"points"}, {"what it asks", Align::Left}});
  struct Row {
    Sweep sweep;
    std::string of;
  };
  std::vector<Row> rows;
  for (const auto& file : files_in(from.configs, "sweeps")) {
    Sweep sweep = load_sweep(file);
    std::string of = sweep.base.model ? swept_name(sweep, "model", sweep.base.model)
                                      : swept_name(sweep, "workload", sweep.base.workload);
    table.add({sweep.name, of, fmt::format("{}", sweep.points()), sweep.title});
    rows.push_back({std::move(sweep), std::move(of)});
  }
  const Columns<Row> columns{{"name", of_its(&Row::sweep, &Sweep::name)},
                             {"of", &Row::of},
                             {"points", of_its(&Row::sweep, &Sweep::points)},
                             {"title", of_its(&Row::sweep, &Sweep::title)}};
  return {.text = table.render(), .records = records_of(columns, rows)};
}

/// Everything that can be listed. Add one here.
struct Kind {
  std::string_view name;
  std::string_view what;
  Listing (*list)(const Sources&);
};
constexpr std::array kinds{
    Kind{"accelerators", "chips, as their datasheets have them", accelerators},
    Kind{"clusters", "machines to predict on", clusters},
    Kind{"workloads", "training tasks", workloads},
    Kind{"models", "networks by their dimensions", models},
    Kind{"plans", "splits of a replica over accelerators", plans},
    Kind{"sweeps", "what-if studies", sweeps},
    Kind{"calibrations", "what published one-domain runs taught", calibrations}};

std::string kind_names() {
  std::string names;
  for (const Kind& kind : kinds) names += fmt::format("{}{}", names.empty() ? "" : "|", kind.name);
  return names;
}

/// How many there are of each.
Listing counts(const Sources& from) {
  TextTable table({{"list", Align::Left}, {"entries"}, {"", Align::Left}});
  struct Row {
    std::string_view list;
    std::size_t entries;
  };
  std::vector<Row> rows;
  for (const Kind& kind : kinds) {
    const std::size_t entries = kind.list(from).records.rows.size();
    table.add({std::string(kind.name), fmt::format("{}", entries), std::string(kind.what)});
    rows.push_back({kind.name, entries});
  }
  const Columns<Row> columns{{"list", &Row::list}, {"entries", &Row::entries}};
  return {.text = table.render() + "`tofn list NAME` shows the entries\n",
          .records = records_of(columns, rows)};
}

const Kind& kind_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  throw InputError(unknown_name("list", name, names));
}

CommandLine command_line(const std::string& usage) {
  CommandLine line{.usage = usage,
                   .examples =
                       "  tofn list\n"
                       "  tofn list clusters\n"
                       "  tofn list calibrations --format csv -o calibrations.csv\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()("what", options::value<std::string>(), kind_names().c_str());
  line.positional.add("what", 1);
  return line;
}

}  // namespace

int run_list(const std::vector<std::string>& words) {
  const std::string usage = "list [" + kind_names() + "] [OPTIONS]";
  const auto values = parse(command_line(usage), words);
  if (!values) return 0;
  const CommonOptions common = read_common(*values);
  const auto what = text_option(*values, "what");
  const Kind* kind = what ? &kind_named(*what) : nullptr;
  const Library library = Library::load(common.configs);
  const Sources from{library, common.configs};
  const Listing listing = kind != nullptr ? kind->list(from) : counts(from);
  write_answer(common, listing.text, listing.records);
  return 0;
}

}  // namespace tofn
