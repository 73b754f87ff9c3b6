#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace training {

/// What people count a training in.
enum class Counted { Samples, Tokens, Steps, Epochs };

/// So much of a training: `2T tokens`, `9765625 samples`, `1000 steps`, `3 epochs`.
struct Amount {
  double value = 0;
  Counted of = Counted::Samples;

  friend bool operator==(const Amount&, const Amount&) = default;
};

/// Absent: it is none of these, or not above 0.
std::optional<Amount> parse_amount(std::string_view text);
/// Reads back as the same amount.
std::string to_text(const Amount&);

/// What an amount is counted against.
struct SampleMeasure {
  double batch = 1;            ///< samples of a step
  double sequence_length = 0;  ///< tokens of a sample; 0: it is no text
  double epoch = 0;            ///< samples of an epoch; 0: not known
};
/// InputError where the measure lacks what the amount is counted in.
double samples_of(const Amount&, const SampleMeasure&);

/// Samples of a batch that is given in tokens: a power of two where one is within 7 %, for `16M` of
/// a batch is mostly 2^24; else the nearest whole number.
double batch_samples(double tokens, double sequence_length);

}  // namespace training
}  // namespace tofn
