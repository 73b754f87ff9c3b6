#pragma once

#include <string>

#include "sim/config/yaml_reader.hpp"
#include "sim/workload/run_settings.hpp"

namespace tofn {

/// The map `settings` of plans and step profiles: all that a run states but its release and its
/// evaluations.
void read_run_settings(const YamlNode&, RunSettings&);

/// That map as `settings:` and indented lines; empty where nothing is stated.
std::string run_settings_yaml(const RunSettings&);

}  // namespace tofn
