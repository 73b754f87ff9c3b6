#pragma once

#include <string>
#include <vector>

#include "sim/app/command.hpp"
#include "tofn/question.hpp"

namespace tofn {
inline namespace app {

/// The words after the program's name that ask the same. InputError where the command or an option
/// is not known.
std::vector<std::string> words_of(const Question&);

/// A command's answer with what it says beside it.
struct Answered {
  CommandAnswer answer;
  std::vector<std::string> notices{};
};
/// Without printing; mistakes leave as InputError. Files that options name are written.
Answered answered(const Question&);

}  // namespace app
}  // namespace tofn
