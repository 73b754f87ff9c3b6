#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/sweep/varied_document.hpp"

namespace tofn {

/// The variants of one thing that were asked for of late, made once each. A variant that cannot be
/// read is remembered by its mistake.
template <class T>
class Varied {
 public:
  /// InputError as `read`.
  template <class Read>
  const T& at(std::uint64_t variant, const Read& read) {
    auto found = made_.find(variant);
    if (found == made_.end()) {
      if (made_.size() >= most_variants) made_.clear();
      found = made_.emplace(variant, make(read)).first;
    }
    if (found->second.thing == nullptr) throw InputError(found->second.mistake);
    return *found->second.thing;
  }

 private:
  static constexpr std::size_t most_variants = 4096;
  struct Variant {
    std::unique_ptr<const T> thing;
    std::string mistake;
  };
  template <class Read>
  static Variant make(const Read& read) {
    try {
      return {std::make_unique<const T>(read()), {}};
    } catch (const InputError& error) {
      return {nullptr, error.what()};
    }
  }

  std::unordered_map<std::uint64_t, Variant> made_;
};

}  // namespace tofn
