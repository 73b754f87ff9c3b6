#include <fmt/format.h>

#include "sim/answers/steps_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/file.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace app {

int calibrate_stacks(const CommonOptions& common, const std::filesystem::path& folder) {
  const auto stacks = relearnt_stacks(common.configs);
  for (const KernelProfile& stack : stacks) {
    const std::string name = stack.name + ".yaml";
    write_text_file_atomically(folder / name,
                               relearnt_text(common.configs / "stacks" / name, stack));
  }
  print(stacks_text(stacks));
  return 0;
}

}  // namespace app
}  // namespace tofn
