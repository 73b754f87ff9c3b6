#include "sim/config/file_keys.hpp"
#include "sim/report/list_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("every part of a wide list of keys begins with the key; one kind is not repeated") {
  const std::string run = list_fields(file_keys("run")).text;
  CHECK(run.starts_with("key "));
  CHECK_THAT(
      run, ContainsText("\nfailures.every ") && !ContainsText("\nrun ") && !ContainsText(" kind "));
  const std::string all = list_fields(file_keys()).text;
  CHECK(all.starts_with("key "));
  CHECK_THAT(all, ContainsText(" kind ") && ContainsText("\nfailures.every"));
  CHECK(list_fields(file_keys("run")).records.columns.front() == "kind");
}
