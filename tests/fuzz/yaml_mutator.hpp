#pragma once

#include <random>
#include <string>

namespace tofn::fuzz {

using Dice = std::minstd_rand;

/// The text with some keys and values of its tree changed, mostly to ones that readers know
/// (learned.hpp). Empty if the text is not YAML.
std::string mutated_yaml(const std::string& text, Dice&);

/// A value that a reader may not expect: huge, in another unit, or of another kind.
std::string odd_text(Dice&);

}  // namespace tofn::fuzz
