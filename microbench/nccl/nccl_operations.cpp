#include "microbench/nccl/nccl_operations.hpp"

#include <array>
#include <cassert>
#include <string_view>
#include <utility>

#include "microbench/nccl/nccl_call.hpp"

namespace tofn::bench {
namespace {

void check(const NcclCall& call, ncclResult_t code, const char* name) {
  check_nccl(code, call.group, name);
}

/// Groups the sends and receives of `exchange` into one operation, because they would otherwise
/// wait for one another.
template <class Exchange>
void grouped(const NcclCall& call, Exchange exchange) {
  check(call, ncclGroupStart(), "ncclGroupStart");
  try {
    exchange();
  } catch (...) {
    ncclGroupEnd();
    throw;
  }
  check(call, ncclGroupEnd(), "ncclGroupEnd");
}

/// Sends a chunk; `index` counts chunks in the buffer.
void send(const NcclCall& call, int peer, int index = 0) {
  const std::size_t offset = static_cast<std::size_t>(index) * call.call.chunk *
                             static_cast<std::size_t>(call.call.type->bytes);
  check(call,
        ncclSend(static_cast<const std::byte*>(call.call.send) + offset, call.call.chunk, call.type,
                 peer, call.group, call.stream),
        "ncclSend");
}

void receive(const NcclCall& call, int peer, int index = 0) {
  const std::size_t offset = static_cast<std::size_t>(index) * call.call.chunk *
                             static_cast<std::size_t>(call.call.type->bytes);
  check(call,
        ncclRecv(static_cast<std::byte*>(call.call.receive) + offset, call.call.chunk, call.type,
                 peer, call.group, call.stream),
        "ncclRecv");
}

void all_reduce(const NcclCall& call) {
  check(call,
        ncclAllReduce(call.call.send, call.call.receive, call.call.chunk, call.type, ncclSum,
                      call.group, call.stream),
        "ncclAllReduce");
}

void reduce_scatter(const NcclCall& call) {
  check(call,
        ncclReduceScatter(call.call.send, call.call.receive, call.call.chunk, call.type, ncclSum,
                          call.group, call.stream),
        "ncclReduceScatter");
}

void all_gather(const NcclCall& call) {
  check(call,
        ncclAllGather(call.call.send, call.call.receive, call.call.chunk, call.type, call.group,
                      call.stream),
        "ncclAllGather");
}

void broadcast(const NcclCall& call) {
  const int root = (call.call.root + call.turn) % call.member.size;
  check(call,
        ncclBroadcast(call.call.send, call.call.receive, call.call.chunk, call.type, root,
                      call.group, call.stream),
        "ncclBroadcast");
}

void all_to_all(const NcclCall& call) {
  grouped(call, [&] {
    for (int peer = 0; peer < call.member.size; ++peer) {
      send(call, peer, peer);
      receive(call, peer, peer);
    }
  });
}

void ring(const NcclCall& call) {
  grouped(call, [&] {
    send(call, (call.member.rank + 1) % call.member.size);
    receive(call, (call.member.rank + call.member.size - 1) % call.member.size);
  });
}

void ping_pong(const NcclCall& call) {
  const int partner = partner_of(call.member);
  const bool is_lower = call.member.rank < partner;
  const bool goes_up = call.turn % 2 == 0;
  if (is_lower == goes_up)
    send(call, partner);
  else
    receive(call, partner);
}

constexpr std::array<std::pair<std::string_view, NcclFunction>, 7> functions{
    {{"all-reduce", all_reduce},
     {"reduce-scatter", reduce_scatter},
     {"all-gather", all_gather},
     {"broadcast", broadcast},
     {"all-to-all", all_to_all},
     {"send-receive-ring", ring},
     {"send-receive-pairs", ping_pong}}};

}  // namespace

NcclFunction nccl_function(const Operation& operation) {
  for (const auto& [name, function] : functions)
    if (name == operation.name) return function;
  assert(false);
  return nullptr;
}

std::optional<ncclDataType_t> nccl_type(const ElementType& type, const Operation& operation) {
  if (type.name == "fp32") return ncclFloat32;
  if (type.name == "fp16") return ncclFloat16;
  if (type.name == "bf16") return ncclBfloat16;
  if (type.name == "int32") return ncclInt32;
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 24, 0)
  if (type.name == "fp8_e4m3") return ncclFloat8e4m3;
  if (type.name == "fp8_e5m2") return ncclFloat8e5m2;
#endif
  // Operations that only move data need no arithmetic.
  if (type.bytes == 1 && !operation.reduces) return ncclUint8;
  return {};
}

}  // namespace tofn::bench
