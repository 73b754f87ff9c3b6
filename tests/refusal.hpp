#pragma once

#include <string>

#include "sim/core/error.hpp"

namespace tofn::test {

/// Message with which an action is refused, or `accepted`.
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
