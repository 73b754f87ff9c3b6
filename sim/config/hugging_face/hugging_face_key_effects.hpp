#pragma once

#include <string_view>

namespace tofn {
inline namespace config {

/// Effect on a model of a `config.json` key that the reader does not read.
enum class KeyEffect {
  Nothing,      ///< changes neither parameters nor the work of a step
  Predictions,  ///< describes layers that predict further tokens
  Beside,       ///< describes parts other than the text model
  Size,         ///< sets a size, if it is a number above 0
  Kind,         ///< sets a kind of layer, by a number above 0, a switch, a word or a list
  Unknown
};

/// Returns the effect in the first table row that matches the name.
KeyEffect effect_of_key(std::string_view name);

/// True if `name` matches one of the `names`, which are separated by blanks; `*` matches any
/// letters.
bool is_among(std::string_view name, std::string_view names);

}  // namespace config
}  // namespace tofn
