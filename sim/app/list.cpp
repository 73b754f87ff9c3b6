#include <array>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/published_data.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

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

/// Models by dimensions: one sample, forward and backward.
Listing models(const Sources& from) {
  TextTable table({{"model", Align::Left},
                   {"parameters"},
                   {"trainable"},
                   {"tokens"},
                   {"FLOP a sample"},
                   {"precision"}});
  Listing listing;
  listing.records.columns = {"name",   "title",     "parameters",       "trainable_parameters",
                             "tokens", "precision", "flops_per_sample", "source"};
  for (const auto& file : model_files(from.configs)) {
    const Model model = load_model(file);
    const double all = parameters(model);
    const double trainable = trainable_parameters(model);
    const Flops work = model_flops(model);
    const bool has_tokens = model.sequence_length > 0;
    const std::string precision(to_text(model.precision));
    table.add({model.name, short_count(all), short_count(trainable),
               has_tokens ? fmt::format("{}", model.sequence_length) : "-", to_text(work),
               precision});
    const auto whole = [](double count) { return Value{static_cast<long long>(count)}; };
    listing.records.rows.push_back({model.name, model.title, whole(all), whole(trainable),
                                    has_tokens ? whole(model.sequence_length) : Value{}, precision,
                                    work.base(), model.source});
  }
  listing.text = table.render();
  return listing;
}

Listing calibrations(const Sources& from) {
  Resolver resolver(from.library);
  return list_calibrations(
      Calibration(calibration_observations(shipped_rows(from.configs, resolver))));
}

Value switch_value(const std::optional<bool>& value) {
  return value ? Value{*value ? 1LL : 0LL} : Value{};
}
std::string switch_cell(const std::optional<bool>& value) {
  return value ? (*value ? "on" : "off") : "-";
}

std::vector<Value> record_of(const PlanFile& plan) {
  const RunSettings& s = plan.settings;
  const auto count = [](int value) { return Value{static_cast<long long>(value)}; };
  return {plan.name,
          count(plan.tensor_parallel_size),
          count(plan.context_parallel_size),
          plan.gradient_accumulation ? count(*plan.gradient_accumulation) : Value{},
          s.precision ? Value{std::string(to_text(*s.precision))} : Value{},
          switch_value(s.fp8_attention),
          switch_value(s.tensor_overlap),
          s.cuda_graphs ? Value{std::string(to_text(*s.cuda_graphs))} : Value{},
          switch_value(s.in_network_reduction),
          switch_value(s.overlap_gradient_reduction)};
}

Listing plans(const Sources& from) {
  TextTable table({{"plan", Align::Left},
                   {"tp"},
                   {"cp"},
                   {"accumulation"},
                   {"precision"},
                   {"fp8 attention"},
                   {"CUDA graphs"},
                   {"SHARP"}});
  Listing listing;
  listing.records.columns = {"name",
                             "tensor_parallel",
                             "context_parallel",
                             "gradient_accumulation",
                             "precision",
                             "fp8_attention",
                             "tensor_overlap",
                             "cuda_graphs",
                             "in_network_reduction",
                             "overlap_gradient_reduction"};
  for (const auto& file : plan_files(from.configs)) {
    const PlanFile plan = load_plan(file);
    const RunSettings& s = plan.settings;
    const auto& steps = plan.gradient_accumulation;
    table.add({plan.name, fmt::format("{}", plan.tensor_parallel_size),
               fmt::format("{}", plan.context_parallel_size),
               steps ? fmt::format("{}", *steps) : "as needed",
               std::string(s.precision ? to_text(*s.precision) : "-"), switch_cell(s.fp8_attention),
               std::string(s.cuda_graphs ? to_text(*s.cuda_graphs) : "-"),
               switch_cell(s.in_network_reduction)});
    listing.records.rows.push_back(record_of(plan));
  }
  listing.text = table.render() + "-: not stated, the default applies\n";
  return listing;
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
    Kind{"calibrations", "what published one-domain runs taught", calibrations}};

std::string kind_names() {
  std::string names;
  for (const Kind& kind : kinds) names += fmt::format("{}{}", names.empty() ? "" : "|", kind.name);
  return names;
}

/// How many there are of each.
Listing counts(const Sources& from) {
  TextTable table({{"list", Align::Left}, {"entries"}, {"", Align::Left}});
  Listing listing;
  listing.records.columns = {"list", "entries"};
  for (const Kind& kind : kinds) {
    const auto entries = static_cast<long long>(kind.list(from).records.rows.size());
    table.add({std::string(kind.name), fmt::format("{}", entries), std::string(kind.what)});
    listing.records.rows.push_back({std::string(kind.name), entries});
  }
  listing.text = table.render() + "`tofn list NAME` shows the entries\n";
  return listing;
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
