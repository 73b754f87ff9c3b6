#include <fmt/format.h>

#include "sim/answers/link_families_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/config/load_link_family.hpp"
#include "sim/core/file.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace app {

CommandAnswer calibrate_fabrics(const CommonOptions& common, const std::filesystem::path& folder) {
  const auto families = relearned_families(common.configs);
  for (const LinkFamily& family : families) {
    const std::string name = family.name + ".yaml";
    write_into_folder(folder / name, relearned_text(common.configs / "fabrics" / name, family));
  }
  return {.text = list_fabrics(families).text};
}

}  // namespace app
}  // namespace tofn
