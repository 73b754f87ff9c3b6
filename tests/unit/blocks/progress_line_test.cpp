#include "sim/blocks/progress_line.hpp"

#include <sstream>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("numbers are grouped by thousands") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(123456789) == "123,456,789");
}

TEST_CASE("progress tells share, rate and time left of this run") {
  CHECK(progress_text({.points = 1000000, .done = 412000, .seconds = 4.2}) ==
        "41 % 412,000 of 1,000,000 points, 98,100/s, 6 s left");
  // An earlier run did 400,000: 12,000 in 4 s make 3,000/s, and 588,000 / 3,000 = 196 s.
  CHECK(progress_text({.points = 1000000, .done = 412000, .resumed = 400000, .seconds = 4}) ==
        "41 % 412,000 of 1,000,000 points, 3,000/s, 4 min left");
  CHECK(progress_text({.points = 100000, .done = 10, .seconds = 4}) ==
        "0 % 10 of 100,000 points, 2.5/s, 11 h 07 min left");
  // 24,690 points in 2 s make 12,345/s.
  CHECK(progress_text({.points = 49380, .done = 24690, .seconds = 2}) ==
        "50 % 24,690 of 49,380 points, 12,300/s, 2 s left");
  CHECK(progress_text({.points = 10, .done = 0, .seconds = 4}) == "0 % 0 of 10 points");
  CHECK(progress_text({.points = 10, .done = 10, .seconds = 4}) ==
        "100 % 10 of 10 points, 2.5/s, 0 s left");
  CHECK(progress_text({.points = 0}) == "100 % 0 of 0 points");
}

TEST_CASE("a terminal has one line that is written over, a file none in the first seconds") {
  const BlockProgress some{.points = 10, .done = 1};
  std::ostringstream terminal;
  ProgressLine line(terminal, true);
  line.show(some);
  line.show(some);  // too soon after the first
  CHECK(terminal.str() == "10 % 1 of 10 points");
  line.clear();
  line.clear();
  CHECK(terminal.str() == "10 % 1 of 10 points\r\x1b[K");

  std::ostringstream file;
  ProgressLine lines(file, false);
  lines.show(some);
  CHECK(file.str().empty());
  const BlockProgress stopping{.points = 10, .done = 1, .is_stopping = true};
  lines.show(stopping);
  lines.show(stopping);
  CHECK(file.str() == "10 % 1 of 10 points, ending once the blocks that run are done\n");
}
