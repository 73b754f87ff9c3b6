#pragma once

#include <string>

#include "sim/core/error.hpp"

namespace tofn::test {

/// What an action is refused with, or `accepted`.
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace tofn::test
