#include "sim/formats/text/stated_command.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "sim/core/words.hpp"

namespace tofn {
inline namespace formats {
namespace {

enum class Says { Nodes, Ranks, RanksPerNode, MappedPerNode, Hosts, Accelerators };
enum class Family { None, Slurm, Mpi, Torch, DeepSpeed, NcclTests };

struct Starter {
  std::string_view name;
  Family family;
};
constexpr std::array starters{Starter{"srun", Family::Slurm},
                              Starter{"salloc", Family::Slurm},
                              Starter{"sbatch", Family::Slurm},
                              Starter{"mpirun", Family::Mpi},
                              Starter{"mpiexec", Family::Mpi},
                              Starter{"mpiexec.hydra", Family::Mpi},
                              Starter{"orterun", Family::Mpi},
                              Starter{"prterun", Family::Mpi},
                              Starter{"aprun", Family::Mpi},
                              Starter{"torchrun", Family::Torch},
                              Starter{"torch.distributed.run", Family::Torch},
                              Starter{"torch.distributed.launch", Family::Torch},
                              Starter{"deepspeed", Family::DeepSpeed}};

struct CountOption {
  Family family;
  std::string_view name;  ///< without leading dashes, with `-` for each `_`
  Says says;
};
/// Options from the manual pages of srun, of mpirun (Open MPI, MPICH, Intel MPI) and of aprun;
/// torch/distributed/run.py, deepspeed/launcher/runner.py, and src/common.cu of nccl-tests.
constexpr std::array options{CountOption{Family::Slurm, "N", Says::Nodes},
                             CountOption{Family::Slurm, "nodes", Says::Nodes},
                             CountOption{Family::Slurm, "n", Says::Ranks},
                             CountOption{Family::Slurm, "ntasks", Says::Ranks},
                             CountOption{Family::Slurm, "ntasks-per-node", Says::RanksPerNode},
                             CountOption{Family::Mpi, "np", Says::Ranks},
                             CountOption{Family::Mpi, "n", Says::Ranks},
                             CountOption{Family::Mpi, "N", Says::RanksPerNode},
                             CountOption{Family::Mpi, "npernode", Says::RanksPerNode},
                             CountOption{Family::Mpi, "ppn", Says::RanksPerNode},
                             CountOption{Family::Mpi, "perhost", Says::RanksPerNode},
                             CountOption{Family::Mpi, "map-by", Says::MappedPerNode},
                             CountOption{Family::Mpi, "H", Says::Hosts},
                             CountOption{Family::Mpi, "host", Says::Hosts},
                             CountOption{Family::Torch, "nnodes", Says::Nodes},
                             CountOption{Family::Torch, "nproc-per-node", Says::RanksPerNode},
                             CountOption{Family::DeepSpeed, "num-nodes", Says::Nodes},
                             CountOption{Family::DeepSpeed, "num-gpus", Says::RanksPerNode},
                             CountOption{Family::NcclTests, "g", Says::Accelerators},
                             CountOption{Family::NcclTests, "ngpus", Says::Accelerators},
                             CountOption{Family::NcclTests, "t", Says::Accelerators},
                             CountOption{Family::NcclTests, "nthreads", Says::Accelerators}};

/// Removes quotes and brackets of a page or of another shell.
std::string_view bare(std::string_view word) {
  constexpr std::string_view marks = "\"'`()";
  const std::size_t start = std::min(word.find_first_not_of(marks), word.size());
  word.remove_prefix(start);
  return word.substr(0, word.find_last_not_of(marks) + 1);
}

const CountOption* option_named(Family family, std::string_view word) {
  std::string name(word);
  std::replace(name.begin(), name.end(), '_', '-');
  const auto* const found = std::ranges::find_if(
      options, [&](const CountOption& each) { return each.family == family && each.name == name; });
  return found == options.end() ? nullptr : found;
}

/// Returns 8 for `ppr:8:node` and `ppr:8:node:PE=4`.
std::optional<int> mapped_per_node(std::string_view value) {
  constexpr std::string_view start = "ppr:";
  constexpr std::string_view unit = ":node";
  if (!value.starts_with(start)) return std::nullopt;
  value.remove_prefix(start.size());
  const std::size_t end = std::min(value.find(':'), value.size());
  return value.substr(end).starts_with(unit) ? parse_count(value.substr(0, end)) : std::nullopt;
}

/// Returns ranks and nodes of `a:8,b:8`; empty if a host has no number of slots.
StatedPlacement placement_of_hosts(std::string_view hosts) {
  StatedPlacement placement{.nodes = 0, .ranks = 0};
  while (!hosts.empty()) {
    const std::string_view host = hosts.substr(0, hosts.find(','));
    const std::size_t colon = host.find_last_of(':');
    const auto slots =
        colon == std::string_view::npos ? std::nullopt : parse_count(host.substr(colon + 1));
    if (!slots) return {};
    ++*placement.nodes;
    *placement.ranks += *slots;
    hosts.remove_prefix(std::min(host.size() + 1, hosts.size()));
  }
  return placement;
}

class CommandReader {
 public:
  StatedPlacement read(std::string_view command) {
    const std::vector<LogWord> words = LogLine{.text = command}.words();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view word = bare(words[i].text);
      if (is_end(word)) break;
      if (take_program(base_name(word)) || family_ == Family::None || !word.starts_with('-'))
        continue;
      take_option(word, i + 1 < words.size() ? bare(words[i + 1].text) : std::string_view{});
    }
    return settled();
  }

 private:
  /// True where another command, or another program's own options, begin.
  bool is_end(std::string_view word) const {
    const bool is_program =
        word.ends_with(".py") || base_name(word).starts_with("osu_") || word.starts_with("IMB-");
    const bool ends_command = word == "|" || word == "&&" || word == ";" || word.starts_with('>');
    return family_ != Family::None && (is_program || ends_command);
  }

  bool take_program(std::string_view name) {
    if (family_ != Family::None && name.ends_with("_perf")) {
      family_ = Family::NcclTests;
      return true;
    }
    const auto* const found = std::ranges::find(starters, name, &Starter::name);
    if (found == starters.end()) return false;
    family_ = found->family;
    stated_ = name;
    counts_ = {.nodes = counts_.nodes};
    hosts_ = {};
    return true;
  }

  /// Reads `--nodes=4`, `--nodes 4`, `-N 4`, `-N4`.
  void take_option(std::string_view word, std::string_view next) {
    std::string_view name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
    std::string_view value = next;
    const std::size_t equals = name.find('=');
    std::string_view stated = word;
    if (equals != std::string_view::npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    } else if (name.size() > 1 && is_whole_number(name.substr(1))) {
      value = name.substr(1);
      name = name.substr(0, 1);
    } else if (next.data() != nullptr) {
      stated = {word.data(), static_cast<std::size_t>(next.data() + next.size() - word.data())};
    }
    const CountOption* const option = option_named(family_, name);
    if (option != nullptr && take(option->says, value)) stated_ += ' ' + std::string(stated);
  }

  /// Takes the first option of its kind; a later one belongs to the program.
  bool take(Says says, std::string_view value) {
    if (says == Says::Hosts) return take_hosts(value);
    const auto count = says == Says::MappedPerNode ? mapped_per_node(value) : parse_count(value);
    if (!count) return false;
    if (says == Says::Accelerators) {
      accelerators_ *= *count;
      return *count > 1;
    }
    std::optional<int>& stated = says == Says::Nodes   ? counts_.nodes
                                 : says == Says::Ranks ? counts_.ranks
                                                       : counts_.ranks_per_node;
    if (stated) return false;
    stated = count;
    return true;
  }

  bool take_hosts(std::string_view value) {
    if (hosts_.ranks) return false;
    hosts_ = placement_of_hosts(value);
    return hosts_.ranks.has_value();
  }

  StatedPlacement settled() {
    if (hosts_.ranks && (!counts_.ranks || counts_.ranks == hosts_.ranks)) {
      counts_.ranks = hosts_.ranks;
      if (!counts_.nodes) counts_.nodes = hosts_.nodes;
    }
    counts_.ranks = counts_.all_ranks();
    if (!counts_.nodes && counts_.ranks && counts_.ranks_per_node)
      counts_.nodes = (*counts_.ranks - 1) / *counts_.ranks_per_node + 1;
    if (counts_.ranks) counts_.ranks = parse_count(std::to_string(*counts_.ranks * accelerators_));
    if (counts_.ranks || counts_.nodes) counts_.stated = stated_;
    return counts_;
  }

  Family family_ = Family::None;
  StatedPlacement counts_;
  StatedPlacement hosts_;
  long long accelerators_ = 1;  ///< per process
  std::string stated_;
};

}  // namespace

StatedPlacement placement_of_command(std::string_view command) {
  return CommandReader().read(command);
}

std::vector<StatedCommand> stated_commands(const LogText& log) {
  std::vector<StatedCommand> commands;
  std::string text;
  const LogLine* start = nullptr;
  for (const LogLine& line : log.lines) {
    if (start == nullptr) start = &line;
    std::string_view part = trimmed(line.text);
    const bool goes_on = part.ends_with('\\');
    if (goes_on) part.remove_suffix(1);
    text += ' ';
    text += part;
    if (goes_on) continue;
    if (StatedPlacement placement = placement_of_command(text); !placement.stated.empty())
      commands.push_back({*start, std::move(placement)});
    start = nullptr;
    text.clear();
  }
  return commands;
}

}  // namespace formats
}  // namespace tofn
