#include <fmt/format.h>

#include "sim/answers/stacks_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/file.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace app {

CommandAnswer calibrate_stacks(const CommonOptions& common, const std::filesystem::path& folder,
                               bool explains) {
  const auto stacks = explained_stacks(common.configs);
  std::vector<KernelProfile> learned;
  for (const ExplainedStack& stack : stacks) {
    learned.push_back(stack.learned);
    const std::string name = stack.learned.name + ".yaml";
    write_into_folder(folder / name,
                      relearned_text(common.configs / "stacks" / name, stack.learned));
  }
  return {.text = explains ? explained_text(stacks) : stacks_text(learned)};
}

}  // namespace app
}  // namespace tofn
