#include "sim/app/screen.hpp"

#include "sim/report/line_width.hpp"
#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("the first line is bold, labels are dim, warnings red, and no character is lost") {
  const std::string text =
      "trains in 3 days\nplan          tp 2\nmemory        90 GB of 80: IT DOES NOT FIT\n"
      "  N days\n--- ----\n  8  3.0\n";
  CHECK(coloured(text) ==
        "\x1b[1mtrains in 3 days\x1b[0m\n"
        "\x1b[2mplan\x1b[0m          tp 2\n"
        "\x1b[31mmemory        90 GB of 80: IT DOES NOT FIT\x1b[0m\n"
        "  N days\n--- ----\n  8  3.0\n");
}

TEST_CASE("a label is what stands padded at the left of words") {
  CHECK(label_of("plan          tp 2") == 4);
  CHECK(label_of("a step is     compute 80 %") == 9);
  CHECK(label_of("interruptions once a day") == 13);
  CHECK(label_of("llama3-70b on 512 accelerators") == 0);
  CHECK(label_of("              goes on") == 0);
  CHECK(label_of("8     1.0     2.0") == 0);
  CHECK(label_of("short") == 0);
}
