#include "sim/formats/text/answer_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/core/json.hpp"
#include "sim/core/records.hpp"
#include "sim/formats/text/json_rows.hpp"

namespace tofn {
inline namespace formats {

std::string to_json(const AnswerFile& answer) {
  std::vector<std::string> words;
  for (const std::string& word : answer.from.command) words.push_back(json_text(word));
  std::vector<std::string> files;
  for (const auto& [name, digest] : answer.from.files)
    files.push_back(fmt::format("  {}: {}", json_text(name), json_text(digest)));
  return fmt::format(
      "{{\n\"tofn\": {},\n\"commit\": {},\n\"command\": [{}],\n\"files\": {{\n{}\n}},\n\"text\": "
      "{},\n"
      "\"rows\": {}}}\n",
      json_text(answer.from.version), json_text(answer.from.commit), fmt::join(words, ", "),
      fmt::join(files, ",\n"), json_text(answer.text), tofn::to_json(answer.rows));
}

AnswerWords answer_words(std::string_view json) {
  using Json = nlohmann::json;
  // Other members are not kept.
  const auto is_wanted = [](int depth, Json::parse_event_t event, const Json& key) {
    return depth != 1 || event != Json::parse_event_t::key || key == "text" || key == "command";
  };
  const Json document = Json::parse(json, is_wanted, false);
  AnswerWords words;
  if (!document.is_object() || !document.contains("text") || !document["text"].is_string())
    return words;
  words.text = document["text"].get<std::string>();
  if (!document.contains("command") || !document["command"].is_array()) return words;
  words.command = "tofn";
  for (const Json& word : document["command"])
    if (word.is_string()) words.command += ' ' + word.get<std::string>();
  return words;
}

AnswerFile read_answer(std::string_view text, const std::string& file) {
  AnswerFile answer;
  answer.rows = json_rows(text, file);
  try {
    const auto document = nlohmann::json::parse(text);
    document.at("tofn").get_to(answer.from.version);
    document.at("commit").get_to(answer.from.commit);
    document.at("command").get_to(answer.from.command);
    document.at("files").get_to(answer.from.files);
  } catch (const nlohmann::json::exception&) {
    throw InputError({file}, {},
                     "is no answer of tofn: expected an object with tofn, commit, command, files "
                     "and rows, as --format json writes it");
  }
  return answer;
}

}  // namespace formats
}  // namespace tofn
