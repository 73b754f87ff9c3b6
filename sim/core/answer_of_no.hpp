#pragma once

#include "sim/core/error.hpp"

namespace tofn {

/// A refusal of what was asked well, because the answer is no: no plan fits the memory.
class AnswerOfNo : public InputError {
 public:
  using InputError::InputError;
};

/// Exit code of a refusal: 1 for an answer of no, 2 for a mistake in the input.
inline int exit_code_of(const InputError& error) {
  return dynamic_cast<const AnswerOfNo*>(&error) != nullptr ? 1 : 2;
}

}  // namespace tofn
