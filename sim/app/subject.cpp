#include "sim/app/subject.hpp"

#include <algorithm>

#include "sim/app/command.hpp"
#include "sim/config/library.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/yaml_reader.hpp"

namespace tofn {
inline namespace app {

Subject subject_of(const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return {};
  std::filesystem::path configs = default_configs();
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "--configs") configs = words[i + 1];
  const std::string& name = words.front();
  if (name.ends_with(".yaml")) {
    const auto entries = YamlNode::load(name).entries();
    const auto has = [&](std::string_view key) {
      return std::any_of(entries.begin(), entries.end(),
                         [&](const auto& entry) { return entry.first == key; });
    };
    return {.is_model = has("parts"), .is_workload = has("sample")};
  }
  const auto models = files_in(configs, "models");
  return {.is_model = std::any_of(models.begin(), models.end(),
                                  [&](const auto& file) { return file.stem() == name; }),
          .is_workload = Library::load(configs).find_workload(name) != nullptr};
}

}  // namespace app
}  // namespace tofn
