#include <array>
#include <initializer_list>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {

std::span<const WrittenGroup> written_groups() {
  static const std::array groups{WrittenGroup{"parallelism", terms_of_parallelism},
                                 WrittenGroup{"pipeline schedules", terms_of_schedules},
                                 WrittenGroup{"collectives", terms_of_collectives},
                                 WrittenGroup{"algorithms", terms_of_algorithms},
                                 WrittenGroup{"a step", terms_of_steps},
                                 WrittenGroup{"machines", terms_of_machines},
                                 WrittenGroup{"a run", terms_of_runs},
                                 WrittenGroup{"scaling", terms_of_scaling},
                                 WrittenGroup{"evidence", terms_of_evidence}};
  return groups;
}

std::vector<WrittenColumn> written_columns() {
  std::vector<WrittenColumn> all;
  for (const auto& rows :
       {columns_of_lists, columns_of_jobs, columns_of_validations, columns_of_text})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace glossary
}  // namespace tofn
