#pragma once

#include <filesystem>

#include "sim/answers/check_answer.hpp"

namespace tofn {
inline namespace answers {

/// What the output of a program tells: steps of training, else collectives. InputError where it is
/// neither, or contradicts itself.
FileContent check_log(const std::filesystem::path&);

}  // namespace answers
}  // namespace tofn
