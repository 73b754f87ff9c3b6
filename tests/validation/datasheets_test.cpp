#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/config/library.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/core/quantity_text.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Compares the figures of configs/accelerators and configs/clusters with data/chip_datasheets.csv
// and data/node_datasheets.csv, which were gathered separately from datasheets, system files and
// price lists.
using namespace tofn;
using namespace tofn::test;

namespace {

/// Tolerance for rounding in sources: 989 and 989.4 TFLOP/s are equal.
constexpr double rounding = 1e-3;

/// Figures that no datasheet states, because products and collectives are measured or fitted, and
/// use of the switches depends on the library and the site.
constexpr std::array<std::string_view, 12> not_of_datasheets{"best_product",
                                                             "best_fp8_product",
                                                             "best_fp4_product",
                                                             "scale_up.bandwidth_efficiency",
                                                             "scale_up.latency",
                                                             "scale_up.in_switch_reduction",
                                                             "scale_up.torus.closes_from",
                                                             "network.bandwidth_efficiency",
                                                             "network.latency",
                                                             "network.in_network_reduction",
                                                             "network.nodes_per_leaf",
                                                             "network.oversubscription"};

/// Key of the vendor's label of the memory, if the table's `memory` is the device's own report.
constexpr std::string_view label = "memory_label";

/// Text of a figure by machine and dotted key.
using Datasheets = std::map<std::pair<std::string, std::string>, std::string>;

Datasheets read_datasheets(const std::string& file) {
  const CsvTable table =
      CsvTable::read(TOFN_SOURCE_DIR "/tests/validation/data/" + file + "_datasheets.csv");
  Datasheets all;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const CsvRow row(table, i);
    const std::string machine = row.needed_text("machine");
    row.needed_text("source");
    std::istringstream figures(row.needed_text("figures"));
    for (std::string figure; std::getline(figures >> std::ws, figure, ';');) {
      const std::size_t end = figure.find(' ');
      const auto at = std::pair(machine, figure.substr(0, end));
      if (!all.emplace(at, figure.substr(end + 1)).second)
        row.fail("figures", at.second + " is stated twice");
    }
  }
  return all;
}

template <class T>
double amount_of(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return value.base();
}

template <class T>
double read_amount(const std::string& text) {
  if constexpr (!std::is_arithmetic_v<T>) return parse_quantity<T>(text).base();
  if (const auto price = parse_price(text)) return *price;
  double number = 0;
  if (!parse_number(text, number)) throw std::invalid_argument("not a number: " + text);
  return number;
}

/// Differences between the figures of machines and their datasheets.
class Comparison {
 public:
  explicit Comparison(const std::string& file) : stated_(read_datasheets(file)) {}

  template <class T>
  void compare(const std::string& machine, const std::string& key, const Sourced<T>& figure) {
    const auto at = stated_.find({machine, key});
    if (at == stated_.end()) {
      const bool is_excused = std::find(not_of_datasheets.begin(), not_of_datasheets.end(), key) !=
                              not_of_datasheets.end();
      if (!is_excused && !figure.is_assumed()) add(machine, key, "no datasheet has it");
      return;
    }
    seen_.insert(at->first);
    const double of_datasheet = read_amount<T>(at->second);
    const double stated = amount_of(figure.value);
    if (std::abs(stated - of_datasheet) > rounding * of_datasheet)
      add(machine, key, fmt::format("{:g} times its datasheet's", stated / of_datasheet));
  }

  /// Compares the label: 80 GB are from 80 GB to 80 GiB on the device.
  void compare_label(const Accelerator& chip) {
    const auto at = stated_.find({chip.name, std::string(label)});
    if (at == stated_.end()) return;
    seen_.insert(at->first);
    constexpr double gib_over_gb = 1.073741824;
    const double over = chip.memory.value / parse_quantity<Bytes>(at->second);
    if (over < 1 || over > gib_over_gb)
      add(chip.name, "memory", fmt::format("{:g} times its label", over));
  }

  void compare(const std::string& machine, const Prices& prices) {
    for (const auto& [term, index] : price_terms)
      if (const auto& price = prices[static_cast<std::size_t>(index)])
        compare(machine, "prices." + std::string(term), *price);
  }

  /// Differences, one a line, followed by figures of datasheets that no machine has.
  std::vector<std::string> faults() const {
    std::vector<std::string> all = faults_;
    for (const auto& [at, text] : stated_)
      if (!seen_.contains(at)) all.push_back(at.first + ' ' + at.second + ": no file states it");
    return all;
  }

 private:
  void add(const std::string& machine, const std::string& key, const std::string& problem) {
    faults_.push_back(machine + ' ' + key + ": " + problem);
  }

  Datasheets stated_;
  std::set<Datasheets::key_type> seen_;
  std::vector<std::string> faults_;
};

/// Function that compares each figure stated in a machine's file.
auto shown_to(Comparison& comparison, const std::string& machine) {
  return [&comparison, &machine](const ClusterField& field, const auto& figure) {
    if (const auto* known = stated(figure)) comparison.compare(machine, field.dotted(), *known);
  };
}

std::vector<std::string> faults_of_chips(const std::deque<Accelerator>& chips) {
  Comparison comparison("chip");
  for (const Accelerator& chip : chips) {
    visit_accelerator(shown_to(comparison, chip.name), chip);
    comparison.compare_label(chip);
    comparison.compare(chip.name, chip.prices);
  }
  return comparison.faults();
}

std::vector<std::string> faults_of_clusters(const std::deque<Cluster>& clusters) {
  Comparison comparison("node");
  for (const Cluster& cluster : clusters) {
    visit_cluster(shown_to(comparison, cluster.name), cluster);
    comparison.compare(cluster.name, cluster.prices);
  }
  return comparison.faults();
}

template <class Machine>
std::set<std::string> names_of(const std::deque<Machine>& machines) {
  std::set<std::string> names;
  for (const Machine& machine : machines) names.insert(machine.name);
  return names;
}

std::set<std::string> machines_in(const std::string& file) {
  std::set<std::string> names;
  for (const auto& [at, text] : read_datasheets(file)) names.insert(at.first);
  return names;
}

const Library& shipped_machines() {
  static const Library loaded = Library::load(configs);
  return loaded;
}

using Faults = std::vector<std::string>;

}  // namespace

TEST_CASE("every accelerator and cluster has a datasheet, and every datasheet a file") {
  CHECK(names_of(shipped_machines().accelerators()) == machines_in("chip"));
  CHECK(names_of(shipped_machines().clusters()) == machines_in("node"));
}

TEST_CASE("figures of accelerators are those of their datasheets") {
  CHECK(faults_of_chips(shipped_machines().accelerators()) == Faults{});
}

TEST_CASE("figures of clusters are those of their datasheets") {
  CHECK(faults_of_clusters(shipped_machines().clusters()) == Faults{});
}

TEST_CASE("a figure that differs from its datasheet is named, and one that no datasheet has") {
  std::deque<Accelerator> chips = shipped_machines().accelerators();
  const auto chip = [&](std::string_view name) -> Accelerator& {
    return *std::find_if(chips.begin(), chips.end(),
                         [&](const Accelerator& each) { return each.name == name; });
  };
  chip("H100 SXM").prices[0]->value /= 10;
  chip("H100 SXM").memory.value = Bytes{40e9};
  chip("L4").idle_power = {Watts(16), "somebody's meter"};
  chip("Gaudi 2").memory.value = Bytes{108e9};
  chip("TPU v7x").peak[static_cast<std::size_t>(Precision::Bf16)].reset();
  CHECK(faults_of_chips(chips) == Faults{"Gaudi 2 memory: 1.125 times its datasheet's",
                                         "H100 SXM memory: 0.467722 times its datasheet's",
                                         "H100 SXM memory: 0.5 times its label",
                                         "H100 SXM prices.on_demand: 0.1 times its datasheet's",
                                         "L4 idle_power: no datasheet has it",
                                         "TPU v7x peak.bf16: no file states it"});
}
