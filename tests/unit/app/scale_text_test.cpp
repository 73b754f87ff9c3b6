#include "sim/app/answered.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string scaled_text(Options options) {
  options.emplace_back("accelerators", "8..16");
  return tofn::answered(Question{.command = "scale",
                                 .arguments = {"llama3-8b", "dgx-h100"},
                                 .options = std::move(options)})
      .answer.text;
}

}  // namespace

TEST_CASE("the sizes of a run have its cost where prices are stated") {
  const std::string plain = scaled_text({{"tokens", "2T"}});
  CHECK_THAT(plain, !ContainsText("USD"));
  CHECK_THAT(plain, ContainsText("tofn predict for money"));
  const std::string priced = scaled_text({{"tokens", "2T"}, {"price", 2.5}});
  CHECK_THAT(priced, ContainsText(" USD "));
  CHECK_THAT(priced, !ContainsText("for money"));
  CHECK_THAT(scaled_text({{"batch", 512}, {"price", 2}}), !ContainsText(" USD "));
}

TEST_CASE("prices of a job that is not known to end are told to have no effect") {
  const auto notices = [](Options options) {
    options.emplace_back("accelerators", "8..16");
    return tofn::answered(Question{.command = "scale",
                                   .arguments = {"llama3-8b", "dgx-h100"},
                                   .options = std::move(options)})
        .notices;
  };
  const auto told = notices({{"batch", 512}, {"price", 2}});
  REQUIRE(told.size() == 1);
  CHECK_THAT(told.front(),
             ContainsText("--price applies to whole runs alone: say what is trained"));
  CHECK(notices({{"batch", 512}}).empty());
}

TEST_CASE("given times are offered no more than what follows from them") {
  const std::string text = tofn::answered(Question{.command = "scale",
                                                   .arguments = {"bert"},
                                                   .options = {{"accelerator", "H100 SXM"}}})
                               .answer.text;
  CHECK_THAT(text, ContainsText("--details for laws and knees\n"));
  CHECK_THAT(text, !ContainsText("tofn predict"));
}

TEST_CASE("a crossover among sizes that have no N_crit is left out") {
  const auto text = [](const char* workload, const char* cluster, const char* sizes) {
    return answered({.command = "scale",
                     .arguments = {workload, cluster},
                     .options = {{"accelerators", sizes}}})
        .answer.text;
  };
  const std::string refuted = text("llama31_405b", "gb200-nvl72", "128..2048");
  CHECK_THAT(refuted, ContainsText("(no N_crit)"));
  CHECK_THAT(refuted, !ContainsText("crossover"));
  CHECK_THAT(text("retinanet", "dgx-h100", "8..64"), ContainsText("crossover at N = "));
}
