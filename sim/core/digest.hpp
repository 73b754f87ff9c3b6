#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tofn {

/// FNV-1a of 64 bits: finds torn and mistaken files; no guard against somebody who means harm.
class Digest {
 public:
  void add(std::string_view bytes);
  /// Sixteen hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

std::string digest_of(std::string_view bytes);

}  // namespace tofn
