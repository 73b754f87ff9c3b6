#include "sim/evidence/log_candidates.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/evidence/collective_tables.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/validation/link_lint.hpp"

namespace tofn {
inline namespace evidence {
namespace {

bool has_words(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

bool is_on(const Cluster& cluster, std::string_view family) {
  return cluster.network && cluster.network->family.name == family;
}

bool is_of_kind(const Cluster& cluster, NetworkKind kind) {
  return cluster.network && cluster.network->kind == kind;
}

/// Words that a library prints only on some machines.
struct PrintedFact {
  std::string_view words;
  bool (*allows)(const Cluster&);
};

// Sources of the words: nccl/src/init.cc and src/transport/net_ib, rccl/src/init.cc,
// aws-ofi-nccl/src/nccl_ofi_net.cpp, and Google's plugin.
constexpr std::array printed_facts{
    PrintedFact{"+cuda", [](const Cluster& c) { return c.accelerator.vendor == "NVIDIA"; }},
    PrintedFact{"RCCL version", [](const Cluster& c) { return c.accelerator.vendor == "AMD"; }},
    PrintedFact{"rccl-tests", [](const Cluster& c) { return c.accelerator.vendor == "AMD"; }},
    PrintedFact{"HIP version", [](const Cluster& c) { return c.accelerator.vendor == "AMD"; }},
    PrintedFact{":1/RoCE", [](const Cluster& c) { return is_of_kind(c, NetworkKind::Roce); }},
    PrintedFact{":1/IB", [](const Cluster& c) { return is_of_kind(c, NetworkKind::Infiniband); }},
    PrintedFact{"rovider is efa", [](const Cluster& c) { return is_on(c, "efa"); }},
    PrintedFact{"rovider is cxi",
                [](const Cluster& c) { return is_of_kind(c, NetworkKind::Slingshot); }},
    PrintedFact{"NET/FasTrak", [](const Cluster& c) { return is_on(c, "tcpx"); }},
    PrintedFact{"NET/GPUDirectTCPX", [](const Cluster& c) { return is_on(c, "tcpx"); }}};

/// True if NCCL or RCCL runs on such a machine.
bool has_nccl(const Cluster& cluster) {
  const std::string& vendor = cluster.accelerator.vendor;
  return cluster.library == CollectiveLibrary::Nccl && (vendor == "NVIDIA" || vendor == "AMD");
}

/// True if the table's benchmark runs on such a machine.
bool has_library(const Cluster& cluster, const CollectiveTable& table) {
  return is_of_mpi(table) ? cluster.library == CollectiveLibrary::Mpi : has_nccl(cluster);
}

/// Clusters with the accelerator of the log; if none is named, all that run its benchmark.
MachineOfLog machines_of(const CollectiveTable& table, const std::filesystem::path& log,
                         const Library& library, const Knowledge& knowledge) {
  MachineOfLog machine = machine_of_log(table, log, library, knowledge);
  if (machine.candidates.empty() && machine.by.empty())
    for (const Cluster& each : library.clusters())
      if (has_library(each, table)) machine.candidates.push_back(&each);
  return machine;
}

/// True if the links of the candidate's machine allow its rows.
bool is_within_links(const LogCandidate& candidate) try {
  return faults_on(candidate.table, *candidate.cluster).impossible.empty();
} catch (const InputError&) {  // the ranks do not fit there
  return false;
}

/// Possible numbers of nodes if all are full, with this many ranks each.
std::vector<int> full_nodes(const OpenTable& open, int ranks_per_node) {
  if (open.nodes) return {*open.nodes};
  if (!open.most_ranks) return {1, 2, 4, 8, 16};
  constexpr int most = 5;
  std::vector<int> nodes;
  const int last = *open.most_ranks / ranks_per_node;
  for (int each = (open.least_ranks + ranks_per_node - 1) / ranks_per_node; each <= last; ++each)
    nodes.push_back(std::max(each, 1));
  if (nodes.size() > most)  // rounded figures of many ranks: jobs have powers of two
    std::erase_if(nodes, [](int each) { return (each & (each - 1)) != 0; });
  return nodes;
}

/// Numbers of nodes that divide the ranks evenly, the fewest first.
std::vector<int> even_nodes(int ranks, int accelerators_per_node) {
  std::vector<int> nodes;
  for (int each = std::min(accelerators_per_node, ranks); each >= 1; --each)
    if (ranks % each == 0) nodes.push_back(ranks / each);
  return nodes;
}

/// Possible node sizes: that of the requested cluster, or those of all clusters.
std::set<int> node_sizes(const Cluster* request, const Library& library) {
  if (request != nullptr) return {request->accelerators_per_node.value};
  std::set<int> sizes;
  for (const Cluster& each : library.clusters()) sizes.insert(each.accelerators_per_node.value);
  return sizes;
}

/// Hints for each placement on nodes of these sizes, in addition to the caller's.
std::vector<LogHints> hints_of(const OpenTable& open, const LogHints& hints,
                               const std::set<int>& sizes) {
  std::vector<LogHints> all;
  for (const int size : sizes)
    for (LogHints each : placements_on(open, size)) {
      each.collective = hints.collective;
      each.type = hints.type;
      const bool is_new = std::ranges::none_of(all, [&](const LogHints& other) {
        return other.ranks == each.ranks && other.nodes == each.nodes;
      });
      if (is_new) all.push_back(std::move(each));
    }
  return all;
}

/// Tables of the log under a placement; empty if a table contradicts it.
std::vector<CollectiveTable> tables_placed(const std::filesystem::path& log,
                                           const LogHints& hints) {
  try {
    return read_collective_tables(log, hints).tables;
  } catch (const InputError&) {
    return {};
  }
}

/// The log's tables under each possible placement; only one if the log states it.
std::vector<std::vector<CollectiveTable>> readings_of(const std::filesystem::path& log,
                                                      const LogHints& hints,
                                                      const LogReading& reading,
                                                      const std::set<int>& sizes) {
  if (reading.open.empty()) return {reading.tables};
  const OpenTable& open = reading.open.front();
  if (!open.collective) throw InputError(open.question);
  std::vector<std::vector<CollectiveTable>> readings;
  for (const LogHints& each : hints_of(open, hints, sizes))
    if (auto tables = tables_placed(log, each); !tables.empty())
      if (readings.empty() || readings.front().size() == tables.size())
        readings.push_back(std::move(tables));
  if (readings.empty()) throw InputError(open.question);
  return readings;
}

bool is_placed_alike(const CollectiveTable& a, const CollectiveTable& b) {
  return a.ranks == b.ranks && a.nodes == b.nodes;
}

/// True if the table fills its nodes. If the number of ranks is open, only full nodes are tried,
/// because half a node would be as good a guess as any other.
bool fills_nodes(const CollectiveTable& table, const Cluster& cluster) {
  const int accelerators = cluster.accelerators_per_node.value;
  return table.ranks == table.nodes * accelerators || table.ranks < accelerators;
}

/// Words of a log that distinguish machines.
struct LogWords {
  std::string file;  ///< name
  std::string text;
  std::set<std::string> words;  ///< of its file name and its text
  bool has_open_ranks = false;
  bool is_placed = true;

  bool allow(const Cluster& cluster, const CollectiveTable& table) const {
    return may_have_printed(cluster, table, text) &&
           (!has_open_ranks || fills_nodes(table, cluster));
  }
};

/// Every placement of a table on every machine that its log allows. A single machine is not checked
/// against the log, so that a table that does not fit there is reported as a mistake.
std::vector<LogCandidate> candidates_of(const std::vector<std::vector<CollectiveTable>>& readings,
                                        std::size_t index, const MachineOfLog& machine,
                                        const LogWords& log) {
  std::vector<const CollectiveTable*> placed;
  for (const auto& tables : readings)
    if (std::ranges::none_of(placed, [&](const CollectiveTable* other) {
          return is_placed_alike(*other, tables[index]);
        }))
      placed.push_back(&tables[index]);
  std::vector<LogCandidate> candidates;
  for (const CollectiveTable* table : placed)
    for (const Cluster* each : machine.candidates)
      if ((log.is_placed && machine.cluster() != nullptr) || log.allow(*each, *table))
        candidates.push_back({each, *table, shared_words(*each, log.words)});
  std::ranges::stable_sort(candidates,
                           [](const auto& a, const auto& b) { return a.words > b.words; });
  return candidates;
}

/// Candidates of a table. If nothing names the machine of an MPI benchmark, and it is faster than
/// the links of all clusters whose library is MPI, it ran on a machine of NCCL.
TableCandidates table_candidates(const std::vector<std::vector<CollectiveTable>>& readings,
                                 std::size_t index, MachineOfLog machine, const LogWords& log,
                                 const Library& library) {
  auto candidates = candidates_of(readings, index, machine, log);
  if (machine.by.empty() && is_of_mpi(readings.front()[index]) &&
      std::ranges::none_of(candidates, is_within_links)) {
    machine.candidates.clear();
    for (const Cluster& each : library.clusters())
      if (has_nccl(each)) machine.candidates.push_back(&each);
    candidates = candidates_of(readings, index, machine, log);
  }
  if (candidates.empty()) throw InputError({log.file}, "", which_cluster(machine));
  return {std::move(candidates), machine.by};
}

}  // namespace

std::vector<LogHints> placements_on(const OpenTable& open, int accelerators_per_node) {
  std::vector<LogHints> placements;
  const auto add = [&](int ranks, int nodes) {
    LogHints each;
    each.ranks = ranks;
    each.nodes = nodes;
    placements.push_back(std::move(each));
  };
  if (open.has_ranks()) {
    for (const int nodes : even_nodes(open.least_ranks, accelerators_per_node))
      add(open.least_ranks, nodes);
    return placements;
  }
  for (const int nodes : full_nodes(open, accelerators_per_node)) {
    const int ranks = nodes * accelerators_per_node;
    if (ranks >= open.least_ranks && ranks <= open.most_ranks.value_or(ranks)) add(ranks, nodes);
  }
  if (placements.empty() && open.nodes.value_or(1) == 1)
    for (int ranks = open.least_ranks;
         ranks <= std::min(open.most_ranks.value_or(0), accelerators_per_node); ++ranks)
      add(ranks, 1);
  return placements;
}

bool may_have_printed(const Cluster& cluster, const CollectiveTable& table,
                      const std::string& log) {
  if (table.ranks > static_cast<long long>(table.nodes) * cluster.accelerators_per_node.value ||
      (table.nodes > 1 && !cluster.network))
    return false;
  return std::ranges::all_of(printed_facts, [&](const PrintedFact& fact) {
    return !has_words(log, fact.words) || fact.allows(cluster);
  });
}

CandidateReading read_candidates(const std::filesystem::path& log, LogHints hints,
                                 const Cluster* request, const Library& library,
                                 const Knowledge& knowledge) {
  hints.leaves_open = true;
  LogReading reading = read_collective_tables(log, hints);
  hints.leaves_open = false;
  LogWords words;
  words.file = log.filename().string();
  words.text = is_yaml(log) ? std::string{} : read_text_file(log);
  words.words = distinct_words(log.filename().string() + ' ' + words.text);
  words.is_placed = reading.open.empty();
  words.has_open_ranks =
      std::ranges::any_of(reading.open, [](const OpenTable& each) { return !each.has_ranks(); });
  const auto readings = readings_of(log, hints, reading, node_sizes(request, library));
  CandidateReading found{.tables = {}, .remarks = std::move(reading.remarks)};
  for (std::size_t i = 0; i < readings.front().size(); ++i) {
    const MachineOfLog machine = request != nullptr
                                     ? MachineOfLog{{request}, "--cluster"}
                                     : machines_of(readings.front()[i], log, library, knowledge);
    found.tables.push_back(table_candidates(readings, i, machine, words, library));
  }
  return found;
}

}  // namespace evidence
}  // namespace tofn
