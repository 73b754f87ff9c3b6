#include "sim/parallelism/recompute_modules.hpp"

#include <algorithm>
#include <vector>

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

RecomputeModules recompute_modules(std::string_view text) {
  constexpr std::string_view between = ", ";
  RecomputeModules modules;
  for (std::size_t start = text.find_first_not_of(between); start < text.size();) {
    const std::size_t end = std::min(text.find_first_of(between, start), text.size());
    const std::string name(text.substr(start, end - start));
    start = text.find_first_not_of(between, end);
    const auto found = std::ranges::find_if(recompute_module_names,
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
