#pragma once

#include <cmath>
#include <vector>

#include "sim/curves/collective_table.hpp"

namespace tofn::test {

struct TimedSize {
  double bytes = 0;
  double microseconds = 0;
};

inline CollectiveTable table_of(const std::vector<TimedSize>& rows, int nodes = 1, int ranks = 8) {
  CollectiveTable table;
  table.file = "known.txt";
  table.nodes = nodes;
  table.ranks = ranks;
  int line = 1;
  for (const TimedSize& row : rows) {
    table.rows.push_back({Bytes{row.bytes}, Seconds{row.microseconds * 1e-6}, {}, line++});
  }
  return table;
}

/// Rows of a law of bytes -> microseconds at the powers 2^first, 2^(first + step) ... 2^last.
template <class Law>
std::vector<TimedSize> rows_of(const Law& law, int first, int last, int step) {
  std::vector<TimedSize> rows;
  for (int octave = first; octave <= last; octave += step) {
    const double bytes = std::exp2(octave);
    rows.push_back({bytes, law(bytes)});
  }
  return rows;
}

inline double microseconds(Seconds time) { return time.base() * 1e6; }

}  // namespace tofn::test
