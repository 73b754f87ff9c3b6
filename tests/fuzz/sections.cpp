#include "tests/fuzz/sections.hpp"

#include <string_view>

namespace tofn::fuzz {
namespace {

constexpr std::string_view mark = "=== ";

}  // namespace

FileSections cut_into_files(const std::string& input) {
  FileSections files;
  for (std::size_t start = 0; start < input.size();) {
    const std::size_t end = std::min(input.find('\n', start), input.size());
    const std::string line = input.substr(start, end - start);
    if (line.starts_with(mark))
      files.emplace_back(line.substr(mark.size()), "");
    else if (!files.empty())
      files.back().second += line + '\n';
    start = end + 1;
  }
  return files;
}

std::string joined_files(const FileSections& files) {
  std::string input;
  for (const auto& [name, text] : files) input += std::string(mark) + name + '\n' + text;
  return input;
}

std::string mutated_files(const std::string& input, Dice& dice) {
  FileSections files = cut_into_files(input);
  if (files.empty()) return {};
  auto& [name, text] = files[dice() % files.size()];
  text = mutated_yaml(text, dice);
  return text.empty() ? std::string() : joined_files(files);
}

}  // namespace tofn::fuzz
