#include <cstddef>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/expense/expense.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {
namespace {

template <class Q>
std::string cell(const Sourced<Q>& figure) {
  return marked(figure, to_text(figure.value));
}
template <class Q>
std::string cell(const std::optional<Sourced<Q>>& figure) {
  return figure ? cell(*figure) : "-";
}
std::string sourced_count(const Sourced<int>& figure) {
  return marked(figure, fmt::format("{}", figure.value));
}

const std::optional<Sourced<FlopsPerSecond>>& peak(const Accelerator& accelerator,
                                                   Precision precision) {
  return accelerator.peak[static_cast<std::size_t>(precision)];
}

/// A machine with the figures that its file states, by column.
template <class Machine>
struct Listed {
  const Machine* machine;
  std::map<std::string, Value> figures;
};

/// Visitor that adds two columns for each field: the figure, and its source.
template <class Machine>
auto add_columns(TableColumns<Listed<Machine>>& columns) {
  return [&columns](const ClusterField& field, const auto&...) {
    for (const std::string& name : {field.column(), field.column() + "_source"})
      columns.emplace_back(name, [name](const Listed<Machine>& row) {
        const auto found = row.figures.find(name);
        return found == row.figures.end() ? Value{} : found->second;
      });
  };
}

template <class T>
Value value_of(const T& amount, double unit) {
  if constexpr (std::is_integral_v<T>)
    return to_value(amount);
  else
    return number_of(amount) / unit;
}

/// Visitor that collects the stated figures and their sources.
auto take_figures(std::map<std::string, Value>& figures) {
  return [&figures](const ClusterField& field, const auto& figure) {
    if (const auto* known = stated(figure)) {
      figures[field.column()] = value_of(known->value, field.unit.base);
      figures[field.column() + "_source"] = source_of(*known);
    }
  };
}

std::string network_cell(const std::optional<Network>& network) {
  if (!network) return "-";
  return fmt::format("{} x {}", sourced_count(network->nics_per_node),
                     marked(network->nic_bandwidth,
                            fmt::format("{:g} Gb/s", network->nic_bandwidth.value.base() * 8e-9)));
}

/// Default price of a prediction; absent if none is known.
std::optional<double> usd_per_hour(const Cluster& cluster) {
  const auto price = choose_price(cluster, {});
  return price ? std::optional(price->usd_per_hour) : std::nullopt;
}

std::string network_name(const std::optional<Network>& network) {
  return network ? std::string(name_in(network_kinds, network->kind)) : "one node";
}

ExplainedRecords records_of(std::span<const Accelerator* const> accelerators) {
  using Row = Listed<Accelerator>;
  TableColumns<Row> columns{
      {"name", of_its(&Row::machine, &Accelerator::name)},
      {"vendor", of_its(&Row::machine, &Accelerator::vendor), "maker of the chip"}};
  visit_accelerator(add_columns(columns));
  std::vector<Row> rows;
  for (const Accelerator* each : accelerators) {
    rows.push_back({each, {}});
    visit_accelerator(take_figures(rows.back().figures), *each);
  }
  return records_of(columns, rows);
}

ExplainedRecords records_of(std::span<const Cluster* const> clusters) {
  using Row = Listed<Cluster>;
  TableColumns<Row> columns{
      {"name", of_its(&Row::machine, &Cluster::name)},
      {"description", of_its(&Row::machine, &Cluster::description)},
      {"accelerator", of_its(&Row::machine, &Cluster::accelerator, &Accelerator::name)},
      {"network", [](const Row& r) { return network_name(r.machine->network); },
       "kind of the network between domains"},
      {"price_usd_per_hour", [](const Row& r) { return usd_per_hour(*r.machine); }}};
  const Cluster none{};
  visit_cluster(add_columns(columns), none);
  std::vector<Row> rows;
  for (const Cluster* each : clusters) {
    rows.push_back({each, {}});
    visit_cluster(take_figures(rows.back().figures), *each);
  }
  return records_of(columns, rows);
}

}  // namespace

std::string assumed_footnote(const std::string& text) {
  return text.find('*') == std::string::npos ? "" : "*: assumed, no source states it\n";
}

Listing list_accelerators(std::span<const Accelerator* const> accelerators) {
  using Row = const Accelerator*;
  const auto of = [](auto figure) {
    return [figure](const Row& row) { return cell(std::invoke(figure, *row)); };
  };
  const auto peak_in = [](Precision precision) {
    return [precision](const Row& row) { return cell(peak(*row, precision)); };
  };
  const TableColumns<Row> columns{
      left("accelerator", &Accelerator::name),
      right("memory", of(&Accelerator::memory)),
      right("bandwidth", of(&Accelerator::memory_bandwidth)),
      right("bf16", peak_in(Precision::Bf16)),
      right("fp8", peak_in(Precision::Fp8)),
      {right("scale-up", of(&Accelerator::scale_up_bandwidth)), "fabric inside a domain"},
      right("domain",
            [](const Row& row) { return sourced_count(row->scale_up_domain_accelerators); }),
      right("power", of(&Accelerator::power))};
  const std::string text = table_text(columns, accelerators);
  return {.text = text + assumed_footnote(text),
          .records = with_words_of(columns, records_of(accelerators))};
}

Listing list_clusters(std::span<const Cluster* const> clusters) {
  using Row = const Cluster*;
  const TableColumns<Row> columns{
      left("cluster", &Cluster::name),
      left("accelerator", [](const Row& row) { return row->accelerator.name; }),
      {right("a node", [](const Row& row) { return sourced_count(row->accelerators_per_node); }),
       "accelerators of each node"},
      right("domain",
            [](const Row& row) { return sourced_count(row->scale_up.domain_accelerators); }),
      {right("NICs of a node", [](const Row& row) { return network_cell(row->network); }),
       "network cards"},
      left("network", [](const Row& row) { return network_name(row->network); }),
      {right("node power", [](const Row& row) { return cell(row->power.node_maximum); }),
       "power of a node at work"}};
  const std::string text = table_text(columns, clusters);
  return {.text = text + assumed_footnote(text),
          .records = with_words_of(columns, records_of(clusters))};
}

}  // namespace report
}  // namespace tofn
