#include "sim/core/digest.hpp"

#include <fmt/format.h>

namespace tofn {

void Digest::add(std::string_view bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * prime;
}

std::string Digest::text() const { return fmt::format("{:016x}", value_); }

std::string digest_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.text();
}

}  // namespace tofn
