#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/kernel_profile.hpp"

namespace tofn {
inline namespace yaml {
class YamlNode;
}
inline namespace config {

/// Default stack: the means over stacks, with their spread.
inline constexpr std::string_view default_stack = "unknown";
inline constexpr const char* stack_help =
    "software that runs it: a name of `tofn list stacks`, or a file; unknown: the mean over stacks";

/// Reads a stack. One that is `like` another (a file beside it) states only the differences.
/// Mistakes are InputErrors with file, line and column.
KernelProfile read_kernel_profile(const YamlNode& root);
KernelProfile load_kernel_profile(const std::filesystem::path&);

/// Takes a path (ending in .yaml) or the name of a file of stacks/. InputError with the valid
/// names.
KernelProfile find_kernel_profile(const std::filesystem::path& configs,
                                  std::string_view name_or_file);

/// True if the stack runs 8-bit products: its file does not state `fp8: false`.
bool has_fp8(const std::filesystem::path& configs, std::string_view name_or_file);

/// Reads all files of stacks/.
std::vector<KernelProfile> load_stacks(const std::filesystem::path& configs);

/// Returns the stack of a row in a table of steps, by its stack, accelerator and source: the one
/// with the longest pattern in `tables` that matches `stack/accelerator/source`, which may
/// distinguish releases; nullptr if none matches.
const KernelProfile* stack_of_table(const std::vector<KernelProfile>&, std::string_view stack,
                                    std::string_view accelerator, std::string_view source);

/// Returns the file's text with the figures of this profile below its line `# Learned`. InputError
/// if the file has no such line.
std::string relearned_text(const std::filesystem::path& file, const KernelProfile&);

}  // namespace config
}  // namespace tofn
