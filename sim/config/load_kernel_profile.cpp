#include "sim/config/load_kernel_profile.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/config/library.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/file.hpp"
#include "sim/kernel/stack_fields.hpp"
#include "sim/kernel/stack_figures.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view learnt_line =
    "# Learnt: `tofn calibrate --stacks` writes what follows.\n";

constexpr std::array<std::pair<std::string_view, double Discrepancy::*>, 3> discrepancies{
    {{"run", &Discrepancy::run}, {"plan", &Discrepancy::plan}, {"model", &Discrepancy::model}}};

void read_habits(Fields& fields, StackHabits& habits) {
  fields.optional("fused_attention", habits.fused_attention);
  fields.optional("data_overlap", habits.data_overlap);
  fields.optional("parameter_overlap", habits.parameter_overlap);
  fields.optional("tensor_overlap", habits.tensor_overlap);
  fields.optional("send_overlap", habits.send_overlap);
  fields.optional("balanced_stages", habits.balanced_stages);
  read_in(range::at_least_one, fields, "vocabulary_multiple", habits.vocabulary_multiple);
  fields.optional("keeps_activation", habits.keeps_activation);
  fields.optional("keeps_gathered", habits.keeps_gathered);
  read_in(range::positive, fields, "loss_bytes", habits.loss_bytes);
  fields.optional("keeps_layer_gradients", habits.keeps_layer_gradients);
  fields.optional_choice("reported_memory", habits.reported_memory, memory_reading_names);
}

void read_doubt(Fields& fields, StackDoubt& doubt) {
  if (!fields.has("covariance")) return;
  Fields discrepancy = fields.child("discrepancy").fields();
  for (const auto& [key, deviation] : discrepancies)
    read_in(range::not_negative, discrepancy, key, doubt.discrepancy.*deviation);
  discrepancy.done();
  const YamlNode node = fields.child("covariance");
  std::vector<std::vector<double>> rows;
  node.read(rows);
  doubt.covariance.clear();
  for (const auto& row : rows) {
    if (row.size() != stack_figures.size() || rows.size() != stack_figures.size())
      node.fail(fmt::format("must have {} rows of as many figures", stack_figures.size()));
    doubt.covariance.insert(doubt.covariance.end(), row.begin(), row.end());
  }
}

/// What a file says of a stack that may be like another.
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
    if (!fs::exists(beside)) fields.child("like").fail("no such stack beside this file");
    const YamlNode base = YamlNode::load(beside);
    for (const auto& [key, value] : base.entries())
      if (key == "like") fields.child("like").fail("is itself like another stack");
    profile = read_kernel_profile(base);
    profile.habits = {};
    profile.tables.clear();
    profile.doubt = {};
    profile.steps = 0;
    profile.family.clear();
  }
  fields.required("name", profile.name);
  fields.optional("description", profile.description);
  fields.optional("family", profile.family);
  fields.optional("tables", profile.tables);
  fields.optional("steps", profile.steps);
  read_habits(fields, profile.habits);
  bool fp8 = true;  // `has_fp8` asks for it
  fields.optional("fp8", fp8);
  read_figures(fields, profile, !like.empty());
  read_doubt(fields, profile.doubt);
  fields.done();
  return profile;
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

std::string relearnt_text(const fs::path& file, const KernelProfile& profile) {
  std::string text = read_text_file(file);
  const std::size_t place = text.find(learnt_line);
  if (place == std::string::npos)
    throw InputError({.file = file.string()}, "", "has no line `# Learnt: ...` to write below");
  text.resize(place + learnt_line.size());
  text += fmt::format("steps: {}\n", profile.steps);
  const std::size_t count = stack_figures.size();
  for (const StackFigure& figure : stack_figures) {
    const double value = figure.value(profile);
    text += figure.key == "kernel_start"
                ? fmt::format("{}: {:.4g} us [steps]\n", figure.key, 1e6 * value)
                : fmt::format("{}: {:.4g} [steps]\n", figure.key, value);
  }
  text += "discrepancy:\n";
  for (const auto& [key, deviation] : discrepancies)
    text += fmt::format("  {}: {:.3g}\n", key, profile.doubt.discrepancy.*deviation);
  text += "covariance:\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += "  - [";
    for (std::size_t j = 0; j < count; ++j)
      text += fmt::format("{}{:.3g}", j == 0 ? "" : ", ", profile.doubt.covariance[i * count + j]);
    text += "]\n";
  }
  return text;
}

}  // namespace config
}  // namespace tofn
