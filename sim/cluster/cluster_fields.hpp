#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "sim/cluster/best_products.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/core/range.hpp"

// Figures of a cluster's and an accelerator's file, one row each. All code that handles figures
// walks these rows: reading and listing, the basis of an answer and its assumptions, intervals,
// sensitivity, and jobs over two kinds of machine. A new figure needs a member and a row.

namespace tofn {
inline namespace cluster {

/// Part of a run that uses a figure: collectives from the scale-up fabric outwards, then the rest.
enum class Use { ScaleUp, Network, Spine, Kernels, Memory, Host, Energy };

/// Kind of uncertainty of links that changes a figure.
enum class Uncertainty { None, Bandwidth, Latency };

/// Rule that picks one of two machines' figures for a collective over both.
enum class Slower { OfSlowerLink, Larger, Smaller };

/// Role of a figure for collectives.
struct LinkRole {
  bool bears_basis = false;  ///< an assumed one makes an answer assumed; layouts are facts
  Uncertainty uncertainty = Uncertainty::None;
  Slower slower = Slower::OfSlowerLink;
};
namespace role {
inline constexpr LinkRole bandwidth{true, Uncertainty::Bandwidth, Slower::OfSlowerLink};
inline constexpr LinkRole part_of_bandwidth{true, Uncertainty::None, Slower::OfSlowerLink};
inline constexpr LinkRole contention{true, Uncertainty::None, Slower::Larger};
inline constexpr LinkRole latency{true, Uncertainty::Latency, Slower::Larger};
inline constexpr LinkRole layout{false, Uncertainty::None, Slower::Smaller};
inline constexpr LinkRole ability{false, Uncertainty::None, Slower::Smaller};  // of both machines
inline constexpr LinkRole none{};
}  // namespace role

/// Unit of a figure in lists.
struct ListedUnit {
  std::string_view name;  ///< suffix of the column's name; empty: a plain number
  double base = 1;        ///< value in base units
};
namespace listed {
inline constexpr ListedUnit plain{"", 1};
inline constexpr ListedUnit gb{"gb", 1e9};
inline constexpr ListedUnit gbytes_per_s{"gbytes_per_s", 1e9};
inline constexpr ListedUnit gbits_per_s{"gbits_per_s", 1e9 / 8};
inline constexpr ListedUnit tflops{"tflops", 1e12};
inline constexpr ListedUnit us{"us", 1e-6};
inline constexpr ListedUnit w{"w", 1};
inline constexpr ListedUnit kw{"kw", 1e3};
}  // namespace listed

struct ClusterField {
  std::string_view section;  ///< section of the file; empty: top level
  std::string_view key;
  Range range;
  Use use;
  LinkRole role;
  std::string_view listed_as;  ///< without the unit
  ListedUnit unit;

  /// Name in messages: `network.latency`.
  std::string dotted() const {
    return section.empty() ? std::string(key) : std::string(section) + '.' + std::string(key);
  }
  std::string column() const {
    return std::string(listed_as) + (unit.name.empty() ? "" : '_' + std::string(unit.name));
  }
};

/// Returns the figure; null if an optional one is absent.
template <class T>
const Sourced<T>* stated(const Sourced<T>& figure) {
  return &figure;
}
template <class T>
const Sourced<T>* stated(const std::optional<Sourced<T>>& figure) {
  return figure ? &*figure : nullptr;
}
template <class T>
Sourced<T>* stated(Sourced<T>& figure) {
  return &figure;
}
template <class T>
Sourced<T>* stated(std::optional<Sourced<T>>& figure) {
  return figure ? &*figure : nullptr;
}

// Each function calls `visit(field, figure...)` for its rows, with the figures of `of...`: of no
// machine, of one, or of several side by side. A figure that a file may omit is a std::optional.

/// Makes the rows of one section and passes them to `visit`.
template <class Visit>
struct FieldRows {
  const Visit& visit;
  std::string_view section;

  template <class... Figures>
  void operator()(std::string_view key, Range range, Use use, LinkRole role,
                  std::string_view listed_as, ListedUnit unit, Figures&... figures) const {
    visit(ClusterField{section, key, range, use, role, listed_as, unit}, figures...);
  }
};

template <class Visit>
FieldRows(const Visit&, std::string_view) -> FieldRows<Visit>;

template <class Visit, class... Accelerators>
void visit_accelerator(const Visit& visit, Accelerators&... of) {
  using namespace listed;
  using enum Use;
  const FieldRows row{visit, ""}, peak{visit, "peak"}, scale_up{visit, "scale_up"};
  row("memory", range::positive, Memory, role::none, "memory", gb, of.memory...);
  row("memory_bandwidth", range::positive, Kernels, role::none, "memory_bandwidth", gbytes_per_s,
      of.memory_bandwidth...);
  row("multiprocessors", range::positive, Kernels, role::none, "multiprocessors", plain,
      of.multiprocessors...);
  for (const BestProduct& best : best_products)
    row(best.key, range::positive, Kernels, role::none, best.key, tflops, (of.*best.figure)...);
  for (const auto& [name, precision] : precision_names)
    peak(name, range::positive, Kernels, role::none, name, tflops,
         of.peak[static_cast<std::size_t>(precision)]...);
  scale_up("bandwidth", range::positive, ScaleUp, role::bandwidth, "scale_up", gbytes_per_s,
           of.scale_up_bandwidth...);
  scale_up("domain_accelerators", range::positive, ScaleUp, role::layout,
           "scale_up_domain_accelerators", plain, of.scale_up_domain_accelerators...);
  row("host_link", range::positive, Host, role::none, "host_link", gbytes_per_s, of.host_link...);
  row("power", range::positive, Energy, role::none, "power", w, of.power...);
  row("idle_power", range::positive, Energy, role::none, "idle_power", w, of.idle_power...);
}

template <class Visit, class... Clusters>
void visit_node(const Visit& visit, Clusters&... of) {
  const FieldRows row{visit, "node"};
  row("accelerators", range::at_least_one, Use::ScaleUp, role::layout, "accelerators_per_node",
      listed::plain, of.accelerators_per_node...);
  row("accelerator_power_limit", range::positive, Use::Kernels, role::none,
      "accelerator_power_limit", listed::w, of.accelerator.power_limit...);
}

template <class Visit, class... Fabrics>
void visit_scale_up(const Visit& visit, Fabrics&... of) {
  using namespace listed;
  using enum Use;
  const FieldRows row{visit, "scale_up"};
  row("domain_accelerators", range::at_least_one, ScaleUp, role::layout,
      "scale_up_domain_accelerators", plain, of.domain_accelerators...);
  row("bandwidth", range::positive, ScaleUp, role::bandwidth, "scale_up", gbytes_per_s,
      of.bandwidth...);
  row("bandwidth_efficiency", range::share, ScaleUp, role::part_of_bandwidth, "scale_up_efficiency",
      plain, of.bandwidth_efficiency...);
  row("latency", range::not_negative, ScaleUp, role::latency, "scale_up_latency", us,
      of.latency...);
  row("in_switch_reduction", range::any, ScaleUp, role::ability, "in_switch_reduction", plain,
      of.in_switch_reduction...);
}

template <class Visit, class... Tori>
void visit_torus(const Visit& visit, Tori&... of) {
  constexpr Range one_to_three{1, 3, false, "must be 1, 2 or 3"};
  const FieldRows row{visit, "scale_up.torus"};
  row("dimensions", one_to_three, Use::ScaleUp, role::layout, "torus_dimensions", listed::plain,
      of.dimensions...);
  row("closes_from", range::at_least_one, Use::ScaleUp, role::layout, "torus_closes_from",
      listed::plain, of.closes_from...);
}

template <class Visit, class... Networks>
void visit_network(const Visit& visit, Networks&... of) {
  using namespace listed;
  using enum Use;
  const FieldRows row{visit, "network"};
  row("nics_per_node", range::at_least_one, Network, role::part_of_bandwidth, "nics_per_node",
      plain, of.nics_per_node...);
  row("nic_bandwidth", range::positive, Network, role::bandwidth, "nic", gbits_per_s,
      of.nic_bandwidth...);
  row("bandwidth_efficiency", range::share, Network, role::part_of_bandwidth, "network_efficiency",
      plain, of.bandwidth_efficiency...);
  row("latency", range::not_negative, Network, role::latency, "network_latency", us, of.latency...);
  row("in_network_reduction", range::any, Network, role::ability, "in_network_reduction", plain,
      of.in_network_reduction...);
  row("nodes_per_leaf", range::at_least_one, Spine, role::layout, "nodes_per_leaf", plain,
      of.nodes_per_leaf...);
  row("oversubscription", range::at_least_one, Spine, role::contention, "oversubscription", plain,
      of.oversubscription...);
  row("spine_latency", range::not_negative, Spine, role::latency, "spine_latency", us,
      of.spine_latency...);
}

template <class Visit, class... Copies>
void visit_host_copies(const Visit& visit, Copies&... of) {
  const FieldRows row{visit, "host_copies"};
  row("latency", range::not_negative, Use::ScaleUp, role::latency, "host_copy_latency", listed::us,
      of.latency...);
  row("bandwidth", range::positive, Use::ScaleUp, role::bandwidth, "host_copy",
      listed::gbytes_per_s, of.bandwidth...);
}

template <class Visit, class... Powers>
void visit_power(const Visit& visit, Powers&... of) {
  using namespace listed;
  using enum Use;
  const FieldRows row{visit, "power"};
  row("node_maximum", range::positive, Energy, role::none, "node_power", kw, of.node_maximum...);
  row("host", range::positive, Energy, role::none, "host_power", w, of.host...);
  row("fans", range::not_negative, Energy, role::none, "fans", plain, of.fans...);
  row("switch_port", range::positive, Energy, role::none, "switch_port_power", w,
      of.switch_port...);
  row("facility_factor", range::at_least_one, Energy, role::none, "facility_factor", plain,
      of.facility_factor...);
}

/// Visits the figures of a cluster's file in its order, without those of its accelerator. A visitor
/// that accepts a field alone also gets the rows of sections that the file lacks.
template <class Visit, class AnyCluster>
void visit_cluster(const Visit& visit, AnyCluster& cluster) {
  constexpr bool takes_rows_alone = std::is_invocable_v<const Visit&, const ClusterField&>;
  visit_node(visit, cluster);
  visit_scale_up(visit, cluster.scale_up);
  if (cluster.scale_up.torus)
    visit_torus(visit, *cluster.scale_up.torus);
  else if constexpr (takes_rows_alone)
    visit_torus(visit);
  if (cluster.network)
    visit_network(visit, *cluster.network);
  else if constexpr (takes_rows_alone)
    visit_network(visit);
  if (cluster.host_copies)
    visit_host_copies(visit, *cluster.host_copies);
  else if constexpr (takes_rows_alone)
    visit_host_copies(visit);
  visit_power(visit, cluster.power);
}

/// Multiplies all figures with this kind of uncertainty by `factor`, in every tier.
void scale_links(Cluster&, Uncertainty, double factor);

/// Fabric or network of a job over both machines: the slower one's links, the longer latencies, the
/// smaller leaves, and the abilities that both have.
ScaleUpFabric slower(const ScaleUpFabric&, const ScaleUpFabric&);
Network slower(const Network&, const Network&);

}  // namespace cluster
}  // namespace tofn
