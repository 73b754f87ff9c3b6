#include "sim/core/names.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace tofn;

namespace {
const std::vector<std::string> keys{"bandwidth", "efficiency", "latency"};
}

TEST_CASE("the nearest name is found through slips of the keyboard") {
  CHECK(nearest_name("eficiency", keys) == "efficiency");  // one letter missing
  CHECK(nearest_name("bandwdith", keys) == "bandwidth");   // neighbours swapped
  CHECK(nearest_name("LATENCY", keys) == "latency");       // other case
  CHECK(nearest_name("lattencyy", keys) == "latency");     // two letters too many
  CHECK(nearest_name("power", keys) == std::nullopt);
  CHECK(nearest_name("", keys) == std::nullopt);
  CHECK(nearest_name(std::string(100000, 'x'), keys) == std::nullopt);
  const std::vector<std::string> longest{std::string(199, 'x')};  // names of up to 200 characters
  CHECK(nearest_name(std::string(200, 'x'), longest) == longest.front());
  CHECK(nearest_name(std::string(201, 'x'), longest) == std::nullopt);
}

TEST_CASE("a swap of neighbours is one slip, so it is within reach of three letters") {
  CHECK(nearest_name("abc", std::vector<std::string>{"acb"}) == "acb");
  CHECK(nearest_name("abc", std::vector<std::string>{"cba"}) == std::nullopt);
}

TEST_CASE("of names that differ in case only, the closest one is meant") {
  CHECK(nearest_name("gb/s", std::vector<std::string>{"GB/s", "Gb/s"}) == "Gb/s");
}

TEST_CASE("an unknown name lists the valid ones") {
  CHECK(unknown_name("key", "eficiency", keys) ==
        "unknown key 'eficiency', did you mean 'efficiency'? "
        "valid keys: bandwidth, efficiency, latency");
  CHECK(unknown_name("accelerator", "power", keys) ==
        "unknown accelerator 'power'; valid accelerators: bandwidth, efficiency, latency");
  CHECK(unknown_name("key", "power", {}) == "unknown key 'power'");
  CHECK(choices(keys) == "bandwidth, efficiency, latency");
  CHECK(choices({}).empty());
}

TEST_CASE("of many names the three nearest are said, and what lists all") {
  std::vector<std::string> valid{"qwen3-32b", "qwen3-30b-a3b", "qwen3-4b", "llama3-8b", "phi-4"};
  CHECK(unknown_listed_name("model", "qwen3-33b", valid) ==
        unknown_name("model", "qwen3-33b", valid));
  for (int i = 0; i < 20; ++i) valid.push_back("resnet-" + std::to_string(1000 + i));
  CHECK(unknown_listed_name("model", "qwen3-33b", valid) ==
        "unknown model 'qwen3-33b', did you mean 'qwen3-32b', 'qwen3-30b-a3b' or 'qwen3-4b'? All "
        "25: `tofn list models`");
  // A name that begins with the same word goes before one with fewer edits.
  CHECK_THAT(unknown_listed_name("job", "resnet-10", valid, "`tofn list jobs`"),
             ContainsText("did you mean 'resnet-1000', 'resnet-1001' or 'resnet-1002'? All 25: "
                          "`tofn list jobs`"));
  CHECK(unknown_listed_name("model", std::string(300, 'x'), valid) ==
        "unknown model '" + std::string(60, 'x') + "...'; All 25: `tofn list models`");
}

TEST_CASE("quoted input is cut between characters") {
  const std::string sixty(60, 'a');
  CHECK(shortened(sixty) == sixty);
  CHECK(shortened(sixty + "b") == sixty + "...");
  CHECK(shortened(sixty.substr(1) + "\u00e9x") == sixty.substr(1) + "\u00e9...");
}

TEST_CASE("a part of valid names names them first") {
  const std::vector<std::string> valid{"alps-gh200", "dgx-h200", "hgx-h20", "hgx-h200"};
  CHECK(
      unknown_name("cluster", "h200", valid) ==
      "unknown cluster 'h200', did you mean 'dgx-h200' or 'hgx-h200'? valid clusters: alps-gh200, "
      "dgx-h200, hgx-h20, hgx-h200");
}
