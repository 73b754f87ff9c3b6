#include <cstddef>
#include <cstdint>

#include "sim/measurements/nccl_debug.hpp"
#include "tests/fuzz/invariants.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  tofn::fuzz::only_input_errors([&] {
    const tofn::NcclFacts facts = tofn::read_nccl_debug(text, tofn::fuzz::file);
    for (const tofn::NcclChoice& choice : facts.choices) {
      tofn::fuzz::require(choice.channels >= 1, "a choice has channels");
      tofn::fuzz::require(choice.size.base() >= 0, "a choice has a size");
    }
  });
  return 0;
}
