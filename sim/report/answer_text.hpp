#pragma once

#include <string>

namespace tofn {
inline namespace report {

/// Text of an answer for people.
struct AnswerText {
  std::string screen;     ///< the answer, on one screen of 80 x 40
  std::string details{};  ///< what stands behind it (`--details`)
};

}  // namespace report
}  // namespace tofn
