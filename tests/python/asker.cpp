// A user's program that answers questions from standard input in C++, one a line, with words
// separated by tabs. It prints a line for each: exit code, `rows` or `error`, and a text as JSON.
// `asker REPEATS` only prints the microseconds of a call.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <tofn/tofn.hpp>

namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words{""};
  for (const char letter : line)
    if (letter == '\t')
      words.emplace_back();
    else
      words.back() += letter;
  return words;
}

tofn::Question question_of(const std::vector<std::string>& words) {
  tofn::Question question{.command = words.front()};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--")) {
      question.arguments.push_back(word);
    } else if (const auto end = word.find('='); end != std::string::npos) {
      question.options.emplace_back(word.substr(2, end - 2), word.substr(end + 1));
    } else {
      question.options.emplace_back(word.substr(2), true);
    }
  }
  return question;
}

/// The text as a JSON string.
std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char letter : text) {
    if (letter == '\n')
      all += "\\n";
    else if (letter == '"' || letter == '\\')
      all += std::string{'\\', letter};
    else
      all += letter;
  }
  return all + '"';
}

/// Prints the mean microseconds of answering the question, even if the answer is an error.
void time_calls(const tofn::Question& question, int repeats) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int i = 0; i < repeats; ++i) try {
      tofn::answer(question);
    } catch (const tofn::Error&) {
    }
  const std::chrono::duration<double, std::micro> taken = Clock::now() - start;
  std::cout << taken.count() / repeats << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 0;
  for (std::string line; std::getline(std::cin, line);) try {
      if (repeats > 0) {
        time_calls(question_of(words_of(line)), repeats);
        continue;
      }
      const tofn::Answer answer = tofn::answer(question_of(words_of(line)));
      std::cout << answer.exit_code() << " rows " << quoted(answer.json()) << '\n';
    } catch (const tofn::Error& error) {
      std::cout << error.exit_code() << " error " << quoted(error.what()) << '\n';
    }
}
