#include "sim/launch/launch_stack.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace launch {
namespace {

/// A row for each; where a file is of several, the first counts.
constexpr auto all_stacks = std::to_array<const LaunchStack*>(
    {&primus_stack, &primus_titan_stack, &neox_stack, &torchtitan_stack, &torchtitan_registry_stack,
     &maxtext_stack, &fms_stack, &composer_stack, &accelerate_stack, &deepspeed_stack, &nemo_stack,
     &megatron_stack});

/// Software whose files no row reads, though other keys of theirs may be a row's.
struct UnreadStack {
  std::string_view key;  ///< theirs alone; with a dot at its end all that start so
  std::string_view name;
};
constexpr auto unread_stacks =
    std::to_array<UnreadStack>({{"finetuning_type", "LLaMA-Factory"},
                                {"base_model", "axolotl"},
                                {"tokens.batch_accumulation_per_replica", "nanotron"},
                                {"tokens.micro_batch_size", "nanotron"},
                                {"step_scheduler.", "NeMo AutoModel"},
                                {"trainer.num_train_steps", "Levanter"},
                                {"trainer.train_batch_size", "Levanter"},
                                {"model._component_", "torchtune"},
                                {"actor_rollout_ref.", "verl"},
                                {"runner_config.", "MindFormers"},
                                {"distributed_training.", "fairseq"},
                                {"save_interval_unsharded", "OLMo"},
                                {"distributed.pp_engine", "picotron"}});

bool is_of(const UnreadStack& stack, std::string_view key) {
  return stack.key.ends_with('.') ? key.starts_with(stack.key) : key == stack.key;
}

std::vector<std::string> stack_names() {
  std::vector<std::string> names;
  for (const LaunchStack* stack : all_stacks) names.emplace_back(stack->name);
  return names;
}

enum class Counted { Nodes, OfNode, OfAllNodes };

/// A launcher's option that counts nodes or processes; of one that names nodes nothing is counted.
struct LauncherCount {
  std::string_view key;
  Counted counted;
};
constexpr auto launcher_counts =
    std::to_array<LauncherCount>({{"sbatch.nodes", Counted::Nodes},
                                  {"srun.nodes", Counted::Nodes},
                                  {"srun.N", Counted::Nodes},
                                  {"torchrun.nnodes", Counted::Nodes},
                                  {"deepspeed.hostfile", Counted::Nodes},
                                  {"deepspeed.num_nodes", Counted::Nodes},
                                  {"sbatch.gpus-per-node", Counted::OfNode},
                                  {"sbatch.ntasks-per-node", Counted::OfNode},
                                  {"torchrun.nproc_per_node", Counted::OfNode},
                                  {"deepspeed.num_gpus", Counted::OfNode},
                                  {"sbatch.ntasks", Counted::OfAllNodes},
                                  {"srun.ntasks", Counted::OfAllNodes},
                                  {"srun.n", Counted::OfAllNodes},
                                  {"mpirun.np", Counted::OfAllNodes},
                                  {"mpirun.n", Counted::OfAllNodes},
                                  {"mpiexec.np", Counted::OfAllNodes},
                                  {"mpiexec.n", Counted::OfAllNodes}});

constexpr long long most_processes = 1'000'000;

struct LauncherCounts {
  std::optional<long long> nodes;
  std::optional<long long> each;  ///< processes of a node
  std::optional<long long> all;   ///< processes of all nodes
  bool has_unknown_nodes = false;

  /// Nodes where they are known: one where nothing speaks of several.
  std::optional<long long> known_nodes() const {
    const bool are_several = has_unknown_nodes || (!nodes && each && all && *all > *each);
    return are_several ? std::nullopt : std::optional(nodes.value_or(1));
  }
};

void add_launcher_count(const LaunchSetting& setting, Counted counted, LauncherCounts& counts) {
  long long count = 0;
  const bool is_known = parse_integer(setting.value, count);
  if (counted == Counted::Nodes) counts.has_unknown_nodes = !is_known;
  if (!is_known) return;
  if (count < 1 || count > most_processes)
    throw InputError(setting.place, setting.key,
                     fmt::format("must be from 1 to {}, got {}", most_processes, count));
  if (counted == Counted::Nodes) counts.nodes = count;
  if (counted == Counted::OfAllNodes) counts.all = count;
  // One task a node starts the processes of that node.
  if (counted == Counted::OfNode && (count > 1 || setting.key != "sbatch.ntasks-per-node"))
    counts.each = count;
}

LauncherCounts launcher_counts_of(const LaunchFile& file) {
  LauncherCounts counts;
  for (const auto& [key, counted] : launcher_counts) {
    for (const LaunchSetting& setting : file.settings)
      if (setting.key == key) add_launcher_count(setting, counted, counts);
    for (const LaunchUnknown& unknown : file.not_understood)
      if (unknown.key == key && counted == Counted::Nodes) counts.has_unknown_nodes = true;
  }
  return counts;
}

/// accelerate counts the processes of all machines.
std::optional<int> process_count(const LaunchFile& file) {
  std::optional<int> last;
  for (const LaunchSetting& setting : file.settings) {
    long long processes = 0;
    const bool counts = setting.key == "num_processes" || setting.key == "accelerate.num_processes";
    if (counts && parse_integer(setting.value, processes) && processes > 0 &&
        processes <= most_processes)
      last = static_cast<int>(processes);
  }
  return last;
}

/// How many the launcher starts, where it says so; of one node where it names none.
LaunchSize launcher_size(const LaunchFile& file, int accelerators_per_node) {
  const LauncherCounts counts = launcher_counts_of(file);
  LaunchSize size{.accelerators = process_count(file),
                  .accelerators_per_node = accelerators_per_node};
  if (counts.each) size.accelerators_per_node = static_cast<int>(*counts.each);
  const auto nodes = counts.known_nodes();
  // A process an accelerator, where each of stated nodes starts several.
  if (!counts.each && counts.all && counts.nodes && nodes && *counts.all > *nodes &&
      *counts.all % *nodes == 0) {
    size.accelerators_per_node = static_cast<int>(*counts.all / *nodes);
    if (!size.accelerators) size.accelerators = static_cast<int>(*counts.all);
  }
  if (!size.accelerators && counts.each && nodes)
    size.accelerators = static_cast<int>(std::min(*nodes * *counts.each, most_processes));
  return size;
}

bool is_launchers(std::string_view key) {
  return key == "program" || key == "argument" ||
         std::any_of(
             launcher_counts.begin(), launcher_counts.end(), [&](const LauncherCount& each) {
               return key.substr(0, key.find('.')) == each.key.substr(0, each.key.find('.'));
             });
}

/// Whether a key of a file may not be left without a value.
bool is_needed(const LaunchKey& key, const LaunchSize& asked) {
  return key.if_unknown == IfUnknown::Refuse ||
         (key.if_unknown == IfUnknown::AskLength && !asked.states_length);
}

std::string sizes_of(const Plan& plan) {
  return fmt::format("dp {}, micro-batch {:g}, {} micro-batches", plan.data_parallel_size,
                     plan.micro_batch, plan.gradient_accumulation);
}

/// The names of what two plans differ in.
std::vector<std::string> differences(const Plan& asked, const Plan& expressed) {
  std::vector<std::string> names;
  visit_plan([&](const PlanField& field, auto member) {
    if (!(asked.*member == expressed.*member)) names.emplace_back(field.name);
  });
  if (asked.gradient_accumulation != expressed.gradient_accumulation ||
      asked.micro_batch != expressed.micro_batch)
    names.push_back(fmt::format("batch ({} for {})", sizes_of(expressed), sizes_of(asked)));
  return names;
}

/// Without what idles, and with the layers of its stages as numbers where it is split like the
/// training's: files may state them otherwise than plans do.
Plan with_counted_layers(const Plan& of, const LaunchedTraining& training) {
  Plan plan = without_idle_options(of);
  Plan split = training.plan;
  if (!training.own_model || plan.pipeline_parallel_size == 1 ||
      plan.pipeline_parallel_size != split.pipeline_parallel_size ||
      plan.chunks_per_stage != split.chunks_per_stage)
    return plan;
  split.stage_layers = plan.stage_layers;
  split.balanced_stages = plan.balanced_stages;
  plan.stage_layers = stage_layers(layer_work(*training.own_model, split), split);
  plan.balanced_stages = false;
  return plan;
}

}  // namespace

std::span<const LaunchStack* const> launch_stacks() { return all_stacks; }

const LaunchStack& launch_stack_named(std::string_view name) {
  for (const LaunchStack* stack : all_stacks)
    if (stack->name == name) return *stack;
  throw InputError(unknown_name("launcher", name, stack_names()));
}

std::string read_launchers() {
  return fmt::format("those of {} are", list_text(stack_names(), "and"));
}

const LaunchStack* launch_stack_of(const LaunchFile& file) {
  const bool is_config = file.format == LaunchFormat::Yaml || file.format == LaunchFormat::Json;
  for (const UnreadStack& unread : unread_stacks)
    for (const LaunchSetting& setting : file.settings)
      if (is_config && is_of(unread, setting.key))
        throw InputError(
            setting.place, setting.key,
            fmt::format("files of {} are not read: {}", unread.name, read_launchers()));
  const auto found = std::find_if(all_stacks.begin(), all_stacks.end(),
                                  [&](const LaunchStack* stack) { return stack->is_of(file); });
  return found == all_stacks.end() ? nullptr : *found;
}

LaunchReading read_training(const LaunchFile& original, const LaunchStack& stack,
                            const LaunchSize& asked) {
  const LaunchFile file = stack.as_flags != nullptr ? stack.as_flags(original) : original;
  LaunchValues values(stack.keys);
  LaunchReading reading;
  const auto is_passed_over = [&](std::string_view key) {
    return std::any_of(stack.passed_over.begin(), stack.passed_over.end(),
                       [&](std::string_view start) { return key.starts_with(start); });
  };
  for (const LaunchUnknown& unknown : file.not_understood)
    if (!is_passed_over(unknown.key)) reading.not_understood.push_back(unknown);
  for (const LaunchSetting& setting : values.take(file)) {
    const bool says_nothing = setting.value == "null";
    if (says_nothing || is_launchers(setting.key) || is_passed_over(setting.key)) continue;
    reading.not_understood.push_back({setting.key, setting.value,
                                      fmt::format("{} is read without it", stack.name),
                                      setting.place});
  }
  // A key whose value is not known must not count as its standard.
  for (const LaunchUnknown& unknown : file.not_understood)
    for (const LaunchKey& key : stack.keys)
      if (key.key == unknown.key && !values.is_stated(key.key) && is_needed(key, asked))
        throw InputError(
            unknown.place, unknown.key,
            fmt::format(
                "'{}' is not known ({}): state it{}", shortened(unknown.text), unknown.reason,
                key.if_unknown == IfUnknown::AskLength ? ", or give --tokens or --samples" : ""));
  LaunchSize size = launcher_size(file, asked.accelerators_per_node);
  size.names_model = asked.names_model;
  size.states_length = asked.states_length;
  if (asked.accelerators && size.accelerators && *asked.accelerators != *size.accelerators)
    reading.other_size = *size.accelerators;
  if (asked.accelerators) size.accelerators = asked.accelerators;
  reading.training = stack.to_training(values, size);
  reading.training.plan = without_idle_options(reading.training.plan);
  return reading;
}

LaunchWriting write_training(const LaunchedTraining& training, const LaunchStack& stack) {
  if (stack.write == nullptr)
    throw InputError(fmt::format("{}: its files are read, not written", stack.name));
  LaunchValues values(stack.keys);
  values.from_plan(training.plan);
  stack.from_training(training, values);
  LaunchWriting writing{.text = stack.write(training, values.settings())};
  const LaunchedTraining read =
      stack.to_training(values, {.accelerators = training.plan.accelerators(),
                                 .accelerators_per_node = training.accelerators_per_node});
  Plan asked = training.plan;
  if (!asked.compile) asked.compile = read.plan.compile;  // absent: as the stack runs
  writing.left_out =
      differences(with_counted_layers(asked, training), with_counted_layers(read.plan, training));
  if (training.own_model && !read.own_model && read.model.empty())
    writing.left_out.emplace_back("the model's layers");
  if (stack.unstated != nullptr) writing.unstated = stack.unstated(training);
  return writing;
}

bool has_key(const LaunchFile& file, std::string_view start) {
  return std::any_of(file.settings.begin(), file.settings.end(),
                     [&](const LaunchSetting& setting) { return setting.key.starts_with(start); });
}

bool has_program(const LaunchFile& file, std::string_view start) {
  return std::any_of(file.settings.begin(), file.settings.end(), [&](const LaunchSetting& setting) {
    return setting.key == "program" && setting.value.starts_with(start);
  });
}

std::vector<std::string> launcher_words(const LaunchedTraining& training,
                                        std::string_view launcher) {
  const int accelerators = training.plan.accelerators();
  const int each = std::min(training.accelerators_per_node, accelerators);
  const bool is_deepspeed = launcher == "deepspeed";
  return {std::string(launcher), is_deepspeed ? "--num_nodes" : "--nnodes",
          fmt::format("{}", (accelerators + each - 1) / each),
          is_deepspeed ? "--num_gpus" : "--nproc_per_node", fmt::format("{}", each)};
}

int rest_of(const LaunchValues& values, std::string_view key, int accelerators,
            std::initializer_list<long long> sizes) {
  const long long others = product_of(values, key, sizes);
  if (others < 1 || accelerators % others != 0)
    values.fail(key, fmt::format("{} ranks of one replica do not divide {} accelerators", others,
                                 accelerators));
  return static_cast<int>(accelerators / others);
}

int quotient_of(const LaunchValues& values, std::string_view key, long long dividend,
                long long divisor) {
  if (divisor < 1 || dividend < 1 || dividend % divisor != 0)
    values.fail(key, fmt::format("{} is no multiple of {}", dividend, divisor));
  return static_cast<int>(std::min<long long>(dividend / divisor, 1'000'000'000));
}

int length_of(const LaunchValues& values, std::string_view key) {
  constexpr int most = std::numeric_limits<int>::max();
  const long long length = values.whole(key);
  if (length < 1 || length > most)
    values.fail(key, fmt::format("must be 1 to {} tokens, is {}", most, length));
  return static_cast<int>(length);
}

long long product_of(const LaunchValues& values, std::string_view key,
                     std::initializer_list<long long> factors) {
  long long product = 1;
  for (const long long factor : factors)
    if (__builtin_mul_overflow(product, factor, &product))
      values.fail(key, fmt::format("{} is too large a number", fmt::join(factors, " x ")));
  return product;
}

void set_accumulation(const LaunchValues& values, std::string_view key, long long micro_batches,
                      Plan& plan) {
  constexpr int most = 1'000'000;
  if (micro_batches < 1 || micro_batches > most)
    values.fail(key, fmt::format("a step has 1 to {} micro-batches", most));
  plan.gradient_accumulation = static_cast<int>(micro_batches);
}

long long agreed(const LaunchValues& values, std::string_view key, std::string_view flag) {
  if (!values.is_stated(flag)) return values.whole(key);
  if (values.is_stated(key) && values.whole(key) != values.whole(flag))
    values.fail(
        flag, fmt::format("is {} here, and {} in {}", values.whole(flag), values.whole(key), key));
  return values.whole(flag);
}

void set_zero_stage(const LaunchValues& values, std::string_view key, long long stage, Plan& plan) {
  if (stage < 0 || stage > 3) values.fail(key, fmt::format("must be 0 to 3, got {}", stage));
  plan.sharded = static_cast<Sharded>(stage);
  plan.data_overlap = stage == 3;  // deepspeed/runtime/zero/config.py: at that stage alone
}

void set_sharding(const LaunchValues& values, std::string_view key, long long replicate,
                  long long shard, int accelerators_per_node, LaunchedTraining& training) {
  Plan& plan = training.plan;
  if (product_of(values, key, {replicate, shard}) != plan.data_parallel_size)
    values.fail(key, fmt::format("{} copies of {} shards are not {} replicas", replicate, shard,
                                 plan.data_parallel_size));
  plan.sharded = shard * plan.context_parallel_size > 1 || replicate == 1 ? Sharded::Parameters
                                                                          : Sharded::Nothing;
  const long long span = shard * plan.tensor_parallel_size * plan.context_parallel_size;
  if (replicate == 1 || plan.sharded != Sharded::Parameters) return;
  plan.shards_in_domain = span == accelerators_per_node;
  if (!plan.shards_in_domain)
    plan.shard_ranks = static_cast<int>(shard * plan.context_parallel_size);
}

}  // namespace launch
}  // namespace tofn
