#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tofn {

/// FNV-1a of 64 bits. It finds truncated and wrong files but does not protect against an attacker.
class Digest {
 public:
  void add(std::string_view bytes);
  std::uint64_t value() const { return value_; }
  /// Digest as sixteen hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

std::string digest_of(std::string_view bytes);

}  // namespace tofn
