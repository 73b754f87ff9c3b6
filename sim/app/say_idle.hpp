#pragma once

#include <string>
#include <vector>

#include "sim/answers/idle_choices.hpp"
#include "sim/app/command.hpp"
#include "sim/parallelism/substitutions.hpp"

namespace tofn {
inline namespace app {

/// Prints on standard error which options change nothing, according to the substitutions of points
/// or steps. Each sentence appears once.
template <class Points>
void say_idle(const Points& points) {
  std::vector<std::string> idle;
  for (const auto& point : points) add_new(idle, idle_sentences(point.substitutions));
  for (const std::string& sentence : idle) say(sentence);
}

}  // namespace app
}  // namespace tofn
