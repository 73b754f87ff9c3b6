#pragma once

#include <string>
#include <vector>

#include "sim/formats/launchers/launch_values.hpp"

namespace tofn {
inline namespace formats {

/// Entries of the padded vocabulary, because every tensor rank holds a multiple
/// (megatron/training/tokenizer, _vocab_size_with_padding). InputError if they are more than 100
/// million.
long long padded_entries(const LaunchValues&, long long entries);

/// Entries of the embedding: the padded number if the file states it; otherwise the vocabulary,
/// padded as Megatron-LM does, with a sentence in `substitutions`. InputError if neither the file
/// nor its tokenizer tells the vocabulary.
int vocabulary_size(const LaunchValues&, std::vector<std::string>& substitutions);

}  // namespace formats
}  // namespace tofn
