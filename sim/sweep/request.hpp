#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/yaml_reader.hpp"

namespace tofn {

/// What a point asks for, as text: names of things, or numbers. A workload is predicted as `tofn
/// predict` does, calibrated by observed runs; a model is simulated from its dimensions.
struct Request {
  std::optional<std::string> workload, model, cluster, plan, kernels;
  std::optional<std::string> accelerators, batch, replica_batch;
  /// Accelerators that speedup and efficiency of a point compare it with.
  std::optional<std::string> reference;
  Location location{};  ///< of the base
};

/// One key of a request: paths without a dot are these, and those with one begin with a thing.
struct RequestKey {
  std::string_view name;
  std::optional<std::string> Request::*text;
  bool is_thing = false;  ///< of configs: it has fields, `cluster.network.latency`
};
inline constexpr std::array request_keys{RequestKey{"workload", &Request::workload, true},
                                         RequestKey{"model", &Request::model, true},
                                         RequestKey{"cluster", &Request::cluster, true},
                                         RequestKey{"plan", &Request::plan, true},
                                         RequestKey{"kernels", &Request::kernels, true},
                                         RequestKey{"accelerators", &Request::accelerators},
                                         RequestKey{"batch", &Request::batch},
                                         RequestKey{"replica_batch", &Request::replica_batch},
                                         RequestKey{"reference", &Request::reference}};

/// Reads a map of these keys.
Request read_request(const YamlNode&);

/// What its numbers are: 1 to a billion; InputError otherwise.
int whole_number(const std::string& text);

}  // namespace tofn
