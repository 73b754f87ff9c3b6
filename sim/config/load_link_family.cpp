#include "sim/config/load_link_family.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/config/library.hpp"
#include "sim/core/file.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

constexpr std::string_view learned_family_line =
    "# Learnt: `tofn calibrate --fabrics` writes what follows.\n";

}  // namespace

LinkFamily load_link_family(const std::filesystem::path& file) {
  LinkFamily family;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  std::string description;
  fields.required("name", family.name).required("description", description);
  fields.required_choice("tier", family.tier, link_tiers);
  fields.required("links", family.links);
  read_in(range::share, fields, "bandwidth_efficiency", family.bandwidth_efficiency);
  read_in(range::positive, fields, "latency", family.latency);
  if (fields.has("multicast_efficiency"))
    read_in(range::share, fields, "multicast_efficiency", family.multicast_efficiency);
  read_in(range::not_negative, fields, "tables", family.tables);
  read_in(range::positive, fields, "latency_factor", family.latency_factor);
  read_in(range::positive, fields, "bandwidth_factor", family.bandwidth_factor);
  read_in(range::positive, fields, "filling_factor", family.filling_factor);
  fields.done();
  return family;
}

std::vector<LinkFamily> load_link_families(const std::filesystem::path& configs) {
  std::vector<LinkFamily> families;
  for (const auto& file : files_in(configs, "fabrics")) families.push_back(load_link_family(file));
  return families;
}

LinkFamily family_of_links(std::span<const LinkFamily> families, LinkTier tier,
                           std::string_view called) {
  for (const LinkFamily& family : families)
    if (family.tier == tier && std::ranges::any_of(family.links, [&](const auto& pattern) {
          return matches_pattern(pattern, called);
        }))
      return family;
  return {};
}

std::string relearned_text(const std::filesystem::path& file, const LinkFamily& family) {
  std::string text = read_text_file(file);
  const std::size_t place = text.find(learned_family_line);
  if (place == std::string::npos)
    throw InputError({.file = file.string()}, "", "has no line `# Learnt: ...` to write below");
  text.resize(place + learned_family_line.size());
  text += fmt::format("tables: {}\nlatency_factor: {:.4g}\nbandwidth_factor: {:.4g}\n",
                      family.tables, family.latency_factor, family.bandwidth_factor);
  return text + fmt::format("filling_factor: {:.4g}\n", family.filling_factor);
}

}  // namespace config
}  // namespace tofn
