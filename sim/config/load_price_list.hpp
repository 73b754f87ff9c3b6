#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "sim/config/library.hpp"

namespace tofn {
inline namespace config {

/// Prices of one kind of machine.
struct ListedPrices {
  Prices prices{};
  std::optional<Seconds> preemption_every{};  ///< mean, of one spot node
};

/// Prices quoted on one day.
struct PriceList {
  std::string name;
  std::string date;                                  ///< `2026-11-20`
  std::map<std::string, ListedPrices> clusters;      ///< by the name in the cluster's file
  std::map<std::string, ListedPrices> accelerators;  ///< for clusters that are not listed

  /// Returns the prices of a cluster; nullptr if the list has none.
  const ListedPrices* of(const Cluster&) const;
};

/// Reads a list: maps `clusters` and `accelerators` of names to prices, as in files of clusters,
/// and `preemption_every`. Mistakes are InputErrors with file, line and column.
PriceList load_price_list(const std::filesystem::path&, const Library&);

/// Returns the cluster at the list's prices, whose sources state the list's name and date;
/// unchanged if the list has none for it.
Cluster priced(Cluster, const PriceList&);

}  // namespace config
}  // namespace tofn
