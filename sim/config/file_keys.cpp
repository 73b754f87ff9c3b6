#include "sim/config/file_keys.hpp"

#include <array>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/formats/launchers/load_launcher.hpp"

namespace tofn {
inline namespace config {
namespace {

/// A kind of file whose keys are rows. Add new kinds here.
struct KeyedFile {
  std::string_view name;
  void (*list)(std::vector<FileKey>&);
};
constexpr std::array keyed_files{KeyedFile{"model", list_model_keys},
                                 KeyedFile{"plan", list_plan_keys},
                                 KeyedFile{"run", list_run_keys},
                                 KeyedFile{"workload", list_workload_keys},
                                 KeyedFile{"stack", list_stack_keys},
                                 KeyedFile{"quote", list_quote_keys},
                                 KeyedFile{"price-list", list_price_list_keys},
                                 KeyedFile{"launcher", list_launcher_keys},
                                 KeyedFile{"record", list_record_keys}};

}  // namespace

std::vector<FileKey> file_keys(std::string_view kind, std::vector<std::string> others) {
  std::vector<FileKey> keys;
  std::vector<std::string> names = std::move(others);
  for (const KeyedFile& file : keyed_files) {
    names.emplace_back(file.name);
    if (kind.empty() || kind == file.name) file.list(keys);
  }
  if (keys.empty()) throw InputError(unknown_name("kind", std::string(kind), names));
  return keys;
}

}  // namespace config
}  // namespace tofn
