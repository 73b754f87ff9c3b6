#pragma once

#include <string>
#include <vector>

namespace tofn {
inline namespace report {

/// Items after a heading, broken into lines of at most 100 characters.
std::string wrapped(const std::string& first, const std::vector<std::string>& items,
                    const char* separator);

/// The words of a text after a heading, likewise.
std::string wrapped_words(const std::string& first, const std::string& text);

/// `instead       A100 SXM 80GB has no fp8: products run in bf16`, a line each.
std::string substitutions_text(const std::vector<std::string>& sentences);

}  // namespace report
}  // namespace tofn
