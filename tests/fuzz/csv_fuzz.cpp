#include <cstddef>
#include <cstdint>

#include "sim/core/csv.hpp"
#include "tests/fuzz/invariants.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  tofn::fuzz::only_input_errors([&] {
    const tofn::CsvTable csv = tofn::CsvTable::parse(text, tofn::fuzz::file);
    for (std::size_t row = 0; row < csv.rows(); ++row)
      for (const std::string& column : csv.columns()) {
        static_cast<void>(csv.at(row, column));
        tofn::fuzz::require(csv.location(row, column).line > 0, "a cell has a line");
      }
  });
  return 0;
}
