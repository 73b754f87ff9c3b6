#include "sim/answers/check_launch.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/load_launcher.hpp"
#include "sim/formats/text/json_rows.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Notes on a JSON file that only lenient readers take. DeepSpeed reads Hjson
/// (deepspeed/runtime/config.py), which allows a comma too many and comments; accelerate and
/// Hugging Face's Trainer read JSON (accelerate/utils/deepspeed.py).
std::vector<std::string> json_notes(const std::filesystem::path& file) {
  if (file.extension() != ".json") return {};
  const auto fault = json_fault(read_text_file(file), file.string());
  if (!fault) return {};
  return {InputError(*fault, {},
                     "is not JSON here: DeepSpeed's own reader takes it, accelerate and Hugging "
                     "Face's Trainer refuse it")
              .what()};
}

/// Settings of the file; absent if it does not have the syntax of a launch file.
std::optional<LaunchFile> settings_of(const std::filesystem::path& file) try {
  return read_launch_file(file.string());
} catch (const InputError&) {
  return {};
}

}  // namespace

std::optional<FileContent> check_launch_file(const std::filesystem::path& file,
                                             const std::filesystem::path& configs) {
  const auto launch = settings_of(file);
  const Launcher* launcher = launch ? launcher_of(configs, *launch) : nullptr;
  if (launcher == nullptr) return {};
  return FileContent{
      .kind = "launch file",
      .summary = fmt::format(" of {}, {}; `tofn predict --from` reads it", launcher->name,
                             counted(launch->settings.size(), "setting")),
      .notes = json_notes(file)};
}

}  // namespace answers
}  // namespace tofn
