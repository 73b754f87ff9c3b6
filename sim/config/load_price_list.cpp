#include "sim/config/load_price_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/config/file_keys.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/core/date.hpp"
#include "sim/core/names.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {
namespace {

template <class Walk>
void machine_rows(Walk& walk, ListedPrices& of) {
  price_rows(walk, of.prices);
  walk({"preemption_every", "mean time to a preemption of one spot node", false, range::positive},
       of.preemption_every);
}

/// Reads the prices of one machine; their sources name the list.
ListedPrices read_listed(const YamlNode& node, const std::string& list) {
  ListedPrices listed;
  FieldReader::read_map(node, [&](auto& walk) { machine_rows(walk, listed); });
  bool has_any = false;
  for (auto& price : listed.prices)
    if (price) {
      price->source = fmt::format("{}: {}", list, price->source);
      has_any = true;
    }
  if (!has_any) node.fail("has no price, such as on_demand: 2.10 USD/h");
  return listed;
}

/// Reads the prices of named machines. `find`: returns the machine of a name, or null.
template <class Things, class Find>
std::map<std::string, ListedPrices> read_all(const YamlNode& map, std::string_view what,
                                             const Things& things, const Find& find,
                                             const PriceList& list) {
  std::map<std::string, ListedPrices> all;
  for (const auto& [name, node] : map.entries()) {
    const auto* thing = find(name);
    if (thing == nullptr) {
      std::vector<std::string> names;
      for (const auto& each : things) names.push_back(each.name);
      node.fail(unknown_listed_name(what, name, names));
    }
    const auto listed = read_listed(node, fmt::format("{} of {}", list.name, list.date));
    if (!all.emplace(thing->name, listed).second) node.fail("is listed twice");
  }
  return all;
}

void read_date(const YamlNode& node, std::string& date) {
  node.read(date);
  if (!parse_date(date))
    node.fail(fmt::format("expected the day that they are of, such as 2026-11-20, got '{}'",
                          shortened(date)));
}

/// Rows of a list. `library` knows the names of machines; nullptr if the rows are only listed.
template <class Walk>
void list_rows(Walk& walk, PriceList& list, const Library* library) {
  walk({"name", "name of the list", true}, list.name);
  walk.with({"date", "day of the prices", true}, "such as 2026-11-20",
            [&](const YamlNode& node) { read_date(node, list.date); });
  walk.with({"clusters", "prices by the name of a cluster"}, "map of maps",
            [&](const YamlNode& node) {
              list.clusters = read_all(
                  node, "cluster", library->clusters(),
                  [&](const std::string& name) { return library->find_cluster(name); }, list);
            });
  walk.with(
      {"accelerators", "prices by the name of an accelerator, for clusters without their own"},
      "map of maps", [&](const YamlNode& node) {
        list.accelerators = read_all(
            node, "accelerator", library->accelerators(),
            [&](const std::string& name) { return library->find_accelerator(name); }, list);
      });
}

}  // namespace

PriceList load_price_list(const std::filesystem::path& file, const Library& library) {
  const YamlNode root = YamlNode::load(file);
  PriceList list;
  FieldReader::read_map(root, [&](auto& walk) { list_rows(walk, list, &library); });
  if (list.clusters.empty() && list.accelerators.empty())
    root.fail("lists no price: `clusters` or `accelerators` is needed");
  return list;
}

void list_price_list_keys(std::vector<FileKey>& keys) {
  FieldLister lister("price-list", keys);
  PriceList list;
  list_rows(lister, list, nullptr);
  ListedPrices machine;
  for (const char* of : {"clusters.NAME.", "accelerators.NAME."})
    lister.inside(of, [&](auto& walk) { machine_rows(walk, machine); });
}

const ListedPrices* PriceList::of(const Cluster& cluster) const {
  if (const auto own = clusters.find(cluster.name); own != clusters.end()) return &own->second;
  const auto chip = accelerators.find(cluster.accelerator.name);
  return chip == accelerators.end() ? nullptr : &chip->second;
}

Cluster priced(Cluster cluster, const PriceList& list) {
  if (const ListedPrices* listed = list.of(cluster)) cluster.prices = listed->prices;
  return cluster;
}

}  // namespace config
}  // namespace tofn
