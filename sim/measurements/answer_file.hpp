#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/rows.hpp"

namespace tofn {
inline namespace measurements {

/// What an answer in JSON states of where it comes from.
struct Provenance {
  std::string version;
  std::string commit;
  std::vector<std::string> command;          ///< words after the program's name
  std::map<std::string, std::string> files;  ///< digests of the files that were read, by name
};

struct AnswerFile {
  Provenance from;
  Records rows;
  std::string text{};  ///< what people read of it
};

/// An object of these, with `rows` as an array of objects.
std::string to_json(const AnswerFile&);

/// What an answer in JSON says in words: both empty where the text is no such answer.
struct AnswerWords {
  std::string command;  ///< `tofn predict bert dgx-h100`
  std::string text;
};
AnswerWords answer_words(std::string_view json);

/// InputError with its place where the text is no such answer.
AnswerFile read_answer(std::string_view text, const std::string& file);

}  // namespace measurements
}  // namespace tofn
