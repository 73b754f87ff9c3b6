#include "sim/diagnosis/machine_lint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace tofn {
inline namespace diagnosis {
namespace {

// Confusing bits and bytes is a factor of 8, confusing prefixes one of 1000. Margins leave room for
// the next generations of machines and still find these mistakes in all or most known machines.
constexpr double doubled = 2;  // figures that change with a generation
constexpr double latencies =
    8;  // ns or ms for us are 1000 away; sockets and WANs are not in configs/ yet
constexpr double exact = 1;       // a law of physics
constexpr double rounded = 1.05;  // a ratio fixed by design, of figures that datasheets round
constexpr double markets = 3.4;   // TensorWave had an MI300X for a quarter of the list price, 2026

constexpr double giga = 1e9;
constexpr double gigabit = 1e9 / 8;
constexpr double tera = 1e12;
constexpr double peta = 1e15;

double bf16(const Accelerator& a) { return a.peak_at(Precision::Bf16).base(); }
double peak(const Accelerator& a, Precision p) {
  return a.peak[static_cast<std::size_t>(p)]->value.base();
}
bool states(const Accelerator& a, Precision p) {
  return a.peak[static_cast<std::size_t>(p)].has_value();
}
bool has_16_bits(const Accelerator& a) {
  return states(a, Precision::Bf16) || states(a, Precision::Fp16);
}
template <Precision P>
bool has(const Accelerator& a) {
  return states(a, P) && states(a, Precision::Bf16);
}
/// True if the chip's units double their rate as the width halves: tf32, 16 bits, fp8.
template <Precision P>
bool doubles(const Accelerator& a) {
  return has<P>(a) && (a.vendor == "NVIDIA" || a.vendor == "AMD");
}
template <Precision P>
double over_bf16(const Accelerator& a) {
  return peak(a, P) / bf16(a);
}
bool always(const Accelerator&) { return true; }
bool is_tpu(const Accelerator& a) { return a.architecture == Architecture::Tpu; }
bool idles_as_gpu(const Accelerator& a) { return a.idle_power && !is_tpu(a); }
bool idles_as_tpu(const Accelerator& a) { return a.idle_power && is_tpu(a); }
double idle_share(const Accelerator& a) { return a.idle_power->value / a.power.value; }
double memory_bandwidth(const Accelerator& a) { return a.memory_bandwidth.value.base(); }
double scale_up(const Accelerator& a) { return a.scale_up_bandwidth.value.base(); }
bool joins_by_pcie(const Accelerator& a) { return a.scale_up_link.starts_with("PCIe"); }
bool has_own_links(const Accelerator& a) { return !joins_by_pcie(a); }

constexpr std::string_view mixed_up = "another precision's rate, or one with sparsity?";
constexpr std::string_view of_a_node = "of one accelerator, not of a node?";

using OfAccelerator = MachineRule<Accelerator>;
constexpr std::array accelerators{
    OfAccelerator{"memory_bandwidth", "times the memory is read in a second", "", always,
                  [](const Accelerator& a) { return memory_bandwidth(a) / a.memory.value.base(); },
                  2.133, 56.25, doubled, false,
                  "bits for bytes, or TB for GB, here or in 'memory'?"},
    OfAccelerator{"peak.bf16", "peak over memory bandwidth", "FLOP/B", has_16_bits,
                  [](const Accelerator& a) { return bf16(a) / memory_bandwidth(a); }, 37, 560.5,
                  doubled, false, "PFLOP/s for TFLOP/s, or GB/s for TB/s of memory?"},
    OfAccelerator{"peak.fp32", "fp32 over bf16 peak", "", has<Precision::Fp32>,
                  over_bf16<Precision::Fp32>, 0.032, 0.5, doubled, false, "TFLOP/s for PFLOP/s?"},
    OfAccelerator{"peak.tf32", "tf32 over bf16 peak", "", has<Precision::Tf32>,
                  over_bf16<Precision::Tf32>, 0.403, 1, doubled, false, "TFLOP/s for PFLOP/s?"},
    OfAccelerator{"peak.tf32", "tf32 over bf16 peak of such chips", "", doubles<Precision::Tf32>,
                  over_bf16<Precision::Tf32>, 0.4959, 0.5055, rounded, false, mixed_up},
    OfAccelerator{"peak.fp16", "fp16 over bf16 peak", "", has<Precision::Fp16>,
                  over_bf16<Precision::Fp16>, 0.9634, 1, doubled, false, "TFLOP/s for PFLOP/s?"},
    OfAccelerator{"peak.fp16", "fp16 over bf16 peak of such chips", "", doubles<Precision::Fp16>,
                  over_bf16<Precision::Fp16>, 1, 1, rounded, false, mixed_up},
    OfAccelerator{"peak.fp8", "fp8 over bf16 peak", "", has<Precision::Fp8>,
                  over_bf16<Precision::Fp8>, 1, 2.025, doubled, false, "TFLOP/s for PFLOP/s?"},
    OfAccelerator{"peak.fp8", "fp8 over bf16 peak of such chips", "", doubles<Precision::Fp8>,
                  over_bf16<Precision::Fp8>, 2, 2.025, rounded, false, mixed_up},
    OfAccelerator{"peak.fp4", "fp4 over bf16 peak", "", has<Precision::Fp4>,
                  over_bf16<Precision::Fp4>, 4, 6, 1.3, false, mixed_up},
    OfAccelerator{"best_product", "share of the peak in 16 bits", "",
                  [](const Accelerator& a) { return has_16_bits(a) && a.best_product; },
                  [](const Accelerator& a) { return a.best_product->value.base() / bf16(a); },
                  0.511, 1, 1.2, false, "a peak with sparsity?", "peak.bf16"},
    OfAccelerator{"scale_up.bandwidth", "share of the memory bandwidth", "", always,
                  [](const Accelerator& a) { return scale_up(a) / memory_bandwidth(a); }, 0, 1,
                  exact, true, "what is sent must be read from memory"},
    OfAccelerator{"scale_up.bandwidth", "share of the memory bandwidth", "", has_own_links,
                  [](const Accelerator& a) { return scale_up(a) / memory_bandwidth(a); }, 0.0597,
                  0.3644, 1.5, false, "Gb/s for GB/s, or both directions?"},
    OfAccelerator{"host_link", "bandwidth", "GB/s", always,
                  [](const Accelerator& a) { return a.host_link.value.base() / giga; }, 15, 450,
                  1.5, false, "Gb/s for GB/s?"},
    OfAccelerator{"power", "power", "W", always,
                  [](const Accelerator& a) { return a.power.value.base(); }, 72, 1400, doubled,
                  false, "kW for W?"},
    OfAccelerator{"power", "peak in 16 bits over power", "TFLOP/s/W", has_16_bits,
                  [](const Accelerator& a) { return bf16(a) / tera / a.power.value.base(); }, 0.346,
                  2.869, 1.3, false, "of several chips, or of another one?", "peak.bf16"},
    OfAccelerator{"idle_power", "share of the power", "", idles_as_gpu, idle_share, 0.1, 0.1745,
                  1.3, false, "of another chip, or at work?", "power"},
    OfAccelerator{"idle_power", "share of the power of a TPU", "", idles_as_tpu, idle_share, 0.4688,
                  0.4688, 1.3, false, "of another chip, or at work?", "power"},
    OfAccelerator{"prices.on_demand", "price of a PFLOP/s in 16 bits", "USD/h",
                  [](const Accelerator& a) { return has_16_bits(a) && a.prices[0]; },
                  [](const Accelerator& a) { return a.prices[0]->value / (bf16(a) / peta); }, 3.822,
                  8.797, markets, false, of_a_node, "peak.bf16"},
};

bool any(const Cluster&) { return true; }
bool has_network(const Cluster& c) { return c.network.has_value(); }
bool has_nics(const Cluster& c) { return c.network && c.network->kind != NetworkKind::Torus; }
bool has_rdma_fabric(const Cluster& c) {
  return c.network &&
         (c.network->kind == NetworkKind::Infiniband || c.network->kind == NetworkKind::Slingshot);
}
bool by_links(const Cluster& c) { return c.scale_up.kind != ScaleUpKind::HostMemory; }
bool by_own_links(const Cluster& c) { return by_links(c) && c.scale_up.kind != ScaleUpKind::Pcie; }
bool by_pcie(const Cluster& c) { return c.scale_up.kind == ScaleUpKind::Pcie; }
double nic(const Cluster& c) { return c.network->nic_bandwidth.value.base(); }
double fabric(const Cluster& c) { return c.scale_up.bandwidth.value.base(); }

/// Standard rates of Ethernet and InfiniBand ports, Gb/s.
constexpr std::array port_rates{10., 25., 40., 50., 56., 100., 200., 400., 800., 1600.};
double over_nearest_port(const Cluster& c) {
  const double rate = nic(c) / gigabit;
  const auto off = [&](double port) { return std::abs(std::log(rate / port)); };
  return rate /
         *std::ranges::min_element(port_rates, [&](double a, double b) { return off(a) < off(b); });
}

template <PriceTerm T>
bool has_price(const Cluster& c) {
  return c.prices[static_cast<std::size_t>(T)].has_value();
}
template <PriceTerm T>
bool has_cheaper_price(const Cluster& c) {
  return has_price<T>(c) && has_price<PriceTerm::OnDemand>(c);
}
template <PriceTerm T>
double price(const Cluster& c) {
  return c.prices[static_cast<std::size_t>(T)]->value;
}
template <PriceTerm T>
double over_on_demand(const Cluster& c) {
  return price<T>(c) / price<PriceTerm::OnDemand>(c);
}

using OfCluster = MachineRule<Cluster>;
constexpr std::array clusters{
    OfCluster{"scale_up.bandwidth", "share of the memory bandwidth", "", any,
              [](const Cluster& c) { return fabric(c) / memory_bandwidth(c.accelerator); }, 0, 1,
              exact, true, "what is sent must be read from memory"},
    OfCluster{"scale_up.bandwidth", "share of what the accelerator's links have", "", by_own_links,
              [](const Cluster& c) { return fabric(c) / scale_up(c.accelerator); }, 1, 1, 1.01,
              false, "Gb/s for GB/s?"},
    OfCluster{"scale_up.bandwidth", "share of the accelerator's host link", "", by_pcie,
              [](const Cluster& c) { return fabric(c) / c.accelerator.host_link.value.base(); },
              0.5, 1, doubled, false, "Gb/s for GB/s?"},
    OfCluster{"scale_up.bandwidth_efficiency", "efficiency", "", any,
              [](const Cluster& c) { return c.scale_up.bandwidth_efficiency.value; }, 0.31, 1,
              doubled, false, "of the nominal bandwidth in one direction?"},
    OfCluster{"scale_up.latency", "latency", "us", by_links,
              [](const Cluster& c) { return c.scale_up.latency.value.base() * 1e6; }, 1, 12,
              latencies, false, "ns or ms for us?"},
    OfCluster{"network.nic_bandwidth", "bandwidth of a NIC", "Gb/s", has_network,
              [](const Cluster& c) { return nic(c) / gigabit; }, 25, 800, doubled, false,
              "GB/s for Gb/s?"},
    OfCluster{"network.nic_bandwidth", "bandwidth of such a network's NIC", "Gb/s", has_rdma_fabric,
              [](const Cluster& c) { return nic(c) / gigabit; }, 100, 800, 1.8, false,
              "Gb/s for GB/s?"},
    OfCluster{"network.nic_bandwidth", "bandwidth over that of the nearest standard port", "",
              has_nics, over_nearest_port, 1, 1, 1.02, false,
              "standard ports have 10, 25, 40, 50, 56, 100, 200, 400, 800 or 1600 Gb/s"},
    OfCluster{"network.nic_bandwidth", "NICs over the accelerators' host links", "", has_nics,
              [](const Cluster& c) {
                return nic(c) * c.network->nics_per_node.value /
                       (c.accelerators_per_node.value * c.accelerator.host_link.value.base());
              },
              0.00620, 1.1905, 1.3, false,
              "GB/s for Gb/s? More than these take in, where the NICs are not the chips' own"},
    OfCluster{"network.bandwidth_efficiency", "efficiency", "", has_network,
              [](const Cluster& c) { return c.network->bandwidth_efficiency.value; }, 0.82, 1,
              doubled, false, "of the nominal bandwidth in one direction?"},
    OfCluster{"network.latency", "latency", "us", has_network,
              [](const Cluster& c) { return c.network->latency.value.base() * 1e6; }, 1, 55,
              latencies, false, "ns or ms for us?"},
    OfCluster{"power.node_maximum", "node's over its accelerators' power", "",
              [](const Cluster& c) { return c.power.node_maximum.has_value(); },
              [](const Cluster& c) {
                return c.power.node_maximum->value.base() /
                       (c.accelerators_per_node.value * c.accelerator.power.value.base());
              },
              1.339, 2.032, doubled, false, "W for kW, or of another count of accelerators?"},
    OfCluster{"prices.on_demand", "price of a PFLOP/s in 16 bits", "USD/h",
              [](const Cluster& c) {
                return has_price<PriceTerm::OnDemand>(c) && has_16_bits(c.accelerator);
              },
              [](const Cluster& c) {
                return price<PriceTerm::OnDemand>(c) / (bf16(c.accelerator) / peta);
              },
              2.941, 11.742, markets, false, of_a_node},
    OfCluster{"prices.reserved_1y", "share of the price on demand", "",
              has_cheaper_price<PriceTerm::Reserved1y>, over_on_demand<PriceTerm::Reserved1y>,
              0.688, 0.9448, 1.3, false, of_a_node, "prices.on_demand"},
    OfCluster{"prices.reserved_3y", "share of the price on demand", "",
              has_cheaper_price<PriceTerm::Reserved3y>, over_on_demand<PriceTerm::Reserved3y>,
              0.4357, 0.4357, 1.7, false, of_a_node, "prices.on_demand"},
    OfCluster{"prices.spot", "share of the price on demand", "", has_cheaper_price<PriceTerm::Spot>,
              over_on_demand<PriceTerm::Spot>, 0.327, 0.7, 1.4, false, of_a_node,
              "prices.on_demand"},
};

/// Three digits, or all of a number of several thousands.
std::string lint_number(double figure) {
  const bool is_large = figure >= 1e3 && figure < 1e6;
  return is_large ? fmt::format("{:.0f}", figure) : fmt::format("{:.3g}", figure);
}

template <class Machine>
std::vector<MachineFault> faults(std::span<const MachineRule<Machine>> rules,
                                 const Machine& machine) {
  std::vector<MachineFault> found;
  for (const MachineRule<Machine>& rule : rules) {
    const bool is_reported = std::ranges::any_of(found, [&](const MachineFault& fault) {
      return fault.key == rule.key || fault.key == rule.rests_on;
    });
    if (is_reported || !rule.applies(machine)) continue;
    const double figure = rule.figure(machine);
    if (figure >= rule.least / rule.margin && figure <= rule.most * rule.margin) continue;
    const std::string unit = rule.unit.empty() ? "" : fmt::format(" {}", rule.unit);
    found.push_back({rule.key,
                     fmt::format("{} is {}{}; {} {} to {}{}: {}", rule.what, lint_number(figure),
                                 unit, rule.is_impossible ? "it lies in" : "known machines have",
                                 lint_number(rule.least), lint_number(rule.most), unit, rule.hint),
                     rule.is_impossible});
  }
  return found;
}

}  // namespace

std::span<const MachineRule<Accelerator>> accelerator_rules() { return accelerators; }
std::span<const MachineRule<Cluster>> cluster_rules() { return clusters; }

std::vector<MachineFault> faults_of(const Accelerator& accelerator) {
  return faults(accelerator_rules(), accelerator);
}
std::vector<MachineFault> faults_of(const Cluster& cluster) {
  return faults(cluster_rules(), cluster);
}

}  // namespace diagnosis
}  // namespace tofn
