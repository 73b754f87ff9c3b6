#include "sim/answers/knowledge.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "sim/answers/collective_tables.hpp"
#include "sim/config/load_calibration.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Letters and digits alone, in lower case: `H100 SXM` and `h100sxm` are the same word.
std::string squeezed(const std::string& text) {
  std::string word;
  for (const char each : text) {
    const auto letter = static_cast<unsigned char>(each);
    if (std::isalnum(letter) != 0) word += static_cast<char>(std::tolower(letter));
  }
  return word;
}

NetworkKind named_network(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, NetworkKind>, 4> words{{
      {"slingshot", NetworkKind::Slingshot},
      {"roce", NetworkKind::Roce},
      {"efa", NetworkKind::Ethernet},
      {"tcpx", NetworkKind::Ethernet},
  }};
  for (const auto& [word, kind] : words)
    if (text.find(word) != std::string::npos) return kind;
  return NetworkKind::Infiniband;
}

/// The longest name or alias of an accelerator that the text spells.
const Accelerator* named_accelerator(const Library& library, const std::string& text) {
  const Accelerator* best = nullptr;
  std::size_t longest = 0;
  for (const Accelerator& accelerator : library.accelerators()) {
    std::vector<std::string> names = accelerator.aliases;
    names.push_back(accelerator.name);
    for (const std::string& name : names) {
      const std::string word = squeezed(name);
      if (word.size() <= longest || text.find(word) == std::string::npos) continue;
      longest = word.size();
      best = &accelerator;
    }
  }
  return best;
}

/// `H200`, `A100`: modules on boards, whose memory says nothing of their links.
bool is_named_in_short(const Accelerator& accelerator, const std::string& text) {
  const std::size_t module = accelerator.name.find(" SXM");
  return module != std::string::npos &&
         text.find(squeezed(accelerator.name.substr(0, module))) != std::string::npos;
}

const Cluster* spelled_cluster(const Library& library, const CollectiveTable& table) {
  const std::string text = squeezed(table.file + ' ' + table.source);
  const Accelerator* accelerator = named_accelerator(library, text);
  const NetworkKind network = named_network(text);
  const bool is_of_mpi = table.tool == "osu" || table.tool == "imb";
  const Cluster* best = nullptr;
  for (const Cluster& cluster : library.clusters()) {
    if ((cluster.library == CollectiveLibrary::Mpi) != is_of_mpi) continue;
    if (accelerator != nullptr ? cluster.accelerator.name != accelerator->name
                               : !is_named_in_short(cluster.accelerator, text))
      continue;
    const bool has_it = cluster.network && cluster.network->kind == network;
    if (best == nullptr || (has_it && !(best->network && best->network->kind == network)))
      best = &cluster;
  }
  return best;
}

}  // namespace

Knowledge knowledge_of(Library& library, const std::filesystem::path& configs,
                       const std::optional<std::string>& asked) {
  Knowledge knowledge;
  if (std::filesystem::is_directory(configs / "calibrations"))
    for (const auto& file : files_at(configs / "calibrations")) {
      const CollectiveCalibration calibration = load_calibration(file);
      const Cluster* cluster =
          calibration.cluster.empty() ? nullptr : &library.cluster(calibration.cluster);
      for (const CollectiveTable& table : calibration.tables)
        knowledge.known.push_back(
            {table, calibration.name, cluster, calibration.sets, calibration.machine});
    }
  const Cluster* given = asked ? &library.cluster(*asked) : nullptr;
  knowledge.cluster_of = [&library, given, known = knowledge.known](const CollectiveTable& table) {
    if (given != nullptr) return given;
    for (const KnownTable& each : known)
      if (each.table.file == table.file && each.cluster != nullptr) return each.cluster;
    return spelled_cluster(library, table);
  };
  return knowledge;
}

std::vector<std::string> clusters_with_named_accelerator(const Library& library,
                                                         const std::string& text) {
  std::vector<std::string> names;
  const Accelerator* accelerator = named_accelerator(library, squeezed(text));
  for (const Cluster& cluster : library.clusters())
    if (accelerator != nullptr && cluster.accelerator.name == accelerator->name)
      names.push_back(cluster.name);
  return names;
}

}  // namespace answers
}  // namespace tofn
