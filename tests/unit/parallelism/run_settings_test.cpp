#include "sim/parallelism/run_settings.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("months between two releases") {
  CHECK(months_between("23.09", "24.04") == 7);
  CHECK(months_between("24.04", "23.09") == -7);
  CHECK(months_between("24.09", "24.09") == 0);
  CHECK(months_between("23.12", "24.01") == 1);
  CHECK(months_between("22.01", "24.01") == 24);
}

TEST_CASE("what is no release is no months away") {
  for (const char* text : {"", "24", "24.9", "2409", "24-09", "24.09 ", "ab.cd", "2024.09"}) {
    INFO(text);
    CHECK_FALSE(months_between(text, "24.09"));
    CHECK_FALSE(months_between("24.09", text));
  }
}

TEST_CASE("graph captures have the names that files use") {
  CHECK(to_text(CudaGraphs::None) == "none");
  CHECK(to_text(CudaGraphs::Segmented) == "segmented");
  CHECK(to_text(CudaGraphs::Layer) == "layer");
  CHECK(to_text(CudaGraphs::FullIteration) == "full_iteration");
}
