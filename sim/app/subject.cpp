#include "sim/app/subject.hpp"

#include <algorithm>

#include "sim/app/command.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_run.hpp"
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
  if (is_file_name(name)) {
    const YamlNode root = YamlNode::load(name);
    const auto entries = root.entries();
    const bool has_sample = std::any_of(entries.begin(), entries.end(),
                                        [](const auto& entry) { return entry.first == "sample"; });
    return {.is_run = is_run(root), .is_model = is_model(root), .is_workload = has_sample};
  }
  const auto has = [&](const char* folder) {
    const auto files = files_in(configs, folder);
    return std::any_of(files.begin(), files.end(),
                       [&](const auto& file) { return file.stem() == name; });
  };
  return {.is_run = has("runs"),
          .is_model = has("models"),
          .is_workload = Library::load(configs).find_workload(name) != nullptr};
}

}  // namespace app
}  // namespace tofn
