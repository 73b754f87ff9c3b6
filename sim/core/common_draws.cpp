#include "sim/core/common_draws.hpp"

#include "sim/core/digest.hpp"

namespace tofn {

namespace {

/// Digest, which is equal on every machine; 0 for an empty text.
std::uint64_t hash_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return text.empty() ? 0 : digest.value();
}

}  // namespace

CommonDraws::CommonDraws(DrawStream stream, std::uint64_t seed, std::string_view cluster)
    : random_((hash_of(cluster) ^ static_cast<std::uint64_t>(stream)) +
              (seed - default_seed) * 0x9e3779b97f4a7c15ULL) {}

void CommonDraws::next() {
  mirrors_ = !mirrors_;
  used_ = 0;
  if (!mirrors_) numbers_.clear();
}

double CommonDraws::normal() { return number(Kind::Normal); }
double CommonDraws::uniform() { return number(Kind::Uniform); }

double CommonDraws::number(Kind kind) {
  if (mirrors_ && used_ < numbers_.size()) {
    const double before = numbers_[used_++];
    return kind == Kind::Normal ? -before : 1 - before;
  }
  const double drawn = kind == Kind::Normal ? random_.normal() : random_.uniform();
  if (!mirrors_) numbers_.push_back(drawn);
  return drawn;
}

}  // namespace tofn
