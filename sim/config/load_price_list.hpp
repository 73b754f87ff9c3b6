#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "sim/config/library.hpp"

namespace tofn {
inline namespace config {

/// What somebody asks for one kind of machines.
struct ListedPrices {
  Prices prices{};
  std::optional<Seconds> preemption_every{};  ///< mean, of one spot node
};

/// What somebody was asked for machines on one day.
struct PriceList {
  std::string name;
  std::string date;                                  ///< `2026-11-20`
  std::map<std::string, ListedPrices> clusters;      ///< by the name that the cluster's file has
  std::map<std::string, ListedPrices> accelerators;  ///< of clusters that are not listed themselves

  /// Those of a cluster; nullptr where the list has none of it.
  const ListedPrices* of(const Cluster&) const;
};

/// `clusters` and `accelerators` are maps of names to prices as files of clusters have them, and
/// `preemption_every`. Mistakes are InputErrors at file, line and column.
PriceList load_price_list(const std::filesystem::path&, const Library&);

/// The cluster at the list's prices, whose sources bear its name and date; as it is where the list
/// has none of it.
Cluster priced(Cluster, const PriceList&);

}  // namespace config
}  // namespace tofn
