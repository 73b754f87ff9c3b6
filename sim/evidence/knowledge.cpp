#include "sim/evidence/knowledge.hpp"

#include <array>
#include <cctype>

#include "sim/config/load_calibration.hpp"
#include "sim/core/words.hpp"
#include "sim/evidence/collective_tables.hpp"

namespace tofn {
inline namespace evidence {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Removes a leading count: `8xh100` becomes `h100`.
std::string without_count(const std::string& word) {
  const std::size_t cross = word.find_first_not_of("0123456789");
  const bool counts = cross != 0 && cross != word.npos && word[cross] == 'x' &&
                      cross + 1 < word.size() && !is_digit(word[cross + 1]);
  return counts ? word.substr(cross + 1) : word;
}

/// Runs of letters and digits, in lower case: `H100 SXM` is two words.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char each : text) {
    const auto letter = static_cast<unsigned char>(each);
    if (std::isalnum(letter) != 0)
      words.back() += lower_case(each);
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  for (std::string& word : words) word = without_count(word);
  return words;
}

/// Only letters and digits, in lower case: `H100 SXM` and `h100sxm` are equal.
std::string squeezed(const std::string& text) {
  std::string word;
  for (const std::string& each : words_of(text)) word += each;
  return word;
}

/// True if consecutive words form the squeezed name; `gh200` does not spell `h200`.
bool spells(const std::vector<std::string>& words, const std::string& name) {
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string joined;
    for (std::size_t i = first; i < words.size() && joined.size() < name.size(); ++i)
      joined += words[i];
    if (joined == name) return true;
  }
  return false;
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

std::string without_vendor(const std::string& name) {
  for (const std::string_view vendor : {"nvidia ", "amd ", "NVIDIA ", "AMD "})
    if (name.starts_with(vendor)) return name.substr(vendor.size());
  return name;
}

/// Accelerator with the longest name or alias that the words spell.
const Accelerator* named_accelerator(const Library& library,
                                     const std::vector<std::string>& words) {
  const Accelerator* best = nullptr;
  std::size_t longest = 0;
  for (const Accelerator& accelerator : library.accelerators()) {
    std::vector<std::string> names = accelerator.aliases;
    names.push_back(accelerator.name);
    for (const std::string& name : names) {
      const std::string word = squeezed(without_vendor(name));
      if (word.size() <= longest || !spells(words, word)) continue;
      longest = word.size();
      best = &accelerator;
    }
  }
  return best;
}

/// True for `H200`, `A100`, `GH200`: modules on boards, whose memory does not identify their links.
bool is_named_in_short(const Accelerator& accelerator, const std::vector<std::string>& words) {
  const std::string& name = accelerator.name;
  const std::size_t end = name.find(' ');
  if (end == std::string::npos) return false;
  const bool is_module =
      name.compare(end, 4, " SXM") == 0 || (is_digit(name[end + 1]) && name.ends_with("GB"));
  return is_module && spells(words, squeezed(name.substr(0, end)));
}

const Cluster* spelled_cluster(const Library& library, const CollectiveTable& table) {
  const std::vector<std::string> words = words_of(table.file + ' ' + table.source);
  const Accelerator* accelerator = named_accelerator(library, words);
  const NetworkKind network = named_network(squeezed(table.file + ' ' + table.source));
  const Cluster* best = nullptr;
  for (const Cluster& cluster : library.clusters()) {
    if ((cluster.library == CollectiveLibrary::Mpi) != is_of_mpi(table)) continue;
    if (accelerator != nullptr ? cluster.accelerator.name != accelerator->name
                               : !is_named_in_short(cluster.accelerator, words))
      continue;
    const bool has_it = cluster.network && cluster.network->kind == network;
    if (best == nullptr || (has_it && !(best->network && best->network->kind == network)))
      best = &cluster;
  }
  return best;
}

}  // namespace

Knowledge knowledge_of(Library& library, const std::filesystem::path& configs,
                       const std::optional<std::string>& request) {
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
  const Cluster* given = request ? &library.cluster(*request) : nullptr;
  knowledge.cluster_of = [&library, given, known = knowledge.known](const CollectiveTable& table) {
    if (given != nullptr) return given;
    for (const KnownTable& each : known)
      if (each.table.file == table.file && each.cluster != nullptr) return each.cluster;
    return spelled_cluster(library, table);
  };
  return knowledge;
}

std::vector<const Accelerator*> named_accelerators(const Library& library,
                                                   const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (const Accelerator* exact = named_accelerator(library, words)) return {exact};
  std::vector<const Accelerator*> found;
  for (const Accelerator& each : library.accelerators())
    if (is_named_in_short(each, words)) found.push_back(&each);
  return found;
}

std::set<std::string> distinct_words(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  return {words.begin(), words.end()};
}

namespace {

/// False for parts of versions (`v4`), and for names of libraries, which logs of any machine have.
bool is_distinctive(const std::string& word) {
  return word.size() > 2 && word != "mpi" && word != "cuda";
}

}  // namespace

int shared_words(const Cluster& cluster, const std::set<std::string>& text) {
  const std::string accelerator = squeezed(cluster.accelerator.name);
  const std::vector<std::string> name = words_of(cluster.name);
  int shared = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_of_accelerator = accelerator.find(name[i]) != std::string::npos;
    if (is_distinctive(name[i]) && !is_of_accelerator && text.count(name[i]) > 0) ++shared;
    if (i > 0 && text.count(name[i - 1] + name[i]) > 0)
      shared += 2;  // such as `a3mega` of
                    // gcp-a3-mega
  }
  return shared;
}

}  // namespace evidence
}  // namespace tofn
