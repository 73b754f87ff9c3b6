// Arguments that frameworks dump at their start: `tensor_model_parallel_size ..... 8`
// (Megatron-LM), `tensor_model_parallel_size: 8` (NeMo's YAML), `world_size=16`.
#include <array>

#include "sim/core/quantity_text.hpp"
#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

struct CountKey {
  std::string_view key;
  std::optional<int> LoggedSizes::*size;
};
constexpr std::array count_keys{
    CountKey{"world_size", &LoggedSizes::accelerators},
    CountKey{"num_nodes", &LoggedSizes::nodes},
    CountKey{"devices", &LoggedSizes::per_node},
    CountKey{"tensor_model_parallel_size", &LoggedSizes::tensor_parallel_size},
    CountKey{"pipeline_model_parallel_size", &LoggedSizes::pipeline_parallel_size},
    CountKey{"context_parallel_size", &LoggedSizes::context_parallel_size}};

struct BatchKey {
  std::string_view key;
  std::optional<double> LoggedSizes::*size;
};
constexpr std::array batch_keys{BatchKey{"global_batch_size", &LoggedSizes::global_batch},
                                BatchKey{"micro_batch_size", &LoggedSizes::micro_batch}};

bool is_of_a_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The whole number that the line gives the key.
std::optional<int> count_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos || (at > 0 && is_of_a_word(text[at - 1]))) return {};
  const std::string_view rest = text.substr(at + key.size());
  const std::size_t start = rest.find_first_not_of(" .:=\t'\"");
  if (start == 0 || start == std::string_view::npos) return {};
  std::size_t end = start;
  while (end < rest.size() && is_of_a_word(rest[end])) ++end;
  return parse_count(rest.substr(start, end - start));
}

}  // namespace

void take_sizes(const LogLine& line, LoggedSizes& sizes) {
  for (const auto& [key, size] : count_keys)
    if (!(sizes.*size)) sizes.*size = count_after(line.text, key);
  for (const auto& [key, size] : batch_keys)
    if (!(sizes.*size)) sizes.*size = count_after(line.text, key);
}

}  // namespace measurements
}  // namespace tofn
