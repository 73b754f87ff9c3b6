// Kernels over NCCL's device API do what NCCL's call of that name does, on what lies in the
// windows.
#include "tests/standin/library/collective_twin.hpp"

#include <nccl.h>

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#include <array>
#include <string_view>
#include <utility>

#include <nccl_device.h>

#include "microbench/nccl/symmetric_windows.hpp"
#include "tests/standin/library/nccl_member.hpp"
#endif

namespace tofn::standin {

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
namespace {

using bench::WindowPlace;

/// ncclCommWindowRegister gives the memory itself for a window.
std::byte* address_of(const WindowPlace& place) {
  return reinterpret_cast<std::byte*>(place.window) + place.offset;
}

template <CallKind kind, ncclDataType_t type>
Action collective(void** arguments, const Launch& launch) {
  const auto comm = argument<ncclDevComm>(arguments, 0);
  const auto send = argument<WindowPlace>(arguments, 1);
  const auto receive = argument<WindowPlace>(arguments, 2);
  const auto member = handle_of(reinterpret_cast<ncclComm_t>(comm.resourceWindow)).member;
  const NcclWork work{.kind = kind,
                      .send = address_of(send),
                      .receive = address_of(receive),
                      .count = argument<std::size_t>(arguments, 3),
                      .type = type};
  const bool has_barriers = launch.blocks <= static_cast<std::size_t>(comm.lsaBarrier.nBarriers);
  const bool has_windows =
      member->registered.contains(send.window) && member->registered.contains(receive.window);
  return [member, work, is_possible = has_barriers && has_windows](Gpu& gpu) {
    if (!is_possible || &gpu != &member->gpu()) throw IllegalAddress();
    member->perform({work});
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
