#include "sim/app/job_kinds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/app/common_options.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace app {

void refuse_idle_options(const options::variables_map& values, const CommandOptions& own,
                         const JobKind& kind) {
  const CommandOptions rows = joined({own, common_rows()});
  for (const auto& given : values) {
    const auto is_it = [&](const CommandOption& row) { return row.option->name == given.first; };
    const auto row = std::ranges::find_if(rows, is_it);
    if (given.second.defaulted() || row == rows.end() || (row->acts_on & kind) != 0) continue;
    if ((row->acts_on & kind.replaces) == 0)
      throw InputError({}, row->option->flag(),
                       fmt::format("is not supported {}, which is answered without it", kind.name));
    throw InputError(
        {}, row->option->flag(),
        fmt::format("changes nothing {}{}{}", kind.name, kind.why.empty() ? "" : ": ", kind.why));
  }
}

}  // namespace app
}  // namespace tofn
