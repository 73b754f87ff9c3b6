// Functions that libFuzzer calls. One program holds the targets of one table (TOFN_TARGETS);
// `--target=NAME` chooses the one to run.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/fuzz/sections.hpp"
#include "tests/fuzz/target_tables.hpp"
#include "tests/fuzz/yaml_mutator.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t longest);

namespace tofn::fuzz {
namespace {

const Target* chosen = nullptr;

const TargetTable& targets() {
  static const TargetTable all = TOFN_TARGETS();
  return all;
}

const Target* target_named(const std::string& name) {
  for (const Target& each : targets())
    if (each.name == name) return &each;
  return nullptr;
}

[[noreturn]] void list_targets() {
  for (const Target& each : targets())
    std::printf("%s\t%g\t%zu\t%s\t%s\n", each.name.c_str(), each.millions, each.longest,
                each.seeds.empty() ? "-" : each.seeds.c_str(), each.reads.c_str());
  std::exit(0);
}

void choose(const std::string& word) {
  constexpr std::string_view flag = "--target=";
  if (word == "--list") list_targets();
  if (word.starts_with(flag)) chosen = target_named(word.substr(flag.size()));
}

/// Deletes a word of the text, or replaces it or adds one, mostly with a word that the reader
/// knows.
std::string with_word(std::string text, Dice& dice) {
  static const std::vector<std::string> words = chosen->words ? chosen->words() : decltype(words){};
  const auto is_end = [](char c) { return c == ' ' || c == '\n' || c == ',' || c == '"'; };
  std::size_t start = text.empty() ? 0 : dice() % text.size();
  while (start > 0 && !is_end(text[start - 1])) --start;
  std::size_t end = start;
  while (end < text.size() && !is_end(text[end])) ++end;
  const bool is_known = !words.empty() && dice() % 4 != 0;
  const std::string word = is_known ? words[dice() % words.size()] : odd_text(dice);
  const auto how = dice() % 4;
  if (how == 0) return text.erase(start, end - start + (end < text.size() ? 1 : 0));
  if (how == 1) return text.insert(start, word + (chosen->shape == Shape::Words ? '\n' : ' '));
  return text.replace(start, end - start, word);
}

std::string mutated(const std::string& text, Dice& dice) {
  switch (chosen->shape) {
    case Shape::Yaml:
      return mutated_yaml(text, dice);
    case Shape::Sections:
      return mutated_files(text, dice);
    case Shape::Bytes:
    case Shape::Words:
      return with_word(text, dice);
  }
  return {};
}

}  // namespace
}  // namespace tofn::fuzz

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  for (int i = 1; i < *count; ++i) tofn::fuzz::choose((*words)[i]);
  if (tofn::fuzz::chosen != nullptr) return 0;
  std::fprintf(stderr, "%s: --target=NAME is needed; --list shows the names\n", (*words)[0]);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tofn::fuzz::chosen->run(std::string(data, data + size));
  return 0;
}

/// Mutates an input. libFuzzer itself makes half of the changes, of bytes; a quarter if the input
/// is a tree.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t longest, unsigned seed) {
  using namespace tofn::fuzz;
  Dice dice(seed);
  const bool is_tree = chosen->shape == Shape::Yaml || chosen->shape == Shape::Sections;
  if (dice() % 4 < (is_tree ? 1U : 2U)) return LLVMFuzzerMutate(data, size, longest);
  const std::string text = mutated({data, data + size}, dice);
  if (text.empty() || text.size() > longest) return LLVMFuzzerMutate(data, size, longest);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
