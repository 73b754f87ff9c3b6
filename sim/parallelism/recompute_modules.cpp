#include "sim/parallelism/recompute_modules.hpp"

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace parallelism {

std::string to_text(RecomputeModules modules) {
  std::string text;
  for (const auto& [name, module] : recompute_module_names) {
    if (!modules.has(module)) continue;
    if (!text.empty()) text += ',';
    text += name;
  }
  return text;
}

RecomputeModules recompute_modules(const std::vector<std::string>& names) {
  RecomputeModules modules;
  for (const std::string& name : names) {
    const auto found = std::find_if(recompute_module_names.begin(), recompute_module_names.end(),
                                    [&](const auto& each) { return each.first == name; });
    if (found == recompute_module_names.end()) {
      std::vector<std::string> valid;
      for (const auto& [each, module] : recompute_module_names) valid.emplace_back(each);
      throw InputError(unknown_name("module", name, valid));
    }
    modules.insert(found->second);
  }
  return modules;
}

}  // namespace parallelism
}  // namespace tofn
