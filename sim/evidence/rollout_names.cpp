#include "sim/evidence/rollout_names.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/core/words.hpp"
#include "sim/evidence/shipped.hpp"

namespace tofn {
inline namespace evidence {
namespace {

/// Parts of reported names beside those of the files.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> name_parts{
    {{"-instruct", ""},
     {"-0528", ""},
     {"-base", ""},
     {"-math", ""},
     {"llama-3.1-", "llama3-"},
     {"llama-3.3-", "llama3-"},
     {"llama-3-", "llama3-"},
     {"llama-3.2-", "llama3.2-"},
     {"llama-2-", "llama2-"},
     {"deepseek-r1", "deepseek-v3"},
     {"nemotron-3-", "nemotron3-"}}};

int rank_as_typical(const Cluster& cluster) {
  return cluster.name.starts_with("dgx") ? 3 : cluster.name.starts_with("hgx") ? 2 : 1;
}

}  // namespace

std::string model_file_name(const std::string& reported) {
  std::string name = lower_case(reported.substr(0, reported.find(" (")));
  for (const auto& [part, with] : name_parts)
    if (const auto at = name.find(part); at != std::string::npos)
      name.replace(at, part.size(), with);
  return name;
}

const Cluster& cluster_of_chip(const CsvRow& cells, const Library& library) {
  const std::string chip = cells.needed_text("chip");
  const Accelerator* named = library.find_accelerator(chip);
  const Cluster* best = nullptr;
  for (const Cluster& each : library.clusters()) {
    const std::string& own = each.accelerator.name;
    if (each.is_a_view() || (named != nullptr ? own != named->name : !names_accelerator(chip, own)))
      continue;
    if (best == nullptr || rank_as_typical(each) > rank_as_typical(*best)) best = &each;
  }
  if (best == nullptr) cells.fail("chip", fmt::format("no cluster has '{}'", chip));
  return *best;
}

}  // namespace evidence
}  // namespace tofn
