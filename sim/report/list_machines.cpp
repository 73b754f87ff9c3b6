#include <cstddef>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
namespace {

template <class Q>
std::string cell(const Sourced<Q>& figure) {
  return marked(figure, to_text(figure.value));
}
template <class Q>
std::string cell(const std::optional<Sourced<Q>>& figure) {
  return figure ? cell(*figure) : "-";
}
std::string count_cell(const Sourced<int>& figure) {
  return marked(figure, fmt::format("{}", figure.value));
}

const std::optional<Sourced<FlopsPerSecond>>& peak(const Accelerator& accelerator,
                                                   Precision precision) {
  return accelerator.peak[static_cast<std::size_t>(precision)];
}

/// Adds the columns of each row that is shown to it: the figure, and its source.
auto add_columns(std::vector<std::string>& columns) {
  return [&columns](const ClusterField& field, const auto&...) {
    columns.push_back(field.column());
    columns.push_back(field.column() + "_source");
  };
}

template <class T>
Value value_of(const T& amount, double unit) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<long long>(amount);
  else
    return number_of(amount) / unit;
}

template <class T>
void add(std::vector<Value>& values, const Sourced<T>* figure, double unit) {
  if (figure == nullptr) return;
  values.push_back(value_of(figure->value, unit));
  values.push_back(source_of(*figure));
}

/// Adds the values of these columns; nothing where the figure is absent, or the map that has it.
auto add_values(std::vector<Value>& values) {
  return [&values](const ClusterField& field, const auto&... figure) {
    const std::size_t next = values.size() + 2;
    (add(values, stated(figure), field.unit.base), ...);
    values.resize(next);
  };
}

std::string network_cell(const std::optional<Network>& network) {
  if (!network) return "-";
  return fmt::format("{} x {}", count_cell(network->nics_per_node),
                     marked(network->nic_bandwidth,
                            fmt::format("{:g} Gb/s", network->nic_bandwidth.value.base() * 8e-9)));
}

std::string network_name(const std::optional<Network>& network) {
  return network ? std::string(name_in(network_kinds, network->kind)) : "one node";
}

Records records_of(std::span<const Accelerator> accelerators) {
  Records records{.columns = {"name", "vendor"}, .rows = {}};
  visit_accelerator(add_columns(records.columns));
  for (const Accelerator& each : accelerators) {
    auto& row = records.rows.emplace_back(std::vector<Value>{each.name, each.vendor});
    visit_accelerator(add_values(row), each);
  }
  return records;
}

Records records_of(std::span<const Cluster* const> clusters) {
  Records records{.columns = {"name", "description", "accelerator", "network"}, .rows = {}};
  const Cluster none{};
  visit_cluster(add_columns(records.columns), none);
  for (const Cluster* each : clusters) {
    auto& row = records.rows.emplace_back(std::vector<Value>{
        each->name, each->description, each->accelerator.name, network_name(each->network)});
    visit_cluster(add_values(row), *each);
  }
  return records;
}

}  // namespace

std::string assumed_footnote(const std::string& text) {
  return text.find('*') == std::string::npos ? "" : "*: assumed, no source states it\n";
}

Listing list_accelerators(std::span<const Accelerator> accelerators) {
  TextTable table({{"accelerator", Align::Left},
                   {"memory"},
                   {"bandwidth"},
                   {"bf16"},
                   {"fp8"},
                   {"scale-up"},
                   {"domain"},
                   {"power"}});
  for (const Accelerator& each : accelerators)
    table.add({each.name, cell(each.memory), cell(each.memory_bandwidth),
               cell(peak(each, Precision::Bf16)), cell(peak(each, Precision::Fp8)),
               cell(each.scale_up_bandwidth), count_cell(each.scale_up_domain_accelerators),
               cell(each.power)});
  const std::string text = table.render();
  return {.text = text + assumed_footnote(text), .records = records_of(accelerators)};
}

Listing list_clusters(std::span<const Cluster* const> clusters) {
  TextTable table({{"cluster", Align::Left},
                   {"accelerator", Align::Left},
                   {"a node"},
                   {"domain"},
                   {"NICs of a node"},
                   {"network", Align::Left},
                   {"node power"}});
  for (const Cluster* each : clusters)
    table.add({each->name, each->accelerator.name, count_cell(each->accelerators_per_node),
               count_cell(each->scale_up.domain_accelerators), network_cell(each->network),
               network_name(each->network), cell(each->power.node_maximum)});
  const std::string text = table.render();
  return {.text = text + assumed_footnote(text), .records = records_of(clusters)};
}

}  // namespace tofn
