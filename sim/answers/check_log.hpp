#pragma once

#include <filesystem>

#include "sim/answers/check_answer.hpp"

namespace tofn {
inline namespace answers {

/// What the output of a program tells: steps of training, else collectives. InputError where it is
/// neither, or contradicts itself.
FileContent check_log(const std::filesystem::path&);

/// Whether the file is a profile, by its ending or its first characters.
bool is_profile(const std::filesystem::path&);

/// Where the time of a profile goes (PyTorch's trace, Nsight Systems' SQLite): kinds of kernels,
/// exposed communication, gaps. InputError as its reader throws it.
FileContent check_profile(const std::filesystem::path&);

}  // namespace answers
}  // namespace tofn
