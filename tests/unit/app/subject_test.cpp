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
  CHECK_THAT(refusal([] { subject_of("empty", configs); }), ContainsText("unknown job 'empty'"));
  std::filesystem::current_path(before);
}
