#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tofn {

/// A place in a file, counted from 1; 0 = not known. Columns count characters, not bytes.
struct Location {
  std::string file{};
  int line = 0;
  int column = 0;
};

/// `file:line:column`, without the parts that are not known.
std::string to_text(const Location& location);

/// A mistake in what the user gave: one line, `file:line:column: key: what is wrong`.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string_view problem);
  InputError(const Location& location, std::string_view key, std::string_view problem);
};

/// What `find` returns; its InputError becomes one of that key, at that place.
template <class Find>
decltype(auto) at_key(const Location& place, std::string_view key, const Find& find) {
  try {
    return find();
  } catch (const InputError& error) {
    throw InputError(place, key, error.what());
  }
}

}  // namespace tofn
