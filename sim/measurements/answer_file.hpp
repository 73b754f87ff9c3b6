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
};

/// An object of these and of `rows`, an array of objects.
std::string to_json(const AnswerFile&);

/// InputError with its place where the text is no such answer.
AnswerFile read_answer(std::string_view text, const std::string& file);

}  // namespace measurements
}  // namespace tofn
