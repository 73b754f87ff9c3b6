#pragma once

#include <string>
#include <vector>

#include "sim/app/command.hpp"
#include "tofn/question.hpp"

namespace tofn {
inline namespace app {

/// Words of the command line that asks the same question, after the program's name. InputError if
/// the command or an option is unknown.
std::vector<std::string> words_of(const Question&);

/// Answer of a command, with its notices.
struct Answered {
  CommandAnswer answer;
  std::vector<std::string> notices{};
};
/// Answers a question without printing, and writes the files that options name. InputError if the
/// question is invalid.
Answered answered(const Question&);

}  // namespace app
}  // namespace tofn
