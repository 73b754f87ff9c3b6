// A program of a user: answers questions of standard input, one a line of words with tabs between,
// in C++. A line each of output: exit code, `rows` or `error`, and JSON of a text.
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

/// The text as a string of JSON.
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

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) try {
      const tofn::Answer answer = tofn::answer(question_of(words_of(line)));
      std::cout << answer.exit_code() << " rows " << quoted(answer.json()) << '\n';
    } catch (const tofn::Error& error) {
      std::cout << error.exit_code() << " error " << quoted(error.what()) << '\n';
    }
}
