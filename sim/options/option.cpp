#include "sim/options/option.hpp"

#include <iterator>
#include <utility>

namespace tofn {
inline namespace options {

bool AnyOption::is_given(const options::variables_map& values) const {
  const auto found = values.find(std::string(name));
  return found != values.end() && !found->second.defaulted();
}

std::optional<std::string> AnyOption::text(const options::variables_map& values) const {
  const auto found = values.find(std::string(name));
  if (found == values.end()) return {};
  return found->second.as<std::string>();
}

std::vector<std::string> AnyOption::texts(const options::variables_map& values) const {
  const auto found = values.find(std::string(name));
  return found == values.end() ? std::vector<std::string>{} : texts_of(found->second);
}

std::vector<std::string> texts_of(const options::variable_value& value) {
  if (const auto* text = boost::any_cast<std::string>(&value.value())) return {*text};
  return value.as<std::vector<std::string>>();
}

options::variables_map with_option(options::variables_map values, const AnyOption& option,
                                   std::string text) {
  values.erase(std::string(option.name));
  values.insert({std::string(option.name), options::variable_value(std::move(text), false)});
  return values;
}

CommandOptions rows_for(Jobs jobs, const std::vector<const AnyOption*>& options) {
  CommandOptions rows;
  for (const AnyOption* option : options) rows.push_back({option, jobs});
  return rows;
}

CommandOptions rows_for(std::span<const AnyOption> options) {
  CommandOptions rows;
  for (const AnyOption& option : options) rows.push_back({&option});
  return rows;
}

CommandOptions joined(std::vector<CommandOptions> blocks) {
  CommandOptions all;
  for (CommandOptions& block : blocks)
    std::move(block.begin(), block.end(), std::back_inserter(all));
  return all;
}

}  // namespace options
}  // namespace tofn
