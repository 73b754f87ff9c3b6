#include "sim/config/load_kernel_profile.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/config/file_keys.hpp"
#include "sim/config/library.hpp"
#include "sim/core/file.hpp"
#include "sim/kernel/stack_fields.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/yaml/field_rows.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view learned_line =
    "# Learnt: `tofn calibrate --stacks` writes what follows.\n";

constexpr std::array<std::pair<std::string_view, double Discrepancy::*>, 3> discrepancies{
    {{"run", &Discrepancy::run}, {"plan", &Discrepancy::plan}, {"model", &Discrepancy::model}}};

template <class Walk>
void framework_default_rows(Walk& walk, StackDefaults& of) {
  walk({"fused_attention", "one kernel keeps scores on chip"}, of.fused_attention);
  walk({"data_overlap", "gradients are reduced beside the backward pass"}, of.data_overlap);
  walk({"parameter_overlap", "parameters are gathered beside compute"}, of.parameter_overlap);
  walk({"tensor_overlap", "tensor-parallel traffic beside products"}, of.tensor_overlap);
  walk({"send_overlap", "sends between stages beside compute"}, of.send_overlap);
  walk({"balanced_stages", "layers are spread over stages by their parameters"},
       of.balanced_stages);
  walk({"cuda_graphs", "part of a step that is launched as one CUDA graph"}, of.cuda_graphs);
  walk({"runs_tensor_parallel", "whether the stack supports tensor parallelism (default: true)"},
       of.runs_tensor_parallel);
  walk({"runs_pipelines", "whether the stack supports pipelines (default: true)"},
       of.runs_pipelines);
  walk({"runs_context_parallel", "whether the stack supports context parallelism (default: true)"},
       of.runs_context_parallel);
  walk({"runs_sharded",
        "shardings over replicas that the stack supports (default: up to parameters)"},
       of.runs_sharded);
  walk({"runs_schedules", "pipeline schedules that the stack supports (default: all)"},
       of.runs_schedules);
  walk({"expert_dispatch", "exchange that sends tokens to the ranks of their experts"},
       of.expert_dispatch);
  walk({"whole_experts", "each expert is whole on one tensor rank"}, of.whole_experts);
  walk({"compile", "operators are fused by a compiler"}, of.compile);
  walk({"vocabulary_multiple", "multiple that the vocabulary of a rank is padded to", false,
        range::at_least_one},
       of.vocabulary_multiple);
  walk({"sharded_in_pipeline", "state that plans which shard parameters shard on pipelines"},
       of.sharded_in_pipeline);
  walk({"selective_recompute", "modules that selective recomputation runs again"},
       of.selective_recompute);
  walk({"kept_parameters", "format of parameters between steps (fp8: those of products in 8 bits)"},
       of.kept_parameters);
  walk({"kept_gradients", "format of gradients as they accumulate"}, of.kept_gradients);
  walk({"kept_master", "format of the optimizer's master parameters"}, of.kept_master);
  walk({"kept_moments", "format of each of the optimizer's two moments"}, of.kept_moments);
  walk({"keeps_activation",
        "whether the output of a gated MLP's activation function is kept beside its product"},
       of.keeps_activation);
  walk({"keeps_gathered", "whether inputs that sequence parallelism gathered are kept"},
       of.keeps_gathered);
  walk({"keeps_answers", "whether the experts' outputs are kept until they are weighted"},
       of.keeps_answers);
  walk({"loss_bytes", "bytes of a logit while the loss is computed", false, range::positive},
       of.loss_bytes);
  walk({"split_loss_bytes", "bytes of a logit if ranks split the vocabulary", false,
        range::positive},
       of.split_loss_bytes);
  walk({"whole_logits", "tensor ranks gather all logits before the loss"}, of.whole_logits);
  walk({"keeps_layer_gradients",
        "whether one layer's gradients in 16 bits are kept beside the sums"},
       of.keeps_layer_gradients);
  walk({"gradients_grow", "gradients are allocated as the backward pass makes them"},
       of.gradients_grow);
  walk({"reported_memory", "figure that the stack's reports call peak memory"}, of.reported_memory);
  walk({"fragmentation", "share of temporary memory that is lost to fragments", false,
        range::not_negative},
       of.fragmentation);
}

/// Rows about the stack itself: name, tables and defaults.
template <class Walk>
void stack_rows(Walk& walk, KernelProfile& of, bool& fp8) {
  walk({"name", "name of the stack", true}, of.name);
  walk({"description", "a line for people"}, of.description);
  walk({"family", "family of stacks that share information in the fit"}, of.family);
  walk({"tables", "patterns stack/accelerator/source of the measured rows that the stack ran"},
       of.tables);
  walk({"vendors", "makers of the chips on which the stack's steps were measured"}, of.vendors);
  walk({"measured_on", "accelerators of the stack's largest measured step", false, range::positive},
       of.measured_on);
  walk({"steps", "number of steps that the stack's figures are fitted to"}, of.steps);
  framework_default_rows(walk, of.framework_defaults);
  walk({"fp8", "whether the stack runs products in 8 bits"}, fp8);
}

void read_uncertainty(Fields& fields, StackUncertainty& uncertainty) {
  if (!fields.has("covariance")) return;
  const auto read_discrepancy = [&](std::string_view name, Discrepancy& out) {
    Fields discrepancy = fields.child(name).fields();
    for (const auto& [key, deviation] : discrepancies)
      read_in(range::not_negative, discrepancy, key, out.*deviation);
    discrepancy.done();
  };
  read_discrepancy("discrepancy", uncertainty.discrepancy);
  read_discrepancy("discrepancy_of_mixtures", uncertainty.of_mixtures);
  const YamlNode node = fields.child("covariance");
  std::vector<std::vector<double>> rows;
  node.read(rows);
  uncertainty.covariance.clear();
  for (const auto& row : rows) {
    if (row.size() != stack_figures.size() || rows.size() != stack_figures.size())
      node.fail(fmt::format("must have {} rows of as many figures", stack_figures.size()));
    uncertainty.covariance.insert(uncertainty.covariance.end(), row.begin(), row.end());
  }
}

void read_chips(Fields& fields, std::string_view key, std::vector<ChipFactor>& chips) {
  chips.clear();
  if (!fields.has(key)) return;
  for (const YamlNode& item : fields.child(key).items()) {
    ChipFactor chip;
    Fields own = item.fields();
    own.child("chip").read(chip.chip);
    read_in(range::positive, own, "factor", chip.factor);
    read_in(range::not_negative, own, "deviation", chip.deviation);
    own.child("with_figures").read(chip.with_figures);
    if (chip.with_figures.size() != stack_figures.size())
      item.fail(fmt::format("with_figures must have {} numbers", stack_figures.size()));
    own.done();
    chips.push_back(std::move(chip));
  }
}

/// Reads the figures of a stack; all are optional if it is like another.
void read_figures(Fields& fields, KernelProfile& profile, bool is_like_another) {
  const auto read = [&](const StackField& field, auto& figure) {
    if (fields.has(field.key) || !(is_like_another || field.may_be_absent))
      read_in(field.range, fields, field.key, figure);
  };
  visit_stack(read, profile);
  for (const StackFigure& figure : stack_figures) {
    if (!figure.on) continue;
    Sourced<double> factor{figure.value(profile)};
    if (fields.has(figure.key)) read_in(range::positive, fields, figure.key, factor);
    figure.set(profile, factor.value);
  }
}

}  // namespace

KernelProfile read_kernel_profile(const YamlNode& root) {
  KernelProfile profile;
  Fields fields = root.fields();
  std::string like;
  if (fields.has("like")) {
    fields.child("like").read(like);
    const fs::path beside = fs::path(root.location().file).parent_path() / (like + ".yaml");
    std::error_code ignored;  // a name that is too long is no file either
    if (!fs::exists(beside, ignored)) fields.child("like").fail("no such stack beside this file");
    const YamlNode base = YamlNode::load(beside);
    for (const auto& [key, value] : base.entries())
      if (key == "like") fields.child("like").fail("is itself like another stack");
    profile = read_kernel_profile(base);
    profile.framework_defaults = {};
    profile.tables.clear();
    profile.uncertainty = {};
    profile.chips.clear();
    profile.mixture_chips.clear();
    profile.steps = 0;
    profile.measured_on = 0;
    profile.vendors.clear();
    profile.family.clear();
  }
  bool fp8 = true;  // `has_fp8` reads it
  FieldReader reader(fields);
  stack_rows(reader, profile, fp8);
  read_figures(fields, profile, !like.empty());
  read_uncertainty(fields, profile.uncertainty);
  read_chips(fields, "chips", profile.chips);
  read_chips(fields, "mixture_chips", profile.mixture_chips);
  fields.done();
  return profile;
}

void list_stack_keys(std::vector<FileKey>& keys) {
  FieldLister lister("stack", keys);
  KernelProfile profile;
  bool fp8 = true;
  lister({"like", "stack whose figures hold where this file states none"}, profile.name);
  stack_rows(lister, profile, fp8);
  visit_stack(
      [&](const StackField& field, auto& figure) {
        lister({field.key, field.meaning, !field.may_be_absent, field.range}, figure);
      },
      profile);
  for (const StackFigure& figure : stack_figures)
    if (figure.on)
      lister({figure.key, "rate of products, or of attention, on such chips beside that on others"},
             Sourced<double>{1});
}

KernelProfile load_kernel_profile(const fs::path& file) {
  return read_kernel_profile(YamlNode::load(file));
}

bool has_fp8(const fs::path& configs, std::string_view name_or_file) {
  const YamlNode root = YamlNode::load(file_named(configs, "stacks", "stack", name_or_file));
  bool fp8 = true;
  for (const auto& [key, value] : root.entries())
    if (key == "fp8") value.read(fp8);
  return fp8;
}

KernelProfile find_kernel_profile(const fs::path& configs, std::string_view name_or_file) {
  return load_kernel_profile(file_named(configs, "stacks", "stack", name_or_file));
}

std::vector<KernelProfile> load_stacks(const fs::path& configs) {
  std::vector<KernelProfile> stacks;
  for (const fs::path& file : files_in(configs, "stacks"))
    stacks.push_back(load_kernel_profile(file));
  return stacks;
}

const KernelProfile* stack_of_table(const std::vector<KernelProfile>& stacks,
                                    std::string_view stack, std::string_view accelerator,
                                    std::string_view source) {
  const std::string text = fmt::format("{}/{}/{}", stack, accelerator, source);
  const KernelProfile* best = nullptr;
  std::size_t longest = 0;
  for (const KernelProfile& each : stacks)
    for (const std::string& pattern : each.tables)
      if (pattern.size() > longest && matches_pattern(pattern, text)) {
        best = &each;
        longest = pattern.size();
      }
  return best;
}

std::string relearned_text(const fs::path& file, const KernelProfile& profile) {
  std::string text = read_text_file(file);
  const std::size_t place = text.find(learned_line);
  if (place == std::string::npos)
    throw InputError({.file = file.string()}, "", "has no line `# Learnt: ...` to write below");
  text.resize(place + learned_line.size());
  text += fmt::format("steps: {}\n", profile.steps);
  const std::size_t count = stack_figures.size();
  for (const StackFigure& figure : stack_figures) {
    const double value = figure.value(profile);
    text += figure.is_time ? fmt::format("{}: {:.4g} us [steps]\n", figure.key, 1e6 * value)
                           : fmt::format("{}: {:.4g} [steps]\n", figure.key, value);
  }
  const auto add_discrepancy = [&](std::string_view name, const Discrepancy& of) {
    text += fmt::format("{}:\n", name);
    for (const auto& [key, deviation] : discrepancies)
      text += fmt::format("  {}: {:.3g}\n", key, of.*deviation);
  };
  add_discrepancy("discrepancy", profile.uncertainty.discrepancy);
  add_discrepancy("discrepancy_of_mixtures", profile.uncertainty.of_mixtures);
  const auto numbers = [&](auto first) {
    return fmt::format("[{:.3g}]", fmt::join(first, first + static_cast<int>(count), ", "));
  };
  text += "covariance:\n";
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format(
        "  - {}\n", numbers(profile.uncertainty.covariance.begin() + static_cast<int>(i * count)));
  const auto add_chips = [&](std::string_view key, const std::vector<ChipFactor>& chips) {
    if (!chips.empty()) text += fmt::format("{}:\n", key);
    for (const ChipFactor& chip : chips)
      text +=
          fmt::format("  - {{chip: {}, factor: {:.4g}, deviation: {:.3g}, with_figures: {}}}\n",
                      chip.chip, chip.factor, chip.deviation, numbers(chip.with_figures.begin()));
  };
  add_chips("chips", profile.chips);
  add_chips("mixture_chips", profile.mixture_chips);
  return text;
}

}  // namespace config
}  // namespace tofn
