#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/rows.hpp"

namespace tofn {
inline namespace formats {

/// Origin of an answer in JSON: version, command and files.
struct Provenance {
  std::string version;
  std::string commit;
  std::vector<std::string> command;          ///< words after the program's name
  std::map<std::string, std::string> files;  ///< digests of the input files, by name
};

struct AnswerFile {
  Provenance from;
  Records rows;
  std::string text{};  ///< the answer as printed for people
};

/// Returns an object of these members, with `rows` as an array of objects.
std::string to_json(const AnswerFile&);

/// Command and text of an answer in JSON; both empty if the text is not such an answer.
struct AnswerWords {
  std::string command;  ///< `tofn predict bert dgx-h100`
  std::string text;
};
AnswerWords answer_words(std::string_view json);

/// Reads an answer. InputError with its place if the text is not an answer.
AnswerFile read_answer(std::string_view text, const std::string& file);

}  // namespace formats
}  // namespace tofn
