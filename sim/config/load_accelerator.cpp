#include <algorithm>

#include <fmt/format.h>

#include "sim/cluster/best_products.hpp"
#include "sim/cluster/cluster_fields.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

void check_peaks(const YamlNode& node, const Accelerator& accelerator) {
  const bool any =
      std::ranges::any_of(accelerator.peak, [](const auto& peak) { return peak.has_value(); });
  if (!any) node.fail("states no peak rate at any precision");
}

/// InputError if a measured product exceeds the peak: it is of another chip or clock.
void check_best_products(Fields& fields, const Accelerator& accelerator) {
  for (const BestProduct& best : best_products) {
    const auto& reached = accelerator.*best.figure;
    const Precision precision = accelerator.computes_in(best.precision);
    const FlopsPerSecond peak = accelerator.peak_at(precision);
    if (reached && reached->value > peak)
      fields.child(best.key).fail(
          fmt::format("must not be above peak.{}, {}", to_text(precision), to_text(peak, 4)));
  }
}

void check_idle_power(Fields& fields, const Accelerator& accelerator) {
  const auto& idle = accelerator.idle_power;
  if (idle && idle->value >= accelerator.power.value)
    fields.child("idle_power").fail("must be above 0 and below the accelerator's power");
}

}  // namespace

Accelerator read_accelerator(const YamlNode& root) {
  Accelerator accelerator;
  Fields fields = root.fields();
  fields.required("name", accelerator.name).required("vendor", accelerator.vendor);
  fields.optional("aliases", accelerator.aliases);
  fields.optional_choice("architecture", accelerator.architecture, architecture_names);
  fields.optional("die", accelerator.die);
  Fields peak = fields.child("peak").fields();
  Fields scale_up = fields.child("scale_up").fields();
  scale_up.required("link", accelerator.scale_up_link);
  const auto read = [&](const ClusterField& field, auto& figure) {
    Fields& map = field.section == "peak" ? peak : field.section.empty() ? fields : scale_up;
    read_in(field.range, map, field.key, figure);
  };
  visit_accelerator(read, accelerator);
  peak.done();
  scale_up.done();
  check_peaks(fields.child("peak"), accelerator);
  check_best_products(fields, accelerator);
  check_idle_power(fields, accelerator);
  if (const auto prices = fields.optional_child("prices"))
    accelerator.prices = read_prices(*prices);
  fields.done();
  return accelerator;
}

Accelerator load_accelerator(const std::filesystem::path& file) {
  return read_accelerator(YamlNode::load(file));
}

}  // namespace config
}  // namespace tofn
