#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tofn {

/// A place in a file, counted from 1; 0 if unknown. Columns count characters, not bytes.
struct Location {
  std::string file{};
  int line = 0;
  int column = 0;

  bool operator==(const Location&) const = default;
};

/// Text `file:line:column`, without the unknown parts.
std::string to_text(const Location& location);

/// A mistake in the user's input, as one line: `file:line:column: key: what is wrong`.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string_view problem);
  InputError(const Location& location, std::string_view key, std::string_view problem);
};

/// Returns what `find` returns, and rethrows its InputError with that place and key.
template <class Find>
decltype(auto) at_key(const Location& place, std::string_view key, const Find& find) {
  try {
    return find();
  } catch (const InputError& error) {
    throw InputError(place, key, error.what());
  }
}

}  // namespace tofn
