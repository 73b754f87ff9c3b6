#include "sim/blocks/messages.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("reports and orders arrive as they were sent") {
  const Report sent{.threads = 3,
                    .wanted = 40,
                    .signal = 15,
                    .is_last = true,
                    .failure = Failure{.exit_code = 2, .text = "no such file"},
                    .identity = "a\nb",
                    .blocks = {{.block = 1ULL << 40U, .rows = std::string("x\0y\n", 4)},
                               {.block = 3, .rows = ""}}};
  const Report got = report_of(to_bytes(sent));
  CHECK(got.threads == 3);
  CHECK(got.wanted == 40);
  CHECK(got.signal == 15);
  CHECK(got.is_last);
  REQUIRE(got.failure);
  CHECK(got.failure->exit_code == 2);
  CHECK(got.failure->text == "no such file");
  CHECK(got.identity == "a\nb");
  REQUIRE(got.blocks.size() == 2);
  CHECK(got.blocks[0].block == 1ULL << 40U);
  CHECK(got.blocks[0].rows == sent.blocks[0].rows);
  CHECK(got.blocks[1].rows.empty());
  CHECK_FALSE(report_of(to_bytes(Report{})).failure);

  const Order order = order_of(to_bytes(Order{.blocks = {.first = 7, .end = 9}, .ends = true}));
  CHECK(order.blocks.first == 7);
  CHECK(order.blocks.end == 9);
  CHECK(order.ends);
}
