#include "sim/core/standard_input.hpp"

#include "sim/core/error.hpp"
#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a text without a name is known by how it begins") {
  CHECK(ending_by_content("{\n  \"model_type\": \"llama\"\n}\n") == ".json");
  CHECK(ending_by_content("\n  {\"a\": 1}") == ".json");
  CHECK(ending_by_content("# a comment\n---\nname: dgx-h100\n") == ".yaml");
  CHECK(ending_by_content("node:\n  accelerators: 8\n") == ".yaml");
  CHECK(ending_by_content("# a table\nround,nodes,minutes\nv5.0,8,3.1\n") == ".csv");
  CHECK(ending_by_content("\xEF\xBB\xBFname: x\r\n") == ".yaml");
}

TEST_CASE("a text of no such kind is a log") {
  CHECK(ending_by_content("") == "");
  CHECK(ending_by_content("[rank0] step 10, loss 2.3\n") == "");
  CHECK(ending_by_content("# nThread 1 nGpus 8\n# Rank 0\n  8  2 float\n") == "");
  CHECK(ending_by_content("Epoch 1, iteration 5: 2.1 s\n") == "");
  CHECK(ending_by_content("12:00:01 step 5\n") == "");
  // One object a line is a program's own log.
  CHECK(ending_by_content("{\"step\": 1}\n{\"step\": 2}\n") == "");
}

TEST_CASE("places in standard input bear its name") {
  CHECK(is_standard_input("-"));
  CHECK_FALSE(is_standard_input("./-"));
  CHECK(file_label("-") == "standard input");
  CHECK(file_label("a/b.yaml") == "a/b.yaml");
  CHECK(to_text(Location{.file = "-", .line = 2, .column = 5}) == "standard input:2:5");
}

TEST_CASE("both endings of YAML are known") {
  CHECK(is_yaml("a/b.yaml"));
  CHECK(is_yaml("b.yml"));
  CHECK_FALSE(is_yaml("yaml"));
  CHECK_FALSE(is_yaml("b.yaml.json"));
}
