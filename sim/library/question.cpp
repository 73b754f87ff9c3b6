#include "tofn/question.hpp"

#include <utility>

#include "sim/app/answered.hpp"
#include "sim/library/guarded.hpp"

namespace tofn {

std::vector<std::string> command_line(const Question& question) {
  return guarded([&] { return words_of(question); });
}

Answer answer(const Question& question) {
  return guarded([&]() -> Answer {
    auto [given, notices] = answered(question);
    return {std::move(given.records.columns), std::move(given.records.rows), std::move(given.text),
            std::move(notices), given.exit_code};
  });
}

}  // namespace tofn
