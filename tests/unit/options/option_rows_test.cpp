#include "sim/options/option_rows.hpp"

#include "tests/catch.hpp"

using namespace tofn;

using Words = std::vector<std::string>;

TEST_CASE("values that a description lists are known") {
  CHECK(listed_choices("table, csv or json") == Words{"table", "csv", "json"});
  CHECK(listed_choices("on or off: gradients beside the passes") == Words{"on", "off"});
  CHECK(listed_choices("of activations: none, selective or full") ==
        Words{"none", "selective", "full"});
  CHECK(listed_choices("accelerators|clusters|runs") == Words{"accelerators", "clusters", "runs"});
  CHECK(listed_choices("on_demand (default), reserved_1y or spot") ==
        Words{"on_demand", "reserved_1y", "spot"});
}

TEST_CASE("of other descriptions no value is guessed") {
  for (const char* text : {"", "global batch in samples", "e.g. 8..256, or 64,96",
                           "a table of times (accelerators, minutes or seconds)",
                           "logs of benchmarks, records or calibrations that were measured",
                           "to train, e.g. 2T, 200B, 1.4e12"}) {
    INFO(text);
    CHECK(listed_choices(text).empty());
  }
}

TEST_CASE("an option is read as it was declared") {
  constexpr OptionOf<std::string> job{{"job", "a name of `tofn list models`, `runs` or a file"}};
  constexpr OptionOf<Words> file{{"file", "what is read", Takes::Words}};
  constexpr OptionOf<std::string> size{
      {.name = "accelerators", .help = "how many", .default_text = "8", .letter = 'N'}};
  constexpr AnyOption once{"once", "then end", Takes::Nothing};
  const auto rows =
      option_rows({{.option = &job, .words = 1}, {.option = &file, .words = -1}, {&size}, {&once}});
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].name == "--job");
  CHECK(rows[0].lists == Words{"models", "runs"});
  CHECK(rows[0].is_positional);
  CHECK(rows[2].short_name == "-N");
  CHECK(rows[2].default_value == "8");
  CHECK(rows[2].takes_value);
  CHECK_FALSE(rows[2].is_positional);
  CHECK(rows[3].short_name.empty());
  CHECK_FALSE(rows[3].takes_value);
}
