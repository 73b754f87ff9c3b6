#include "microbench/app/option_lists.hpp"

#include <algorithm>

#include "sim/core/configs_folder.hpp"

namespace tofn::bench {

std::optional<std::string> text_option(const options::variables_map& values, const char* name) {
  if (values.count(name) == 0) return {};
  return values[name].as<std::string>();
}

bool is_given(const options::variables_map& values, const char* name) {
  return values.count(name) > 0;
}

std::optional<int> count_option(const options::variables_map& values, const char* name, int most) {
  const auto text = text_option(values, name);
  if (!text) return {};
  return whole_number(*text, std::string("--") + name, most);
}

std::vector<std::string> names_option(const options::variables_map& values, const char* name,
                                      std::string_view noun,
                                      const std::vector<std::string>& valid) {
  const std::string option = std::string("--") + name;
  auto names = split_list(values[name].as<std::string>());
  if (names.empty()) throw InputError({}, option, "expected one of " + choices(valid));
  for (std::string& each : names) {
    if (std::find(valid.begin(), valid.end(), each) != valid.end()) continue;
    std::replace(each.begin(), each.end(), '_', '-');
    if (std::find(valid.begin(), valid.end(), each) == valid.end())
      throw InputError({}, option, unknown_name(noun, each, valid));
  }
  return names;
}

std::vector<double> sizes_option(const options::variables_map& values, const char* name) {
  std::vector<double> sizes;
  for (const std::string& part : split_list(values[name].as<std::string>()))
    sizes.push_back(amount_of<Bytes>(part, std::string("--") + name).base());
  if (sizes.empty()) throw InputError({}, std::string("--") + name, "expected at least one size");
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

std::filesystem::path configs_folder(const options::variables_map& values) {
  if (const auto given = text_option(values, "configs")) return *given;
  return default_configs();
}

}  // namespace tofn::bench
