#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/load_run.hpp"
#include "sim/core/error.hpp"
#include "sim/workload/convergence.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace yaml {
class FieldLister;
}
inline namespace config {

/// A workload whose reference points set how much is trained.
struct RunTarget {
  YamlNode node;
  std::vector<ReferencePoint> points;  ///< in samples of the model
};

/// Values that a run states for all its phases.
struct RunFrame {
  const std::filesystem::path& configs;
  std::string model{};
  StatedPlan plan{.name = "asked for"};
  double epoch = 0;                  ///< samples; 0: not stated
  std::optional<YamlNode> trains{};  ///< an amount
  std::optional<RunTarget> target{};
};

/// Reads the phases of a list, with the samples that each trains.
std::vector<RunPhase> read_run_phases(const YamlNode& list, const RunFrame&);

/// Lists the keys of a phase.
void list_phase_keys(FieldLister&);

/// Reads an amount such as `2T tokens`; `example` is for error messages.
Amount read_amount(const YamlNode&, std::string_view example);
/// Reads an amount of samples or tokens.
Amount read_batch_amount(const YamlNode&, std::string_view example);

/// Reads RL post-training, the map `rl` of a phase.
RlJob read_rl_job(const YamlNode&);

/// Lists its keys.
void list_rl_keys(FieldLister&);

/// Returns the result of `work`; its InputErrors get the node's place.
template <class Work>
auto at_node(const YamlNode& node, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

}  // namespace config
}  // namespace tofn
