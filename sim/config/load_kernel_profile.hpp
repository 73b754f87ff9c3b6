#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/kernel_profile.hpp"

namespace tofn {
inline namespace config {

class YamlNode;

/// Who is not told which stack runs takes the means over stacks, with their spread.
inline constexpr std::string_view default_stack = "unknown";
inline constexpr const char* stack_help =
    "software that runs it: a name of `tofn list stacks`, or a file; unknown: the mean over stacks";

/// A stack that is `like` another (a file beside its own) states what differs. Mistakes are
/// InputErrors at file, line and column.
KernelProfile read_kernel_profile(const YamlNode& root);
KernelProfile load_kernel_profile(const std::filesystem::path&);

/// A path (it ends in .yaml), or the name of a file of stacks/. InputError with the valid names.
KernelProfile find_kernel_profile(const std::filesystem::path& configs,
                                  std::string_view name_or_file);

/// Whether it runs products in 8 bits: all do whose files do not say `fp8: false`.
bool has_fp8(const std::filesystem::path& configs, std::string_view name_or_file);

/// All of stacks/.
std::vector<KernelProfile> load_stacks(const std::filesystem::path& configs);

/// The stack of a row of a table of steps that calls it so, on this accelerator, from this source:
/// the one with the longest pattern in `tables` that matches `stack/accelerator/source`, which may
/// tell releases apart; nullptr where none does.
const KernelProfile* stack_of_table(const std::vector<KernelProfile>&, std::string_view stack,
                                    std::string_view accelerator, std::string_view source);

/// The file's text with the figures of this profile in place of those below its line `# Learnt`.
/// InputError where it has no such line.
std::string relearnt_text(const std::filesystem::path& file, const KernelProfile&);

}  // namespace config
}  // namespace tofn
