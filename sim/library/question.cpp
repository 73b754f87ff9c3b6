#include "tofn/question.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/app/answered.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "tofn/error.hpp"

namespace tofn {
namespace {

constexpr int failure_of_ours = 1;
constexpr int mistake_of_the_user = 2;

/// What leaves the library is an Error, with the words of the command.
template <class Work>
auto guarded(const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const InputError& error) {
    throw Error(error.what(), mistake_of_the_user);
  } catch (const WriteError& error) {
    throw Error(error.what(), failure_of_ours);
  } catch (const std::exception& error) {
    throw Error(fmt::format("internal error: {}", error.what()), failure_of_ours);
  }
}

}  // namespace

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
