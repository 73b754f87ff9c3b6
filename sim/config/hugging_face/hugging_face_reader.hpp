#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/config/hugging_face/hugging_face_architectures.hpp"
#include "sim/config/hugging_face/hugging_face_begun.hpp"
#include "sim/config/hugging_face/hugging_face_keys.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace config {

/// Reads the keys of one file into the parts of a model; for one use.
class HuggingFaceReader {
 public:
  explicit HuggingFaceReader(const YamlNode& root) : keys_(root), of_(architecture_of(keys_)) {
    if (keys_.find({"vision_config", "vision_tower"}) || keys_.has_text_config())
      say("text alone is trained: what sees images is left out");
  }

  Model read();
  HuggingFaceKeys& keys() { return keys_; }

 private:
  template <class... Values>
  void say(fmt::format_string<Values...> text, Values&&... values) {
    model_.substitutions.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  int typical(int DefaultDimensions::*) const;
  /// Returns the file's value, otherwise the default, which the model's substitutions then name. A
  /// default of 0 means that the key is required.
  int dimension_or(HuggingFaceKeys::Names, int typical);
  /// Returns the most tokens of a sample; 0 if neither the file nor the architecture has a limit.
  /// InputError if one is needed, as by a table of learned positions.
  int limit(bool is_needed);
  void read_sequence();
  void read_precision();
  void read_heads();
  void read_falcon_groups();
  void read_expert_groups();
  void add_predictions();
  void read_latent();
  void read_biases();
  /// True for each layer with a sliding window; empty if the keys do not list the layers.
  std::vector<bool> sliding_layers();
  void read_window();
  int expanded_width();
  int adjusted_width();
  void read_feed_forward();
  void read_experts();
  int listed_dense_layers(const YamlNode&);
  int dense_layers();
  Vocabulary vocabulary();
  void add_layers();
  void add_state_space();
  void add_hybrid();
  void say_first_state_space(const StateSpaceLayers&);
  void add_two_widths();
  void add_masked_transform();
  void say_what_is_left_out();
  void say_unread(KeyEffect, std::string_view what);

  HuggingFaceKeys keys_;
  const HuggingFaceArchitecture& of_;
  TransformerLayers layers_{};
  int limit_ = 0;
  int dense_width_ = 0;
  Model model_{};
};

}  // namespace config
}  // namespace tofn
