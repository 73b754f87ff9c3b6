#pragma once

#include <random>
#include <string>

namespace tofn::fuzz {

using Dice = std::minstd_rand;

/// The text with some keys and values of its tree changed, by what readers know (learnt.hpp).
/// Empty where the text is no YAML.
std::string mutated_yaml(const std::string& text, Dice&);

/// A value that a reader may not expect: huge, of another unit, of another kind.
std::string odd_text(Dice&);

}  // namespace tofn::fuzz
