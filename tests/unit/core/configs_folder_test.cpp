#include "sim/core/configs_folder.hpp"

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("an installed program, library or module finds the configs that were installed with it",
          "[core]") {
  const TemporaryFolder folder;
  const auto configs = folder.path() / "share/tofn/configs";
  std::filesystem::create_directories(configs);
  for (const char* object :
       {"bin/tofn", "lib/x86_64-linux-gnu/libtofn.so", "lib/python3/dist-packages/tofn/_tofn.so"})
    CHECK(configs_beside(folder.path() / object, "/built/configs") == configs);
}

TEST_CASE("a program that was not installed has the configs of its build", "[core]") {
  const TemporaryFolder folder;
  CHECK(configs_beside(folder.path() / "build/tofn", "/built/configs") == "/built/configs");
}
