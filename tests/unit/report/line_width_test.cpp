#include "sim/report/line_width.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a table that is too wide goes on below with its first column again") {
  const std::string table =
      "system    N minutes   USD\n"
      "------ ---- ------- -----\n"
      "dgx       8    12.5 10.25\n"
      "a100   1024   3.456\n";
  CHECK(with_line_width(table, 25) == table);
  CHECK(with_line_width(table, 19) ==
        "system    N minutes\n"
        "------ ---- -------\n"
        "dgx       8    12.5\n"
        "a100   1024   3.456\n"
        "\n"
        "system   USD\n"
        "------ -----\n"
        "dgx    10.25\n"
        "a100\n");
}

TEST_CASE("names in a table lose their middle only as far as the width asks for") {
  const std::string name = "Supermicro/SYS-821GE-TNHR_N8_H100";  // 33 characters
  const std::string table =
      "system                            chip   N\n"
      "--------------------------------- ---- ---\n" +
      name + " A100   8\n" + "Dell/XE9680" + std::string(23, ' ') + "A100  16\n";
  CHECK(with_line_width(table, 42) == table);
  CHECK(with_line_width(table, 40) ==
        "system                          chip   N\n"
        "------------------------------- ---- ---\n"
        "Supermicro/SYS-..E-TNHR_N8_H100 A100   8\n"
        "Dell/XE9680                     A100  16\n");
  // Names keep 26 characters, and the table continues below.
  CHECK_THAT(with_line_width(table, 30), test::ContainsText("\nSupermicro/S..TNHR_N8_H100 "));
}

TEST_CASE("keys keep all of their letters, since people write them") {
  const std::string key = "phases[].rl.response_length";  // 27 characters
  const std::string table =
      "key                         value\n"
      "--------------------------- ------\n" +
      key + " number\n";
  CHECK_THAT(with_line_width(table, 30), test::ContainsText('\n' + key + '\n'));
}

TEST_CASE("cells of several words keep them, however narrow a table is") {
  const std::string table =
      "N plan\n"
      "- -----------------------------------------\n"
      "8 tensor parallel 8, pipeline parallel 4 on\n";
  CHECK(with_line_width(table, 30) ==
        "N plan\n"
        "- ----------------------------\n"
        "8 tensor parallel 8, pipeline\n"
        "  parallel 4 on\n");
}

TEST_CASE("a cell that is too wide is broken at its spaces") {
  CHECK(with_line_width("name what it is\n---- ---------------\nring round and round\n", 14) ==
        "name what it\n     is\n---- ---------\nring round and\n     round\n");
}

TEST_CASE("what follows a table is prose") {
  CHECK(with_line_width("name    N\n----- ---\nbert    8\n  N: of all nodes together\n", 12) ==
        "name    N\n----- ---\nbert    8\n  N: of all\n    nodes\n    together\n");
}

TEST_CASE("prose is broken at spaces, its columns kept and what follows set in") {
  CHECK(with_line_width("bound   mixed: busy for 82 %\n", 20) ==
        "bound   mixed: busy\n  for 82 %\n");
  CHECK(with_line_width("12 \xc2\xb5s and 8 \xc2\xb5s\n", 15) == "12 \xc2\xb5s and 8 \xc2\xb5s\n");
  CHECK(with_line_width("a-word-longer-than-the-line short\n", 10) ==
        "a-word-longer-than-the-line short\n");
  CHECK(with_line_width("\n\n", 10) == "\n\n");
}
