#include "sim/formats/launchers/launch_command.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "sim/core/words.hpp"
namespace tofn {
inline namespace formats {
namespace {

using Names = std::span<const std::string_view>;

// Options that take no value: torch 2.9 (torch/distributed/run.py), DeepSpeed 0.19
// (deepspeed/launcher/runner.py), accelerate 1.15 (accelerate/commands/launch.py).
constexpr std::array<std::string_view, 7> torchrun_switches{
    "standalone", "no_python", "run_path", "m", "module", "use_env", "virtual_local_rank"};
constexpr std::array<std::string_view, 9> deepspeed_switches{
    "force_multi", "no_ssh",   "no_ssh_check",     "no_local_rank",     "no_python",
    "module",      "save_pid", "elastic_training", "bind_cores_to_rank"};
constexpr std::array<std::string_view, 20> accelerate_switches{"quiet",
                                                               "q",
                                                               "cpu",
                                                               "multi_gpu",
                                                               "tpu",
                                                               "use_mps_device",
                                                               "use_deepspeed",
                                                               "use_fsdp",
                                                               "use_megatron_lm",
                                                               "use_parallelism_config",
                                                               "use_xpu",
                                                               "m",
                                                               "module",
                                                               "no_python",
                                                               "debug",
                                                               "same_network",
                                                               "tpu_cluster",
                                                               "tpu_use_sudo",
                                                               "enable_cpu_affinity",
                                                               "dynamo_use_fullgraph"};
constexpr std::array<std::string_view, 9> python_switches{"u", "O", "OO", "B", "s",
                                                          "E", "I", "v",  "m"};

/// Program that starts the processes, and those of its options that take no value.
struct ProcessLauncher {
  std::string_view name;
  Names switches;
  bool has_launch_word = false;  ///< true if `launch` must follow: `accelerate launch`
};
constexpr std::array<ProcessLauncher, 4> launchers{{
    {"torchrun", torchrun_switches},
    {"deepspeed", deepspeed_switches},
    {"accelerate", accelerate_switches, true},
    {"python", python_switches},
}};

/// Programs that start another program, which stands among their words.
constexpr std::array<std::string_view, 21> wrappers{
    "srun",   "mpirun",  "mpiexec", "nohup",       "exec",      "time",   "env",
    "sudo",   "timeout", "numactl", "nsys",        "ncu",       "uv",     "poetry",
    "stdbuf", "taskset", "nice",    "singularity", "apptainer", "docker", "pdsh"};

/// Option of srun such as `-N4`, a letter followed by its value; absent if the word is none.
std::optional<CommandOption> joined_option_of(const Glyphs& word) {
  if (word.size() < 3 || word[0].character != '-' || word[1].unknown > 0) return std::nullopt;
  if (word[1].character == '-' || word[2].character == '=') return std::nullopt;
  return CommandOption{std::string(1, word[1].character), Glyphs(word.begin() + 2, word.end())};
}

std::string base_name_of(const Glyphs& word) {
  return std::string(base_name(known_text(word).value_or("")));
}

const ProcessLauncher* launcher_named(std::string_view name) {
  const bool is_python = name.starts_with("python") &&
                         name.find_first_not_of("0123456789.", 6) == std::string_view::npos;
  const auto found = std::ranges::find_if(launchers, [&](const ProcessLauncher& launcher) {
    return launcher.name == name || (is_python && launcher.name == "python");
  });
  return found == launchers.end() ? nullptr : &*found;
}

/// Index of the process launcher among the words, behind wrappers and `NAME=value`; absent if there
/// is none.
std::optional<std::size_t> launcher_at(const std::vector<Glyphs>& words) {
  const std::string first = base_name_of(words.front());
  const bool wraps = is_any_of(first, wrappers) || first_unknown(words.front()) > 0 ||
                     first.find('=') != std::string::npos;
  for (std::size_t i = 0; i < (wraps ? words.size() : 1); ++i) {
    const ProcessLauncher* launcher = launcher_named(base_name_of(words[i]));
    if (launcher == nullptr) continue;
    if (!launcher->has_launch_word ||
        (i + 1 < words.size() && known_text(words[i + 1]) == "launch"))
      return i;
  }
  return std::nullopt;
}

bool is_torch_module(const std::vector<Glyphs>& words, std::size_t at) {
  if (at + 2 >= words.size() || known_text(words[at + 1]) != "-m") return false;
  const std::string module = known_text(words[at + 2]).value_or("");
  return module == "torch.distributed.run" || module == "torch.distributed.launch";
}

/// True if Python starts no training: tools, and code on the command line.
bool is_other_python(const std::vector<Glyphs>& words, std::size_t at) {
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const std::string word = known_text(words[i]).value_or("");
    if (word == "-c") return true;
    if (word == "-m")
      return i + 1 < words.size() &&
             is_any_of(known_text(words[i + 1]).value_or(""), {"pip", "venv", "ensurepip"});
    if (!word.starts_with('-')) return word == "setup.py";
  }
  return true;  // Python alone
}

/// Adds the words of one command to a file's settings.
class CommandReader {
 public:
  CommandReader(const ShellCommand& command, const ShellSources& sources, LaunchFile& file)
      : words_(command.words), sources_(sources), file_(file) {}

  void read() {
    const std::size_t at = *launcher_at(words_);
    read_wrapper(at);
    std::string_view name = launcher_named(base_name_of(words_[at]))->name;
    std::size_t next = at + 1;
    if (is_torch_module(words_, at)) {
      name = "torchrun";
      next = at + 3;
    }
    const ProcessLauncher& launcher = *launcher_named(name);
    if (launcher.has_launch_word) ++next;
    next = read_launcher(launcher, next);
    read_program(next);
  }

 private:
  /// Reads options of the wrapper, which stand before the launcher: `srun --nodes=4
  /// --ntasks-per-node 8`.
  void read_wrapper(std::size_t end) {
    const std::string name = base_name_of(words_.front());
    if (end == 0 || (name != "srun" && name != "mpirun" && name != "mpiexec")) return;
    for (std::size_t i = 1; i < end; ++i) {
      auto option = name == "srun" ? joined_option_of(words_[i]) : std::nullopt;
      if (!option) option = option_of(words_[i]);
      if (!option) continue;
      const bool has_next = !option->value && i + 1 < end && !option_of(words_[i + 1]);
      add(name + "." + option->name, words_[i],
          option->value ? *option->value
          : has_next    ? words_[i + 1]
                        : Glyphs{});
    }
  }

  /// Reads the options of the launcher, and returns the index of the program.
  std::size_t read_launcher(const ProcessLauncher& launcher, std::size_t next) {
    while (next < words_.size()) {
      auto option = option_of(words_[next]);
      if (!option && may_be_options(next))
        add_unknown({}, words_[next++]);
      else if (!option)
        return next;
      else
        next = read_launcher_option(launcher, std::move(*option), next);
    }
    return next;
  }

  /// True for an unknown variable that no option follows, because it may hold options itself.
  bool may_be_options(std::size_t at) const {
    return is_all_unknown(words_[at]) && at + 1 < words_.size() && !option_of(words_[at + 1]);
  }

  std::size_t read_launcher_option(const ProcessLauncher& launcher, CommandOption option,
                                   std::size_t at) {
    std::replace(option.name.begin(), option.name.end(), '-', '_');
    if (option.name == "m" || option.name == "module") return at + 1;
    const std::string key = std::string(launcher.name) + "." + option.name;
    const bool has_next = !option.value && !is_any_of(option.name, launcher.switches);
    const Glyphs nothing;
    if (!has_next)
      add(key, words_[at], option.value.value_or(nothing));
    else
      add(key, words_[at], at + 1 < words_.size() ? words_[at + 1] : nothing);
    return at + (has_next ? 2 : 1);
  }

  void read_program(std::size_t next) {
    if (next >= words_.size()) return;
    const Glyphs& program = words_[next];
    const std::string path = shown(program, sources_);
    const Location place = sources_.location(program.empty() ? 0 : program.front().at);
    file_.settings.push_back({"program", std::string(base_name(path)), place});
    for (++next; next < words_.size();) {
      if (const auto option = option_of(words_[next]))
        next = read_option(*option, next);
      else
        read_argument(words_[next++]);
    }
  }

  void read_argument(const Glyphs& word) {
    if (const auto pair = pair_of(word))
      add(pair->name, word, *pair->value);
    else if (!word.empty())
      add(is_all_unknown(word) ? "" : "argument", word, word);
  }

  /// Adds the option with the words behind it up to the next option, and returns the index of that.
  std::size_t read_option(const CommandOption& option, std::size_t at) {
    std::size_t next = at + 1;
    Glyphs value = option.value.value_or(Glyphs{});
    for (; !option.value && next < words_.size() && !option_of(words_[next]); ++next) {
      // The word is a setting of its own, or a variable that may hold some.
      if (!value.empty() && (pair_of(words_[next]) || is_all_unknown(words_[next]))) break;
      if (!value.empty()) value.push_back({' ', true, 0, words_[at].front().at});
      value.insert(value.end(), words_[next].begin(), words_[next].end());
    }
    add(option.name, words_[at], value);
    return next;
  }

  void add(const std::string& key, const Glyphs& word, const Glyphs& value) {
    const auto known = known_text(value);
    if (!known)
      add_unknown(key, value);
    else
      file_.settings.push_back({key, *known, sources_.location(word.front().at)});
  }

  void add_unknown(const std::string& key, const Glyphs& value) {
    const ShellUnknown& unknown = sources_.unknown(first_unknown(value));
    file_.not_understood.push_back({.key = key,
                                    .text = shown(value, sources_),
                                    .reason = unknown.reason,
                                    .place = sources_.location(unknown.at)});
  }

  const std::vector<Glyphs>& words_;
  const ShellSources& sources_;
  LaunchFile& file_;
};

}  // namespace

bool starts_training(const ShellCommand& command) {
  const auto at = launcher_at(command.words);
  if (!at) return false;
  if (launcher_named(base_name_of(command.words[*at]))->name != "python") return true;
  return is_torch_module(command.words, *at) || !is_other_python(command.words, *at);
}

bool starts_processes(const ShellCommand& command) {
  const auto at = launcher_at(command.words);
  return at && (launcher_named(base_name_of(command.words[*at]))->name != "python" ||
                is_torch_module(command.words, *at));
}

void add_command_settings(const ShellCommand& command, const ShellSources& sources,
                          LaunchFile& file) {
  CommandReader(command, sources, file).read();
}

}  // namespace formats
}  // namespace tofn
