#include "sim/report/accuracy_table.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("sizes are classed by powers of eight") {
  CHECK(size_class(1) == size_class(8));
  CHECK(size_class(8) == "     8 or fewer");
  CHECK(size_class(9) == "    64 or fewer");
  CHECK(size_class(64) == "    64 or fewer");
  CHECK(size_class(65) == "   512 or fewer");
}
