#include "sim/app/answer_json.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/app/answered.hpp"
#include "sim/core/answer_of_no.hpp"
#include "sim/core/file.hpp"
#include "sim/core/memory_failures.hpp"
#include "sim/core/names.hpp"
#include "sim/core/records.hpp"
#include "sim/core/text_as_file.hpp"
#include "sim/core/version.hpp"

namespace tofn {
inline namespace app {
namespace {

using Json = nlohmann::ordered_json;

constexpr int failure_of_ours = 1;
constexpr int mistake_of_the_user = 2;

constexpr std::array requested_of_pages{"predict", "plan",       "scale", "step",
                                        "compare", "collective", "list",  "report"};
/// True if an option of any command writes files or reads something that no page has.
bool is_kept_from_pages(const std::string& name) {
  static const std::set<std::string_view> kept = [] {
    std::set<std::string_view> names;
    for (const Command& command : commands())
      for (const CommandOption& row : joined({command.line({}).rows, common_rows()}))
        if (!row.option->is_for_pages) names.insert(row.option->name);
    return names;
  }();
  return kept.count(name) > 0;
}

std::string error_json(const std::string& what, int exit_code) {
  return Json{{"exit_code", exit_code}, {"error", what}}.dump(-1, ' ', false,
                                                              Json::error_handler_t::replace);
}

void require(bool holds, const char* what) {
  if (!holds) throw InputError(std::string("question: ") + what);
}

Setting setting_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<long long>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  require(value.is_array(), "an option is a number, a text, true, false or a list of these");
  std::vector<Setting> several;
  for (const Json& each : value) {
    require(!each.is_array(), "an option's list holds no lists");
    several.push_back(setting_of(each));
  }
  return several;
}

/// True if the word may name something in a folder of configs: it is neither a path nor a file
/// name.
bool is_plain(const std::string& word) {
  static constexpr std::array endings{".yaml", ".yml", ".json", ".csv", ".txt", ".log"};
  const auto has = [&](const char* ending) { return word.ends_with(ending); };
  return word.find('/') == word.npos && word.find('\\') == word.npos && !word.starts_with('-') &&
         !word.starts_with('.') && std::ranges::none_of(endings, has);
}

/// Files of the question, which can be read under a path while it is answered.
class Files {
 public:
  explicit Files(const Json& files) {
    require(files.is_null() || files.is_object(), "files: expected names and texts");
    for (const auto& [name, text] : files.items()) {
      require(text.is_string(), "files: expected names and texts");
      require(name.find('/') == name.npos && !name.starts_with('.') && !name.empty(),
              "files: a name has no path");
      written_.emplace_back(name, std::make_unique<TextAsFile>(name, text.get<std::string>()));
    }
  }

  bool holds(const std::string& name) const {
    return std::ranges::any_of(written_, [&](const auto& file) { return file.first == name; });
  }
  /// Returns the path of the question's file that the word names, otherwise the word. InputError if
  /// the word is a path or names any other file.
  std::string placed(const std::string& word) const {
    for (const auto& [name, file] : written_)
      if (name == word) return file->path();
    if (!is_plain(word))
      throw InputError(fmt::format("'{}' names no file of the question", shortened(word)));
    return word;
  }
  std::string reported(std::string words) const {
    for (const auto& [name, file] : written_) words = file->reported(std::move(words));
    return words;
  }

 private:
  std::vector<std::pair<std::string, std::unique_ptr<TextAsFile>>> written_{};
};

Setting placed(const Setting& setting, const Files& files) {
  if (const auto* text = std::get_if<std::string>(&setting.value())) return files.placed(*text);
  const auto* several = std::get_if<std::vector<Setting>>(&setting.value());
  if (several == nullptr) return setting;
  std::vector<Setting> all;
  for (const Setting& each : *several) all.push_back(placed(each, files));
  return all;
}

Question question_of(const Json& json, const Files& files) {
  require(json.contains("command") && json["command"].is_string(), "command: expected a name");
  Question question{.command = json["command"].get<std::string>()};
  if (std::ranges::count(requested_of_pages, question.command) == 0)
    throw InputError(unknown_name(
        "page command", question.command,
        std::vector<std::string>(requested_of_pages.begin(), requested_of_pages.end())));
  const Json arguments = json.value("arguments", Json::array());
  require(arguments.is_array(), "arguments: expected a list of names");
  const bool is_report = question.command == "report";
  for (const Json& each : arguments) {
    require(each.is_string(), "arguments: expected a list of names");
    const std::string word = each.get<std::string>();
    if (is_report && !files.holds(word))
      throw InputError(fmt::format("'{}' names no file of the question", shortened(word)));
    question.arguments.push_back(files.placed(word));
  }
  if (is_report) question.options.emplace_back("output", std::string("-"));
  const Json options = json.value("options", Json::object());
  require(options.is_object(), "options: expected names and values");
  for (const auto& [name, value] : options.items()) {
    std::string dashed = name;
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    if (is_kept_from_pages(dashed)) throw InputError({}, "--" + dashed, "is for the command line");
    question.options.emplace_back(name, placed(setting_of(value), files));
  }
  return question;
}

/// Answer as JSON, with the rows of `--format json`.
std::string answered_json(const Json& json) {
  const Files files(json.value("files", Json()));
  try {
    const Question question = question_of(json, files);
    const Answered given = answered(question);
    Json words = Json::array(), notices = Json::array();
    for (const std::string& word : words_of(question)) words.push_back(files.reported(word));
    for (const std::string& notice : given.notices) notices.push_back(files.reported(notice));
    const auto text = [](const Json& part) {
      return part.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    return fmt::format(R"({{"exit_code":{},"command_line":{},"notices":{},"text":{},"rows":{}}})",
                       given.answer.exit_code, text(words), text(notices),
                       text(files.reported(given.answer.text)), to_json(given.answer.records));
  } catch (const InputError& error) {
    return error_json(files.reported(error.what()), exit_code_of(error));
  }
}

Json offered_command(const Command& command) {
  Json options = Json::array();
  for (const CommandOption& row : command.line({}).rows)
    if (row.option->is_for_pages)
      options.push_back({{"name", row.option->name},
                         {"help", row.shown_help()},
                         {"takes_value", row.option->takes != Takes::Nothing}});
  return {{"name", command.name}, {"summary", command.summary}, {"options", options}};
}

struct OfferedList {
  std::string_view what;
  std::vector<std::string_view> columns;
};
/// Lists of a page, with the columns that it needs.
const std::array offered_lists{OfferedList{"clusters",
                                           {"name", "description", "accelerator",
                                            "accelerators_per_node", "price_usd_per_hour"}},
                               OfferedList{"accelerators", {"name", "memory_gb"}},
                               OfferedList{"models", {"name", "title", "parameters"}},
                               OfferedList{"workloads", {"name", "title"}},
                               OfferedList{"runs", {"name", "title"}},
                               OfferedList{"stacks", {"name", "description"}},
                               OfferedList{"figures", {"figure", "unit", "meaning"}}};

std::string offered_list(const std::string& what, const std::vector<std::string_view>& columns) {
  const Records all = answered({.command = "list", .arguments = {what}}).answer.records;
  Records kept{.columns = {columns.begin(), columns.end()},
               .rows = std::vector<std::vector<Value>>(all.rows.size())};
  for (const std::string_view column : columns) {
    const auto at = std::ranges::find(all.columns, column) - all.columns.begin();
    for (std::size_t i = 0; i < all.rows.size(); ++i)
      kept.rows[i].push_back(all.rows[i].at(static_cast<std::size_t>(at)));
  }
  return to_json(kept);
}

std::string guarded_answer(std::string_view question) {
  try {
    const Json json = Json::parse(question, nullptr, false);
    if (json.is_discarded() || !json.is_object())
      return error_json("question: expected a JSON object", mistake_of_the_user);
    return answered_json(json);
  } catch (const InputError& error) {
    return error_json(error.what(), mistake_of_the_user);
  } catch (const std::exception& error) {
    return error_json(fmt::format("internal error: {}", error.what()), failure_of_ours);
  }
}

}  // namespace

std::string answer_json(std::string_view question) {
  const std::uint64_t failures = memory_failures();
  std::string json = guarded_answer(question);
  return memory_failures() > failures ? error_json("out of memory", failure_of_ours) : json;
}

std::string offers_json() {
  Json commands = Json::array();
  for (const char* name : requested_of_pages)
    commands.push_back(offered_command(command_named(name)));
  std::string json = fmt::format(R"~({{"version":"{} ({})","commands":{})~", version_number,
                                 git_description, commands.dump());
  for (const auto& [what, columns] : offered_lists)
    json += fmt::format(R"(,"{}":{})", what, offered_list(std::string(what), columns));
  return json + '}';
}

}  // namespace app
}  // namespace tofn
