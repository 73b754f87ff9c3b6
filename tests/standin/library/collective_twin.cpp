// Emulates kernels over NCCL's device API: each does what NCCL's call of that name does, on the
// data in the windows.
#include "tests/standin/library/collective_twin.hpp"

#include <nccl.h>

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <nccl_device.h>

#include "microbench/nccl/pack_split.hpp"
#include "microbench/nccl/symmetric_windows.hpp"
#include "tests/standin/library/nccl_member.hpp"
#endif

namespace tofn::standin {

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
namespace {

using bench::PackSplit;
using bench::WindowPlace;

/// Ends a kernel that would access wrong memory, or wait for ever, on a GPU.
[[noreturn]] void end_kernel(const std::string& why) {
  std::fprintf(stderr, "stand-in: a kernel over the device API: %s\n", why.c_str());
  throw IllegalAddress();
}

/// Address of this many elements, which must lie in a window of the member.
std::byte* address_of(const NcclMember& member, const WindowPlace& place, std::size_t elements,
                      ncclDataType_t type) {
  if (place.window == nullptr) end_kernel("it has no window");
  const NcclWindow& window = *reinterpret_cast<const NcclWindow*>(place.window);
  if (window.is_gone) end_kernel("its window is no longer registered");
  if (window.member.lock().get() != &member) end_kernel("its window is of another communicator");
  const std::size_t bytes = elements * element_bytes(type);
  if (place.offset + bytes > window.bytes)
    end_kernel(std::to_string(bytes) + " bytes from " + std::to_string(place.offset) +
               " on are not in its window of " + std::to_string(window.bytes));
  if (place.offset % element_bytes(type) != 0)
    end_kernel("offset " + std::to_string(place.offset) + " is not one of its elements");
  return static_cast<std::byte*>(window.start) + place.offset;
}

/// Checks that packs are aligned and do not reach beyond the last element.
void check_split(const PackSplit& split, ncclDataType_t type, std::size_t send_offset,
                 std::size_t receive_offset) {
  const std::size_t bytes = element_bytes(type);
  const std::size_t first = split.head * bytes;
  if (first + split.packs * bench::pack_bytes > split.elements * bytes)
    end_kernel("its packs reach behind its last element");
  for (const std::size_t offset : {send_offset, receive_offset})
    if (split.packs > 0 && (offset + first) % bench::pack_bytes != 0)
      end_kernel("its packs are not aligned");
}

template <CallKind kind, ncclDataType_t type>
Action collective(void** arguments, const Launch& launch) {
  const auto comm = argument<ncclDevComm>(arguments, 0);
  const auto& end = *reinterpret_cast<const DeviceEnd*>(comm.resourceWindow);
  // A graph may hold this action, so the action keeps its communicator alive.
  return [comm, &end, member = end.member.lock(), blocks = launch.blocks,
          send = argument<WindowPlace>(arguments, 1), receive = argument<WindowPlace>(arguments, 2),
          split = argument<PackSplit>(arguments, 3)](Gpu& gpu) {
    if (end.is_gone || !member) end_kernel("its device communicator is destroyed");
    if (&gpu != &member->gpu()) end_kernel("its device communicator is of another GPU");
    if (comm.lsaSize != member->ranks()) end_kernel("its ranks do not all reach each other");
    if (blocks > static_cast<std::size_t>(end.barriers))
      end_kernel(std::to_string(blocks) + " blocks have " + std::to_string(end.barriers) +
                 " barriers");
    const std::size_t count = split.elements;
    const std::size_t all = count * static_cast<std::size_t>(member->ranks());
    const std::size_t sent = kind == CallKind::ReduceScatter ? all : count;
    const std::size_t received = kind == CallKind::AllGather ? all : count;
    const std::size_t chunk = count * element_bytes(type) * static_cast<std::size_t>(comm.lsaRank);
    check_split(split, type, send.offset + (kind == CallKind::ReduceScatter ? chunk : 0),
                receive.offset + (kind == CallKind::AllGather ? chunk : 0));
    member->perform({{.kind = kind,
                      .send = address_of(*member, send, sent, type),
                      .receive = address_of(*member, receive, received, type),
                      .count = count,
                      .type = type}});
  };
}

constexpr std::array<std::pair<std::string_view, Twin>, 12> twins_of_collectives{
    {{"all_reduce<float>", collective<CallKind::AllReduce, ncclFloat32>},
     {"all_reduce<__half>", collective<CallKind::AllReduce, ncclFloat16>},
     {"all_reduce<__nv_bfloat16>", collective<CallKind::AllReduce, ncclBfloat16>},
     {"all_reduce<int>", collective<CallKind::AllReduce, ncclInt32>},
     {"reduce_scatter<float>", collective<CallKind::ReduceScatter, ncclFloat32>},
     {"reduce_scatter<__half>", collective<CallKind::ReduceScatter, ncclFloat16>},
     {"reduce_scatter<__nv_bfloat16>", collective<CallKind::ReduceScatter, ncclBfloat16>},
     {"reduce_scatter<int>", collective<CallKind::ReduceScatter, ncclInt32>},
     {"all_gather<float>", collective<CallKind::AllGather, ncclFloat32>},
     {"all_gather<__half>", collective<CallKind::AllGather, ncclFloat16>},
     {"all_gather<__nv_bfloat16>", collective<CallKind::AllGather, ncclBfloat16>},
     {"all_gather<int>", collective<CallKind::AllGather, ncclInt32>}}};

}  // namespace

Twin collective_twin_of(const std::string& kernel) {
  for (const auto& [name, twin] : twins_of_collectives)
    if (name == kernel) return twin;
  return nullptr;
}
#else
Twin collective_twin_of(const std::string& /*kernel*/) { return nullptr; }
#endif

}  // namespace tofn::standin
