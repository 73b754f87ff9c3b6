#pragma once

#include <optional>
#include <string_view>

namespace tofn {

struct PrintedSize {
  double bytes = 0;
  bool is_assumed = false;  ///< a rounded `65K`, which may mean 65 536 or 65 000
};

/// A size as published tables print it: `32_768`, `1,024`, `64KiB`, `64 MB`, `8M`, `65K`. A bare
/// K, M or G is binary where that makes a power of two (`256K`), else a decimal rounding of the
/// power of two within 2 % (`65K` = 65 536), else decimal (`100M`). Absent: no size.
std::optional<PrintedSize> parse_printed_size(std::string_view text);

}  // namespace tofn
