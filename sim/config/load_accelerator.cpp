#include <algorithm>

#include "sim/config/checks.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read_prices.hpp"
#include "sim/config/yaml_reader.hpp"

namespace tofn {
namespace {

void read_peaks(const YamlNode& node, Accelerator& accelerator) {
  Fields fields = node.fields();
  for (const auto& [name, precision] : precision_names) {
    auto& peak = accelerator.peak[static_cast<std::size_t>(precision)];
    read_positive(fields, name, peak);
  }
  fields.done();
  const bool any = std::any_of(accelerator.peak.begin(), accelerator.peak.end(),
                               [](const auto& peak) { return peak.has_value(); });
  if (!any) node.fail("states no peak rate at any precision");
}

void read_scale_up(const YamlNode& node, Accelerator& accelerator) {
  Fields fields = node.fields();
  fields.required("link", accelerator.scale_up_link);
  read_positive(fields, "bandwidth", accelerator.scale_up_bandwidth);
  read_positive(fields, "domain_accelerators", accelerator.scale_up_domain_accelerators);
  fields.done();
}

}  // namespace

Accelerator read_accelerator(const YamlNode& root) {
  Accelerator accelerator;
  Fields fields = root.fields();
  fields.required("name", accelerator.name).required("vendor", accelerator.vendor);
  fields.optional("aliases", accelerator.aliases);
  read_positive(fields, "memory", accelerator.memory);
  read_positive(fields, "memory_bandwidth", accelerator.memory_bandwidth);
  read_positive(fields, "multiprocessors", accelerator.multiprocessors);
  read_positive(fields, "best_product", accelerator.best_product);
  read_peaks(fields.child("peak"), accelerator);
  read_scale_up(fields.child("scale_up"), accelerator);
  read_positive(fields, "host_link", accelerator.host_link);
  read_positive(fields, "power", accelerator.power);
  if (const auto idle = fields.optional_child("idle_power")) {
    idle->read(accelerator.idle_power);
    const Watts watts = accelerator.idle_power->value;
    if (!(watts > Watts{} && watts < accelerator.power.value))
      idle->fail("must be above 0 and below the accelerator's power");
  }
  if (const auto prices = fields.optional_child("prices"))
    accelerator.prices = read_prices(*prices);
  fields.done();
  return accelerator;
}

Accelerator load_accelerator(const std::filesystem::path& file) {
  return read_accelerator(YamlNode::load(file));
}

}  // namespace tofn
