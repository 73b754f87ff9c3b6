#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "sim/config/load_link_family.hpp"
#include "sim/core/date.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/starter/starters.hpp"
#include "sim/yaml/read_in.hpp"

namespace tofn {
inline namespace starter {
namespace {

/// Letters and digits of a name in lower case, without the vendor: `NVIDIA H100-SXM5-80GB` becomes
/// `h100 sxm5 80gb`.
std::string plain_name(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0)
      text += lower_case(c);
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  for (const std::string_view maker : {"nvidia ", "amd ", "instinct "})
    if (text.starts_with(maker)) text.erase(0, maker.size());
  return text;
}

/// Choices from which the starter is made.
struct Choice {
  const Accelerator* accelerator = nullptr;
  bool is_stated = false;
  bool is_seen = false;
  int per_node = 0;
  const Cluster* like = nullptr;  ///< shipped cluster with that chip; null if there is none
};

const Cluster* shipped_like(const Library& library, const Accelerator& accelerator, int per_node) {
  const Cluster* like = nullptr;
  for (const Cluster& cluster : library.clusters()) {
    if (cluster.accelerator.name != accelerator.name || cluster.library != CollectiveLibrary::Nccl)
      continue;
    if (cluster.accelerators_per_node.value == per_node) return &cluster;
    if (like == nullptr) like = &cluster;
  }
  return like;
}

Choice choose(const SeenMachine& seen, const Library& library,
              const std::optional<std::string>& request) {
  constexpr const char* typical = "H100 SXM";
  constexpr int typical_per_node = 8;
  Choice choice;
  if (request) {
    choice.accelerator = accelerator_called(library, *request);
    choice.is_stated = choice.accelerator != nullptr;
    if (choice.accelerator == nullptr) {
      std::vector<std::string> names;
      for (const Accelerator& each : library.accelerators()) names.push_back(each.name);
      throw InputError({}, "--accelerator", unknown_listed_name("accelerator", *request, names));
    }
  } else if (!seen.accelerators.empty()) {
    choice.accelerator = accelerator_called(library, seen.accelerators.front().name);
    choice.is_seen = choice.accelerator != nullptr;
  }
  if (choice.accelerator == nullptr) choice.accelerator = library.find_accelerator(typical);
  if (choice.accelerator == nullptr)
    throw InputError(fmt::format("{} is not in accelerators/: state --accelerator", typical));
  choice.per_node =
      seen.accelerators.empty() ? typical_per_node : static_cast<int>(seen.accelerators.size());
  choice.like = shipped_like(library, *choice.accelerator, choice.per_node);
  return choice;
}

/// A line `value [tag]  # comment` with aligned comments.
std::string line(std::string_view key, const std::string& value, std::string_view comment) {
  return fmt::format("{:<38}  # {}\n", fmt::format("{}: {}", key, value), comment);
}

std::string what_was_seen(const SeenMachine& seen, const Choice& choice) {
  std::string text =
      fmt::format("# A cluster of machines like {}, on which this file was begun on {}.\n",
                  seen.host.empty() ? "this one" : seen.host, date_text(today()));
  if (seen.accelerators.empty())
    text +=
        choice.is_stated
            ? "# No accelerator was seen here: their number in a machine is ASSUMED, replace it.\n"
            : "# No accelerator was seen here: those below are ASSUMED, replace them.\n";
  else
    text += fmt::format("# Seen: {} x {} ({}).\n", seen.accelerators.size(),
                        seen.accelerators.front().name, seen.accelerators.front().from);
  if (!seen.accelerators.empty() && !choice.is_seen && !choice.is_stated)
    text += "# No file of accelerators/ is of that name: the chip below is ASSUMED, replace it.\n";
  if (seen.ports.count > 0)
    text += fmt::format("# Seen: {} ports of {} to the network ({}).\n", seen.ports.count,
                        to_text(seen.ports.bandwidth, 4), seen.ports.from);
  else
    text += "# No port to a network was seen here: those below are ASSUMED, replace them.\n";
  return text +
         "# [seen] marks what was seen, [file] what a file of tofn says, [assumed] the rest.\n";
}

std::string scale_up_lines(const Library& library, const Choice& choice, std::string_view seen) {
  const Accelerator& chip = *choice.accelerator;
  const ScaleUpKind kind = choice.like != nullptr                   ? choice.like->scale_up.kind
                           : chip.scale_up_link.starts_with("PCIe") ? ScaleUpKind::Pcie
                                                                    : ScaleUpKind::Switch;
  const bool reduces = choice.like != nullptr && choice.like->scale_up.in_switch_reduction.value;
  const std::vector<LinkFamily> families(library.link_families().begin(),
                                         library.link_families().end());
  const std::string called =
      fmt::format("{} {}", name_in(scale_up_kinds, kind), chip.scale_up_link);
  const LinkFamily family = family_of_links(families, LinkTier::ScaleUp, called);
  const int domain =
      choice.like != nullptr && choice.like->accelerators_per_node.value == choice.per_node
          ? choice.like->scale_up.domain_accelerators.value
          : choice.per_node;
  const char* from = choice.like != nullptr ? "[file]" : "[assumed]";
  std::string text = "scale_up:  # what joins accelerators without the network\n";
  text += line("  kind", std::string(name_in(scale_up_kinds, kind)),
               "switch, mesh, pcie, bridge-pairs");
  text += line("  domain_accelerators",
               fmt::format("{} {}", domain, domain == choice.per_node ? seen : from),
               "accelerators that it joins: a multiple of a node's");
  text += line("  bandwidth", fmt::format("{} [file]", to_text(chip.scale_up_bandwidth.value, 6)),
               "per accelerator and direction");
  text += line("  in_switch_reduction", fmt::format("{} {}", reduces, from),
               "true where its switches add up (NVLS)");
  if (!family.name.empty())
    return text + fmt::format(
                      "  # bandwidth_efficiency and latency are those of {}: state your own\n"
                      "  # where you measured them, e.g. `latency: 2 us [assumed]`.\n",
                      family.name);
  text += line("  bandwidth_efficiency", "0.8 [assumed]",
               "share of the bandwidth that large messages reach");
  return text + line("  latency", "2.5 us [assumed]", "per hop, as a collective sees it");
}

std::string network_lines(const SeenMachine& seen, const Choice& choice) {
  const bool is_seen = seen.ports.count > 0;
  const char* tag = is_seen ? "[seen]" : "[assumed]";
  const int ports = is_seen ? seen.ports.count : choice.per_node;
  const BytesPerSecond bandwidth = is_seen ? seen.ports.bandwidth : BytesPerSecond{400e9 / 8};
  std::string text = "network:  # what joins the domains; leave it out of a single machine\n";
  text += line("  kind", is_seen ? seen.ports.kind : "infiniband",
               "infiniband, roce, ethernet, slingshot");
  text += line("  nics_per_node", fmt::format("{} {}", ports, tag), "ports that a training uses");
  text += line("  nic_bandwidth", fmt::format("{:g} Gb/s {}", bandwidth.base() * 8 / 1e9, tag),
               "per port and direction");
  text += line("  in_network_reduction", "false [assumed]", "true with SHARP");
  text += line("  nodes_per_leaf", "32 [assumed]", "nodes that reach each other by one switch");
  text += line("  oversubscription", "1.0 [assumed]", "ratio of the spine; 1: none");
  return text;
}

}  // namespace

const Accelerator* accelerator_called(const Library& library, std::string_view seen) {
  const std::string wanted = plain_name(seen);
  for (const Accelerator& each : library.accelerators()) {
    const auto is_it = [&](const std::string& name) { return plain_name(name) == wanted; };
    if (is_it(each.name) || std::ranges::any_of(each.aliases, is_it)) return &each;
  }
  return nullptr;
}

std::string cluster_starter(const SeenMachine& seen, const Library& library,
                            const std::string& name,
                            const std::optional<std::string>& accelerator) {
  const Choice choice = choose(seen, library, accelerator);
  const Accelerator& chip = *choice.accelerator;
  const char* tag = seen.accelerators.empty() ? "[assumed]" : "[seen]";
  std::string text = what_was_seen(seen, choice);
  text += "format: 2\n";
  text += line("name", yaml_text(name), "name by which commands take it");
  text += fmt::format("description: {}\n",
                      yaml_text(fmt::format("nodes of {} {}", choice.per_node, chip.name)));
  const char* const known_by = choice.is_stated ? "stated" : choice.is_seen ? "seen" : "ASSUMED";
  text += line("accelerator", yaml_text(chip.name),
               fmt::format("{}; `tofn list accelerators`", known_by));
  text += "sources:\n";
  text += fmt::format(
      "  seen: {}\n",
      yaml_text(fmt::format("{}, {}, by tofn init cluster",
                            seen.host.empty() ? "this machine" : seen.host, date_text(today()))));
  text += fmt::format(
      "  file: {}\n",
      yaml_text(choice.like != nullptr ? fmt::format("accelerator {} and cluster {} of tofn",
                                                     chip.name, choice.like->name)
                                       : fmt::format("accelerator {} of tofn", chip.name)));
  text += "node:\n" + line("  accelerators", fmt::format("{} {}", choice.per_node, tag),
                           "accelerators of one machine");
  text += scale_up_lines(library, choice, tag) + network_lines(seen, choice);
  text +=
      "# power and prices: `tofn explain power.host`, `tofn explain prices`. An example:\n"
      "# prices:\n#   on_demand: 2.50 USD/h [assumed]\n";
  return text;
}

}  // namespace starter
}  // namespace tofn
