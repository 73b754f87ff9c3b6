#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace training {

/// Units in which people count a training.
enum class Counted { Samples, Tokens, Steps, Epochs };

/// An amount of training: `2T tokens`, `9765625 samples`, `1000 steps`, `3 epochs`.
struct Amount {
  double value = 0;
  Counted of = Counted::Samples;

  friend bool operator==(const Amount&, const Amount&) = default;
};

/// Reads an amount; absent if the text is none or if it is not above 0.
std::optional<Amount> parse_amount(std::string_view text);
/// Text that reads back as the same amount.
std::string to_text(const Amount&);

/// Sizes that convert an amount to samples.
struct SampleMeasure {
  double batch = 1;            ///< samples per step
  double sequence_length = 0;  ///< tokens per sample; 0: samples are no texts
  double epoch = 0;            ///< samples per epoch; 0: unknown
};
/// Converts an amount to samples. InputError if the measure lacks the size that the unit needs.
double samples_of(const Amount&, const SampleMeasure&);

/// Samples of a batch that is given in tokens: a power of two if one is within 7 %, because a batch
/// of `16M` is mostly 2^24; otherwise the nearest whole number.
double batch_samples(double tokens, double sequence_length);

}  // namespace training
}  // namespace tofn
