#include "sim/explore/explore_page.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("the page holds what it offers, and nothing that ends its script", "[explore]") {
  const std::string page = explore_page(R"({"models":["</script><b>"]})", R"({"job":"bert"})");
  CHECK_THAT(page, ContainsText(R"({"models":["\u003c/script>\u003cb>"]})"));
  CHECK_THAT(page, ContainsText(R"(id="start">{"job":"bert"}</script>)"));
  CHECK_THAT(page, !ContainsText("{{"));
}

TEST_CASE("the page asks nobody but who served it", "[explore]") {
  const std::string page = explore_page("{}", "{}");
  CHECK_THAT(page, ContainsText("default-src 'none'"));
  CHECK_THAT(page, !ContainsText("https://"));
}
