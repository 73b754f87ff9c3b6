#include "sim/config/load_price_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/config/load_parts.hpp"
#include "sim/core/date.hpp"
#include "sim/core/names.hpp"
#include "sim/yaml/read_in.hpp"

namespace tofn {
inline namespace config {
namespace {

/// Reads the prices of one machine; their sources name the list.
ListedPrices read_listed(const YamlNode& node, const std::string& list) {
  ListedPrices listed;
  Fields fields = node.fields();
  listed.prices = read_prices(fields);
  read_in(range::positive, fields, "preemption_every", listed.preemption_every);
  fields.done();
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
std::map<std::string, ListedPrices> read_all(Fields& fields, std::string_view key,
                                             std::string_view what, const Things& things,
                                             const Find& find, const std::string& list) {
  std::map<std::string, ListedPrices> all;
  const auto map = fields.optional_child(key);
  if (!map) return all;
  for (const auto& [name, node] : map->entries()) {
    const auto* thing = find(name);
    if (thing == nullptr) {
      std::vector<std::string> names;
      for (const auto& each : things) names.push_back(each.name);
      node.fail(unknown_listed_name(what, name, names));
    }
    if (!all.emplace(thing->name, read_listed(node, list)).second) node.fail("is listed twice");
  }
  return all;
}

}  // namespace

PriceList load_price_list(const std::filesystem::path& file, const Library& library) {
  const YamlNode root = YamlNode::load(file);
  PriceList list;
  Fields fields = root.fields();
  fields.required("name", list.name);
  const YamlNode date = fields.child("date");
  date.read(list.date);
  if (!parse_date(list.date))
    date.fail(fmt::format("expected the day that they are of, such as 2026-11-20, got '{}'",
                          shortened(list.date)));
  const std::string stated = fmt::format("{} of {}", list.name, list.date);
  list.clusters = read_all(
      fields, "clusters", "cluster", library.clusters(),
      [&](const std::string& name) { return library.find_cluster(name); }, stated);
  list.accelerators = read_all(
      fields, "accelerators", "accelerator", library.accelerators(),
      [&](const std::string& name) { return library.find_accelerator(name); }, stated);
  fields.done();
  if (list.clusters.empty() && list.accelerators.empty())
    root.fail("lists no price: `clusters` or `accelerators` is needed");
  return list;
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
