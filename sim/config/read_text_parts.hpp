#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/model.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {

inline constexpr int largest_dimension = 10'000'000;
inline constexpr int largest_count = 100'000;

/// Parts read from one entry, all with the same name.
struct Named {
  std::string name;
  std::vector<ModelPart> parts;

  template <class Shape>
  void add(const Shape& shape) {
    parts.push_back({name, shape});
  }
};

void read_bounded(const YamlNode&, int least, int most, int& out);
void read_optional(Fields&, std::string_view key, int least, int most, int& out);

// Readers of the parts that text models have.
void read_vocabulary(Fields&, Named&);
void read_transformer(Fields&, Named&);
/// Reads a layer with one branch of a transformer layer: attention or MLP.
void read_attention(Fields&, Named&);
void read_mlp(Fields&, Named&);
void read_state_space(Fields&, Named&);
void read_short_convolution(Fields&, Named&);

}  // namespace config
}  // namespace tofn
