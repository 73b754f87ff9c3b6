#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace tofn {
inline namespace formats {

/// Prefixes that launchers put before each line: `0: ` (srun -l), `[1,0]<stdout>:` (Open MPI), `[0]
/// ` (MPICH), `[default0]:` (torchrun) and `(worker pid=1, ip=10.0.0.1) ` (Ray). Hosts (`gpu00: `
/// of pdsh), containers (`name-1 | ` of docker compose) and times (`2025-08-01T12:00:00Z ` of
/// kubectl) look like words of a program, so they count as prefixes only if the log also has them
/// before a
/// `#` or before an argument of a dump (`seq_length ..... 8192`).
class LinePrefixes {
 public:
  explicit LinePrefixes(std::string_view log);

  std::size_t length(std::string_view line) const;

 private:
  std::set<std::string_view> names_;
  bool has_times_ = false;
};

}  // namespace formats
}  // namespace tofn
