#include "sim/formats/text/stated_arguments.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace tofn;

namespace {

constexpr std::array<std::string_view, 2> names{"num_layers", "sequence_parallel"};

std::string figures(const std::string& text) {
  std::string all;
  for (const StatedArgument& each : stated_arguments(text, "a.log", names))
    all += each.name + "=" + each.value + "@" + to_text(each.place) + ";";
  return all;
}

}  // namespace

TEST_CASE("arguments are read of Megatron-LM's dump and of maps, the first of each") {
  CHECK(figures("  num_layers ...................................... 80\n"
                "  sequence_parallel ............................... True\n"
                "  num_layers ...................................... 12\n") ==
        "num_layers=80@a.log:1:53;sequence_parallel=True@a.log:2:53;");
  CHECK(figures("0: num_layers: 32\n") == "num_layers=32@a.log:1:16;");
}

TEST_CASE("what only looks like an argument is none") {
  CHECK(figures("encoder_num_layers .... 80\nnum_layers_per_stage .... 4\n").empty());
  CHECK(figures("num_layers of the model are many\n").empty());
}

TEST_CASE("DeepSpeed's dump is read behind its logger's brackets, and its JSON with the commas") {
  constexpr std::array<std::string_view, 2> of_zero{"zero_config", "\"stage\""};
  const auto stated = stated_arguments(
      "[2026-11-30 08:00:00,000] [INFO] [config.py:1000:print]   zero_config ........ stage=3 a=1\n"
      "        \"stage\": 2, \n",
      "a.log", of_zero);
  REQUIRE(stated.size() == 2);
  CHECK(stated[0].value == "stage=3");
  CHECK(to_text(stated[0].place) == "a.log:1:80");
  CHECK(stated[1].value == "2");
}

TEST_CASE("phrases are found anywhere in a line, the first line of each") {
  constexpr std::array<std::string_view, 2> phrases{"Float8 training active", "Applied full"};
  const auto stated = stated_phrases(
      "[titan] INFO\n[titan] \x1b[31mFloat8 training active\nFloat8 training active\n", "a.log",
      phrases);
  REQUIRE(stated.size() == 1);
  CHECK(stated[0].name == "Float8 training active");
  CHECK(to_text(stated[0].place) == "a.log:2");
}

TEST_CASE("of GPT-NeoX's dump the mark of what was updated is no part of the value") {
  CHECK(figures("  num_layers ...................... 44........................updated\n"
                "  sequence_parallel ............... 0.1.......................updated\n") ==
        "num_layers=44@a.log:1:37;sequence_parallel=0.1@a.log:2:37;");
}

TEST_CASE("arguments are read behind what launchers put before each line, and in colours") {
  for (const std::string prefix :
       {"", "0: ", "[rank0]: ", "[default0]:", "0: [rank0]:", "[1,0]<stdout>:", "node01: ",
        "worker-0  | ", "[pod/worker-0/pytorch] ", "(Worker pid=1, ip=10.0.0.1) ",
        "2026-11-30T08:00:00.000Z stdout F ", "2026-11-30 08:00:00,123 "})
    for (const std::string colour : {"", "\x1b[32m"}) {
      INFO(colour << prefix);
      const std::string before = colour + prefix;
      const std::string end = colour.empty() ? "\n" : "\x1b[0m\n";
      std::string read;
      for (const StatedArgument& each :
           stated_arguments(before + "  num_layers .................... 80" + end + before +
                                "  sequence_parallel ............. True" + end,
                            "a.log", names))
        read += each.name + "=" + each.value + ";";
      CHECK(read == "num_layers=80;sequence_parallel=True;");
    }
}
