#include "sim/config/load_plan.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/file_keys.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/yaml/field_rows.hpp"
#include "sim/yaml/file_format.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

/// Rows of the map `settings` of plans and step profiles, to be read, written or listed.
template <class Walk, class Settings>
void settings_rows(Walk& walk, Settings& of) {
  walk({"precision", "precision of the arithmetic"}, of.precision);
  walk({"fp8_attention", "attention in 8 bits"}, of.fp8_attention);
  walk({"tensor_overlap", "tensor-parallel traffic beside products, in chunks"}, of.tensor_overlap);
  walk({"cuda_graphs", "part of a step that is replayed as a CUDA graph"}, of.cuda_graphs);
  walk({"in_network_reduction", "switches reduce (SHARP)"}, of.in_network_reduction);
  walk({"overlap_gradient_reduction", "gradients are reduced beside the backward pass"},
       of.overlap_gradient_reduction);
}

namespace fs = std::filesystem;

template <class T>
void read_choice(Fields& fields, const PlanField& field, T& out) {
  if constexpr (std::is_same_v<T, int>) {
    if (field.is_required || fields.has(field.key))
      read_in(range::at_least_one, fields, field.key, out);
  } else if constexpr (std::is_same_v<T, std::optional<int>>) {
    if (fields.has(field.key)) read_in(range::at_least_one, fields, field.key, out.emplace());
  } else if constexpr (std::is_same_v<T, bool>) {
    fields.optional(field.key, out);
  } else if constexpr (std::is_same_v<T, StageLayers>) {
    fields.optional(field.key, out.counts);
  } else if constexpr (std::is_same_v<T, RecomputeModules>) {
    if (!fields.has(field.key)) return;
    for (const YamlNode& item : fields.child(field.key).items()) {
      RecomputeModule module{};
      item.read_choice(module, ChoiceTable<RecomputeModule>(recompute_module_names));
      out.insert(module);
    }
  } else {
    fields.optional_choice(field.key, out, names_of(out));
  }
}

void read_split(Fields& fields, StatedPlan& plan, bool is_whole) {
  visit_plan([&](PlanField field, auto member) {
    if (!field.is_own_key()) return;
    if (!is_whole) field.is_required = false;
    if (fields.has(field.key)) plan.stated.emplace_back(field.name);
    read_choice(fields, field, plan.split.*member);
  });
  read_positive(fields, "gradient_accumulation", plan.gradient_accumulation);
  read_positive(fields, "micro_batch", plan.micro_batch);
}

void read_rows(Fields& fields, StatedPlan& plan) {
  read_split(fields, plan, plan.is_whole);
  if (const auto settings = fields.optional_child("settings"))
    read_run_settings(*settings, plan.settings);
  fields.done();
  plan.split = with_settings(plan.split, plan.settings);
  if (plan.settings.tensor_overlap) plan.stated.emplace_back("tensor_overlap");
  if (plan.settings.overlap_gradient_reduction) plan.stated.emplace_back("data_overlap");
}

/// Checks the rules that no number of accelerators and no batch can satisfy. The rest of the plan
/// is chosen to break no rule: several replicas of every group of experts.
void check_split(const YamlNode& root, const StatedPlan& plan) {
  Plan kindest = plan.split;
  kindest.data_parallel_size = 2 * kindest.expert_parallel_size;
  kindest.gradient_accumulation =
      plan.gradient_accumulation.value_or(micro_batch_multiple(kindest));
  try {
    check_plan(without_idle_options(kindest));
  } catch (const InputError& broken) {
    root.fail(broken.what());
  }
}

std::string value_text(int value) { return std::to_string(value); }
std::string value_text(std::optional<int> value) { return value_text(value.value_or(0)); }
std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(const StageLayers& layers) {
  return fmt::format("[{}]", fmt::join(layers.counts, ", "));
}
std::string value_text(RecomputeModules modules) { return fmt::format("[{}]", to_text(modules)); }
template <class E>
std::string value_text(E choice) {
  return std::string(name_of(choice));
}
/// Name of an optional choice, which must be present.
template <class E>
std::string value_text(std::optional<E> choice) {
  return std::string(name_of(choice.value()));
}

/// Returns the `settings` of a plan's file.
RunSettings settings_of(const Plan& plan) {
  RunSettings settings;
  settings.precision = plan.precision;
  settings.cuda_graphs = plan.cuda_graphs;
  settings.fp8_attention = plan.fp8_attention;
  settings.tensor_overlap = plan.tensor_overlap;
  settings.overlap_gradient_reduction = plan.data_overlap;
  settings.in_network_reduction = plan.in_network_reduction;
  return settings;
}

std::string indented(const std::string& lines, std::string_view indent) {
  std::string text;
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = lines.find('\n', start) + 1;
    text.append(indent).append(lines, start, end - start);
    start = end;
  }
  return text;
}

}  // namespace

void read_run_settings(const YamlNode& node, RunSettings& settings) {
  FieldReader::read_map(node, [&](auto& walk) { settings_rows(walk, settings); });
}

std::string run_settings_yaml(const RunSettings& settings) {
  FieldWriter writer("  ");
  settings_rows(writer, settings);
  return writer.text().empty() ? "" : "settings:\n" + writer.text();
}

namespace {

StatedPlan named_plan(const YamlNode& root, bool is_whole) {
  StatedPlan plan;
  Fields fields = root.fields();
  fields.required("name", plan.name);
  plan.is_whole = is_whole;
  read_rows(fields, plan);
  return plan;
}

}  // namespace

StatedPlan read_plan(const YamlNode& root) { return named_plan(root, true); }
StatedPlan read_open_plan(const YamlNode& root) { return named_plan(root, false); }

StatedPlan read_plan_rows(const YamlNode& map) {
  StatedPlan plan;
  plan.is_whole = true;
  Fields fields = map.fields();
  read_rows(fields, plan);
  return plan;
}

TakeRow taking_row(std::string_view key) {
  if (key == "gradient_accumulation")
    return [](StatedPlan& to, const StatedPlan& from) {
      to.gradient_accumulation = from.gradient_accumulation;
    };
  if (key == "micro_batch")
    return [](StatedPlan& to, const StatedPlan& from) { to.micro_batch = from.micro_batch; };
  TakeRow take;
  visit_plan([&](const PlanField& field, auto member) {
    if (!field.is_own_key() || field.key != key) return;
    take = [name = field.name, member](StatedPlan& to, const StatedPlan& from) {
      to.split.*member = from.split.*member;
      const auto has = [&](const StatedPlan& plan) {
        return std::ranges::find(plan.stated, name) != plan.stated.end();
      };
      if (has(from) && !has(to)) to.stated.emplace_back(name);
      if (!has(from)) std::erase(to.stated, name);
    };
  });
  return take;
}

std::string plan_yaml(const Plan& plan, std::string_view indent) {
  std::string text;
  visit_plan([&](const PlanField& field, auto member) {
    if (!field.is_own_key()) return;
    if (field.is_required || plan.*member != Plan{}.*member)
      text += fmt::format("{}: {}\n", field.key, value_text(plan.*member));
  });
  text += fmt::format("gradient_accumulation: {}\n", plan.gradient_accumulation);
  return indented(text + run_settings_yaml(settings_of(plan)), indent);
}

std::string plan_file_yaml(const Plan& plan, std::string_view name, std::string_view origin) {
  return fmt::format("# {}\n{}name: {}\n{}", origin, format_line(), yaml_text(name),
                     plan_yaml(plan, ""));
}

StatedPlan read_plan_choice(const YamlNode& node, const fs::path& configs, StatedPlan base) {
  if (node.is_scalar()) {
    std::string name;
    node.read(name);
    try {
      return find_plan(configs, name);
    } catch (const InputError& unknown) {
      node.fail(unknown.what());
    }
  }
  Fields fields = node.fields();
  read_split(fields, base, false);
  fields.done();
  return base;
}

StatedPlan load_plan(const fs::path& file) {
  const YamlNode root = YamlNode::load(file);
  StatedPlan plan = read_plan(root);
  check_split(root, plan);
  return plan;
}

const std::vector<PlanKey>& plan_keys() {
  static const std::vector<PlanKey> all = [] {
    std::vector<PlanKey> keys;
    visit_plan([&](const PlanField& field, auto) {
      if (!field.key.empty()) keys.push_back({field.name, field.key});
    });
    keys.push_back({"micro_batch", "micro_batch"});
    keys.push_back({"grad_accum", "gradient_accumulation"});
    return keys;
  }();
  return all;
}

void list_plan_keys(std::vector<FileKey>& keys) {
  FieldLister lister("plan", keys);
  StatedPlan plan;
  lister({"name", "name of the plan", true}, plan.name);
  const Plan typical;
  visit_plan([&](const PlanField& field, auto member) {
    if (!field.is_own_key()) return;
    const FileField key{field.key, field.meaning, field.is_required};
    using Member = std::decay_t<decltype(typical.*member)>;
    if constexpr (std::is_same_v<Member, StageLayers>)
      lister(key, (typical.*member).counts);
    else if constexpr (std::is_same_v<Member, RecomputeModules>)
      lister(key, std::vector<RecomputeModule>());
    else
      lister(key, typical.*member);
  });
  lister({"gradient_accumulation", "accumulation steps; else as many as the batch needs"},
         plan.gradient_accumulation);
  lister({"micro_batch", "samples per replica and pass; else what the batch leaves"},
         plan.micro_batch);
  lister.map({"settings", "settings of the run that the plan states"},
             [&](auto& inner) { settings_rows(inner, plan.settings); });
}

StatedPlan find_plan(const fs::path& configs, std::string_view name_or_file) {
  return load_plan(file_named(configs, "plans", "plan", name_or_file));
}

}  // namespace config
}  // namespace tofn
