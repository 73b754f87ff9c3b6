#include "sim/app/subject.hpp"

#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a folder with a config.json is a model by its bare name", "[app]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "my-model");
  std::filesystem::create_directory(folder.path() / "empty");
  std::ofstream(folder.path() / "my-model" / "config.json") << "{\"model_type\": \"llama\"}";
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {"my-model", "my-model/", "./my-model"})
    CHECK(subject_of(name, configs).is_model);
  for (const std::string name : {"empty", "./empty"})
    CHECK(refusal([&] { subject_of(name, configs); }) ==
          name + ": is a folder without a config.json");
  CHECK_THAT(refusal([] { subject_of("nothing", configs); }),
             ContainsText("unknown job 'nothing'"));
  std::filesystem::current_path(before);
}

TEST_CASE("a file that is no job says what it is, or that it is of no kind", "[app]") {
  const TemporaryFolder folder;
  const auto refused = [&](const char* text) {
    std::ofstream(folder.path() / "m.yaml") << text;
    return refusal([&] { subject_of(folder.file("m.yaml"), configs); });
  };
  CHECK_THAT(refused("format: 2\nname: m\n"),
             ContainsText("m.yaml:1:1: is no kind of file that tofn knows"));
  CHECK_THAT(refused("format: 2\nname: m\naxes: []\n"),
             ContainsText("m.yaml:1:1: is a sweep: expected a model, a run or a workload"));
}
