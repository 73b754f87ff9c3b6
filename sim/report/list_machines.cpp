#include <optional>

#include <fmt/format.h>

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

/// Adds a figure and its source to a record; nothing where it is absent.
template <class Q>
void add(std::vector<Value>& record, const Sourced<Q>& figure, double unit) {
  record.emplace_back(figure.value.base() / unit);
  record.push_back(source_of(figure));
}
template <class Q>
void add(std::vector<Value>& record, const std::optional<Sourced<Q>>& figure, double unit) {
  if (figure) return add(record, *figure, unit);
  record.resize(record.size() + 2);
}
void add(std::vector<Value>& record, const Sourced<int>& figure) {
  record.emplace_back(static_cast<long long>(figure.value));
  record.push_back(source_of(figure));
}

/// `a`, `a_source`, `b`, `b_source`, ... after the plain columns.
std::vector<std::string> with_sources(std::vector<std::string> plain,
                                      const std::vector<std::string>& figures) {
  for (const std::string& figure : figures) {
    plain.push_back(figure);
    plain.push_back(figure + "_source");
  }
  return plain;
}

std::string network_cell(const std::optional<Network>& network) {
  if (!network) return "-";
  return fmt::format("{} x {}", count_cell(network->nics_per_node),
                     marked(network->nic_bandwidth,
                            fmt::format("{:g} Gb/s", network->nic_bandwidth.value.base() * 8e-9)));
}

std::string network_name(const std::optional<Network>& network) {
  if (!network) return "one node";
  for (const auto& [name, kind] : network_kinds)
    if (kind == network->kind) return std::string(name);
  return {};
}

std::vector<Value> record_of(const Accelerator& each) {
  std::vector<Value> record{each.name, each.vendor};
  add(record, each.memory, 1e9);
  add(record, each.memory_bandwidth, 1e9);
  for (const auto& [name, precision] : precision_names) add(record, peak(each, precision), 1e12);
  add(record, each.scale_up_bandwidth, 1e9);
  add(record, each.scale_up_domain_accelerators);
  add(record, each.host_link, 1e9);
  add(record, each.power, 1);
  return record;
}

std::vector<Value> record_of(const Cluster& each) {
  std::vector<Value> record{each.name, each.description, each.accelerator.name,
                            network_name(each.network)};
  add(record, each.accelerators_per_node);
  add(record, each.scale_up.domain_accelerators);
  add(record, each.scale_up.bandwidth, 1e9);
  if (each.network) {
    add(record, each.network->nics_per_node);
    add(record, each.network->nic_bandwidth, 1e9 / 8);
  } else {
    record.resize(record.size() + 4);
  }
  add(record, each.node_maximum_power, 1e3);
  return record;
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
  Listing listing;
  listing.records.columns = with_sources(
      {"name", "vendor"},
      {"memory_gb", "memory_bandwidth_gbytes_per_s", "fp32_tflops", "tf32_tflops", "bf16_tflops",
       "fp16_tflops", "fp8_tflops", "fp4_tflops", "scale_up_gbytes_per_s",
       "scale_up_domain_accelerators", "host_link_gbytes_per_s", "power_w"});
  for (const Accelerator& each : accelerators) {
    table.add({each.name, cell(each.memory), cell(each.memory_bandwidth),
               cell(peak(each, Precision::Bf16)), cell(peak(each, Precision::Fp8)),
               cell(each.scale_up_bandwidth), count_cell(each.scale_up_domain_accelerators),
               cell(each.power)});
    listing.records.rows.push_back(record_of(each));
  }
  listing.text = table.render();
  listing.text += assumed_footnote(listing.text);
  return listing;
}

Listing list_clusters(std::span<const Cluster* const> clusters) {
  TextTable table({{"cluster", Align::Left},
                   {"accelerator", Align::Left},
                   {"a node"},
                   {"domain"},
                   {"NICs of a node"},
                   {"network", Align::Left},
                   {"node power"}});
  Listing listing;
  listing.records.columns =
      with_sources({"name", "description", "accelerator", "network"},
                   {"accelerators_per_node", "scale_up_domain_accelerators",
                    "scale_up_gbytes_per_s", "nics_per_node", "nic_gbits_per_s", "node_power_kw"});
  for (const Cluster* each : clusters) {
    table.add({each->name, each->accelerator.name, count_cell(each->accelerators_per_node),
               count_cell(each->scale_up.domain_accelerators), network_cell(each->network),
               network_name(each->network), cell(each->node_maximum_power)});
    listing.records.rows.push_back(record_of(*each));
  }
  listing.text = table.render();
  listing.text += assumed_footnote(listing.text);
  return listing;
}

}  // namespace tofn
