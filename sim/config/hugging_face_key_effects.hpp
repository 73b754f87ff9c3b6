#pragma once

#include <string_view>

namespace tofn {
inline namespace config {

/// What a key of a `config.json` does to a model where nobody reads it.
enum class KeyEffect {
  Nothing,      ///< it changes neither parameters nor the work of a step
  Predictions,  ///< it tells of layers that predict further tokens
  Beside,       ///< it tells of what stands beside the text
  Size,         ///< a number above 0 sets a size
  Kind,         ///< so does it, or a switch, a word or a list names a kind of layer
  Unknown
};

/// By the first row of the table that has its name, or a pattern of it.
KeyEffect effect_of_key(std::string_view name);

/// Whether one of the names, which blanks part, is this one; a `*` in them stands for any letters.
bool is_among(std::string_view name, std::string_view names);

}  // namespace config
}  // namespace tofn
