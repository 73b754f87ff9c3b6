#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace tofn {

enum class CollectiveKind { AllReduce, ReduceScatter, AllGather, Broadcast, AllToAll, SendReceive };

inline constexpr std::array<std::pair<std::string_view, CollectiveKind>, 6> collective_kinds{{
    {"all-reduce", CollectiveKind::AllReduce},
    {"reduce-scatter", CollectiveKind::ReduceScatter},
    {"all-gather", CollectiveKind::AllGather},
    {"broadcast", CollectiveKind::Broadcast},
    {"all-to-all", CollectiveKind::AllToAll},
    {"send-receive", CollectiveKind::SendReceive},
}};
constexpr const auto& names_of(CollectiveKind) { return collective_kinds; }

}  // namespace tofn
