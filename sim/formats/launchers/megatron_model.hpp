#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/formats/launchers/launch_values.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace formats {

/// Transformer that Megatron-LM's flags state; absent if they state no layers. InputError if its
/// dimensions do not fit together, or if nothing tells the size of the vocabulary. If `gives_way`,
/// the caller's model replaces it, so its vocabulary is not needed and has 0 entries.
std::optional<Model> megatron_model(const LaunchValues&, bool gives_way);

/// Number of layers of the model that predict further tokens.
int further_layers(const Model&);

/// Sets the flags of the model's layers, if the flags can state them all.
void set_megatron_model(const Model&, LaunchValues&);

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
