#include "microbench/collective/operation.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn::bench {
namespace {

Origin summed(Member, std::size_t index, std::size_t, int) { return {.rank = {}, .index = index}; }

Origin summed_chunk(Member member, std::size_t index, std::size_t chunk, int) {
  return {.rank = {}, .index = static_cast<std::size_t>(member.rank) * chunk + index};
}

Origin gathered(Member, std::size_t index, std::size_t chunk, int) {
  return {.rank = static_cast<int>(index / chunk), .index = index % chunk};
}

Origin from_root(Member, std::size_t index, std::size_t, int root) {
  return {.rank = root, .index = index};
}

Origin transposed(Member member, std::size_t index, std::size_t chunk, int) {
  return {.rank = static_cast<int>(index / chunk),
          .index = static_cast<std::size_t>(member.rank) * chunk + index % chunk};
}

Origin from_left(Member member, std::size_t index, std::size_t, int) {
  return {.rank = (member.rank + member.size - 1) % member.size, .index = index};
}

/// Both ranks of a pair have the data that its lower rank sent first.
Origin echoed(Member member, std::size_t index, std::size_t, int) {
  return {.rank = std::min(member.rank, partner_of(member)), .index = index};
}

const std::array table{
    Operation{.name = "all-reduce", .reduces = true, .can_be_in_place = true, .origin = summed},
    Operation{.name = "reduce-scatter",
              .reduces = true,
              .receives_chunk = true,
              .has_chunks = true,
              .can_be_in_place = true,
              .origin = summed_chunk},
    Operation{.name = "all-gather",
              .sends_chunk = true,
              .has_chunks = true,
              .can_be_in_place = true,
              .origin = gathered},
    Operation{.name = "broadcast", .has_root = true, .can_be_in_place = true, .origin = from_root},
    Operation{.name = "all-to-all", .has_chunks = true, .origin = transposed},
    Operation{.name = "send-receive-ring", .origin = from_left},
    // A ping-pong: one call is half a round trip, as latency is usually stated. Received data is
    // sent back from its place, as in NetPIPE, because a buffer that nobody writes would stay in
    // the receiver's cache and look several times faster.
    Operation{.name = "send-receive-pairs",
              .can_be_in_place = true,
              .must_be_in_place = true,
              .needs_pairs = true,
              .origin = echoed},
};

}  // namespace

std::span<const Operation> operations() { return table; }

const Operation& operation(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string> valid;
  for (const Operation& each : table) {
    if (each.name == wanted) return each;
    valid.emplace_back(each.name);
  }
  throw InputError({}, "--op", unknown_name("operation", wanted, valid));
}

int partner_of(Member member) { return (member.rank + member.size / 2) % member.size; }

}  // namespace tofn::bench
