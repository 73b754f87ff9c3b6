// Replays the inputs in corpus/, so that what fuzzers once found is tested even without clang.
//   fuzz_corpus CORPUS
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return std::move(text).str();
}

/// Runs every input of the folder and returns their number. If one ends the program, its name is
/// the last one printed.
int replay(const Target& target, const fs::path& folder) {
  int inputs = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::printf("%s: %s\n", target.name.c_str(), entry.path().filename().c_str());
    std::fflush(stdout);
    target.run(text_of(entry.path()));
    ++inputs;
  }
  if (inputs == 0 && target.seeds.empty())
    std::printf("%s: has no inputs in %s\n", target.name.c_str(), folder.c_str());
  return inputs;
}

}  // namespace
}  // namespace tofn::fuzz

int main(int count, char** words) {
  using namespace tofn::fuzz;
  if (count != 2) return 2;
  bool is_whole = true;
  for (const TargetTable& table : {reader_targets(), answer_targets()})
    for (const Target& target : table)
      if (replay(target, fs::path(words[1]) / target.name) == 0 && target.seeds.empty())
        is_whole = false;
  stop_listening();
  return is_whole ? 0 : 1;
}
