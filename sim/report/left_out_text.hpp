#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace report {

using NamesByReason = std::map<std::string, std::vector<std::string>>;

/// `left out: 11 x WHY: NAMES`, a paragraph a reason. Of the reason `counted_alone` no names.
std::string left_out_text(const NamesByReason&, std::string_view counted_alone = {});

}  // namespace report
}  // namespace tofn
