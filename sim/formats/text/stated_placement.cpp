#include "sim/formats/text/stated_placement.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "sim/core/bus_factor.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

struct Spelling {
  std::string_view letters;
  CollectiveKind kind;
};
constexpr std::array spellings{Spelling{"allreduce", CollectiveKind::AllReduce},
                               Spelling{"reducescatter", CollectiveKind::ReduceScatter},
                               Spelling{"allgather", CollectiveKind::AllGather},
                               Spelling{"broadcast", CollectiveKind::Broadcast},
                               Spelling{"bcast", CollectiveKind::Broadcast},
                               Spelling{"alltoall", CollectiveKind::AllToAll},
                               Spelling{"sendrecv", CollectiveKind::SendReceive},
                               Spelling{"sendreceive", CollectiveKind::SendReceive}};

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  std::size_t start = text.find_first_not_of(separators);
  while (start != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(separators, end);
  }
  return parts;
}

}  // namespace

std::optional<int> StatedPlacement::all_ranks() const {
  constexpr long long most = 10'000'000;
  const long long product =
      nodes && ranks_per_node ? static_cast<long long>(*nodes) * *ranks_per_node : most + 1;
  if (ranks || product > most) return ranks;
  return static_cast<int>(product);
}

StatedPlacement placement_of_name(std::string_view file) {
  const std::size_t slash = file.find_last_of("/\\");
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  StatedPlacement placement;
  placement.collective = collective_named(file);
  for (const std::string_view part : parts_of(file, "-_. ")) {
    const std::size_t cross = part.find('x');
    if (cross == std::string_view::npos) continue;
    const auto nodes = parse_count(part.substr(0, cross));
    const auto ranks = parse_count(part.substr(cross + 1));
    if (!nodes || !ranks) continue;
    if (!placement.stated.empty() && placement.stated != part)
      return {.collective = placement.collective};
    placement.nodes = nodes;
    placement.ranks_per_node = ranks;
    placement.stated = part;
  }
  return placement;
}

StatedPlacement placement_of_sentence(std::string_view source) {
  StatedPlacement placement;
  const std::vector<std::string_view> words = parts_of(source, " ,;\t\r");
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] != "node" && words[i] != "nodes" && words[i] != "node(s)") continue;
    const auto nodes = parse_count(words[i - 1]);
    if (!nodes) continue;
    if (placement.nodes && *placement.nodes != *nodes) return {};
    placement.nodes = nodes;
    placement.stated = std::string(words[i - 1]) + ' ' + std::string(words[i]);
    if (i + 2 >= words.size() || words[i + 1] != "x") continue;
    placement.ranks_per_node = parse_count(words[i + 2]);
    if (placement.ranks_per_node) placement.stated += " x " + std::string(words[i + 2]);
  }
  return placement;
}

std::optional<CollectiveKind> collective_named(std::string_view name) {
  std::string letters = lower_case(name);
  std::erase_if(letters, [](char c) { return c == '_' || c == '-' || c == ' '; });
  std::optional<CollectiveKind> found;
  for (const Spelling& spelling : spellings) {
    if (letters.find(spelling.letters) == std::string::npos) continue;
    if (found && *found != spelling.kind) return std::nullopt;
    found = spelling.kind;
  }
  return found;
}

double bus_factor_of(CollectiveKind kind, int ranks) {
  return kind == CollectiveKind::SendReceive ? 1.0
                                             : bus_factor(collective_name(kind), ranks).value();
}

}  // namespace formats
}  // namespace tofn
