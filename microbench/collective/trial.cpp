#include "microbench/collective/trial.hpp"

#include <algorithm>
#include <stdexcept>

namespace tofn::bench {
namespace {

constexpr std::size_t slab_bytes = 64U << 20U;

/// Calls `work(first, count)` for slabs of at most `slab_bytes`, and `after_slab` after each.
template <class Work>
void in_slabs(std::size_t elements, std::size_t element_bytes,
              const std::function<void()>& after_slab, Work work) {
  const std::size_t slab = slab_bytes / element_bytes;
  for (std::size_t first = 0; first < elements; first += slab) {
    work(first, std::min(slab, elements - first));
    after_slab();
  }
}

}  // namespace

Extent extent_of(const Operation& operation, const ElementType& type, int ranks, double bytes) {
  const auto chunks = static_cast<std::size_t>(operation.has_chunks ? ranks : 1);
  constexpr double most = 1e18;  // more than any memory, and less than a count can hold
  const auto elements = static_cast<std::size_t>(std::min(bytes / type.bytes, most));
  Extent extent;
  extent.chunk = std::max<std::size_t>(elements / chunks, 1);
  // As in nccl-tests, chunks begin at a pack of 16 B, because copies of single elements are slower.
  const auto pack = static_cast<std::size_t>(16 / type.bytes);
  if (chunks > 1 && extent.chunk > pack) extent.chunk -= extent.chunk % pack;
  extent.total = extent.chunk * chunks;
  extent.send = operation.sends_chunk ? extent.chunk : extent.total;
  extent.receive = operation.receives_chunk ? extent.chunk : extent.total;
  return extent;
}

double bytes_needed(const ElementType& type, const Extent& extent, bool in_place) {
  const std::size_t elements = in_place ? extent.total : extent.send + extent.receive;
  return static_cast<double>(elements) * type.bytes;
}

Trial::Trial(LibraryCommunicator& communicator, TrialBuffers& buffers, const Operation& operation,
             const ElementType& type, const Extent& extent)
    : communicator_(communicator),
      buffers_(buffers),
      operation_(operation),
      type_(type),
      extent_(extent),
      pattern_(operation, type, communicator.member()) {}

std::size_t Trial::send_offset() const {
  if (buffers_.receive || !operation_.sends_chunk) return 0;
  return static_cast<std::size_t>(communicator_.member().rank) * extent_.chunk *
         static_cast<std::size_t>(type_.bytes);
}

std::size_t Trial::receive_offset() const {
  if (buffers_.receive || !operation_.receives_chunk) return 0;
  return static_cast<std::size_t>(communicator_.member().rank) * extent_.chunk *
         static_cast<std::size_t>(type_.bytes);
}

Elapsed Trial::run(int calls) {
  Buffer& receive = buffers_.receive ? *buffers_.receive : *buffers_.send;
  const Call call{.operation = &operation_,
                  .type = &type_,
                  .send = buffers_.send->data() + send_offset(),
                  .receive = receive.data() + receive_offset(),
                  .chunk = extent_.chunk};
  if (!operation_.needs_pairs) return communicator_.run(call, calls);
  // Half of a round trip is the time of one message.
  Elapsed elapsed = communicator_.run(call, 2 * calls);
  elapsed.host /= 2;
  if (elapsed.device) *elapsed.device /= 2;
  return elapsed;
}

void Trial::fill(const std::function<void()>& after_slab) {
  const auto size = static_cast<std::size_t>(type_.bytes);
  in_slabs(extent_.send, size, after_slab, [&](std::size_t first, std::size_t count) {
    buffers_.send->write(send_offset() + first * size, pattern_.sent(count, first));
  });
  if (!buffers_.receive) return;
  in_slabs(extent_.receive, size, after_slab, [&](std::size_t first, std::size_t count) {
    buffers_.receive->write(first * size, std::vector<std::byte>(count * size, std::byte{0xee}));
  });
}

void Trial::rewrite() {
  const std::size_t bytes = extent_.send * static_cast<std::size_t>(type_.bytes);
  if (written_.empty()) written_ = buffers_.send->read(send_offset(), bytes);
  buffers_.send->write(send_offset(), written_);
}

void Trial::check_result(const std::function<void()>& after_slab) const {
  const auto size = static_cast<std::size_t>(type_.bytes);
  Buffer& receive = buffers_.receive ? *buffers_.receive : *buffers_.send;
  in_slabs(extent_.receive, size, after_slab, [&](std::size_t first, std::size_t count) {
    const auto received = receive.read(receive_offset() + first * size, count * size);
    if (const auto problem = pattern_.problem(received, extent_.chunk, 0, first))
      throw std::runtime_error("wrong result: " + *problem);
  });
}

bool Trial::keeps_input() const { return buffers_.receive != nullptr && !operation_.has_root; }

}  // namespace tofn::bench
