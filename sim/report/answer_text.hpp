#pragma once

#include <string>

namespace tofn {
inline namespace report {

/// Text of an answer for people.
struct AnswerText {
  std::string screen;     ///< the answer, on one screen of 80 x 40
  std::string details{};  ///< evidence for the answer (`--details`)
};

}  // namespace report
}  // namespace tofn
