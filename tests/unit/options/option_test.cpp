#include "sim/options/option.hpp"

#include <string>
#include <vector>

#include "sim/options/command_line.hpp"
#include "sim/options/option_rows.hpp"
#include "sim/options/option_values.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

using Words = std::vector<std::string>;

constexpr OptionOf<std::string> job{{"job", "what runs"}};
constexpr OptionOf<int> size{
    {.name = "size", .help = "how many", .default_text = "8", .letter = 'N'}, whole<64>};
constexpr OptionOf<bool> overlap{{"overlap", "on or off"}, on_or_off};
constexpr OptionOf<Words> times{{"times", "once for each", Takes::ValueEachTime}};
constexpr OptionOf<Words> logs{{"logs", "several", Takes::Values}};
constexpr OptionOf<std::string> quotes{{"quotes", "a folder", Takes::PerhapsValue}};
constexpr AnyOption once{"once", "then end", Takes::Nothing};

CommandLine line_of(CommandOptions rows) { return {"do JOB", "", std::move(rows)}; }

CommandLine whole_line() {
  return line_of(
      {{.option = &job, .words = 1}, {&size}, {&overlap}, {&times}, {&logs}, {&quotes}, {&once}});
}

options::variables_map parsed(const Words& words) { return parse_words(whole_line(), {}, words); }

}  // namespace

TEST_CASE("an option that was not given is absent, or its default") {
  const auto values = parsed({});
  CHECK_FALSE(job.of(values).has_value());
  CHECK_FALSE(overlap.of(values).has_value());
  CHECK_FALSE(once.is_given(values));
  CHECK(times.of(values).empty());
  CHECK(size.value(values) == 8);
  CHECK_FALSE(size.is_given(values));
}

TEST_CASE("an option is read as its type") {
  const auto values = parsed({"bert", "-N", "16", "--overlap", "off", "--times", "a=1", "--times",
                              "b=2", "--once", "--quotes", "--logs", "x", "y"});
  CHECK(job.value(values) == "bert");
  CHECK(size.of(values) == 16);
  CHECK(size.is_given(values));
  CHECK(overlap.of(values) == false);
  CHECK(times.of(values) == Words{"a=1", "b=2"});
  CHECK(logs.of(values) == Words{"x", "y"});
  CHECK(quotes.of(values) == "");
  CHECK(once.is_given(values));
}

TEST_CASE("an option is refused by its flag, by another reader's rule too") {
  const auto values = parsed({"--size", "65"});
  CHECK(refusal([&] { size.of(values); }) ==
        "--size: expected a whole number from 1 to 64, got '65'");
  CHECK(size.as(values, whole<>) == 65);
  CHECK(size.text(values) == "65");
}

TEST_CASE("a value is replaced by another") {
  CHECK(size.of(with_option(parsed({"-N", "16"}), size, "32")) == 32);
  CHECK(job.of(with_option(parsed({}), job, "bert")) == "bert");
}

TEST_CASE("a command may say another help, default or letter than an option's own") {
  const auto rows = option_rows(
      {{&size, every_job, "how many nodes", "4"}, {.option = &overlap, .letter = 'v'}, {&once}});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].description == "how many nodes");
  CHECK(rows[0].default_value == "4");
  CHECK(rows[0].short_name == "-N");
  CHECK(rows[1].description == "on or off");
  CHECK(rows[1].short_name == "-v");
  CHECK_FALSE(rows[2].takes_value);
}

TEST_CASE("rows of one kind of job, and blocks one behind the other") {
  constexpr Jobs watched = 2;
  const CommandOptions rows = joined({rows_for(watched, {&job, &size}), {{&once}}});
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].option == &size);
  CHECK(rows[1].acts_on == watched);
  CHECK(rows[2].acts_on == every_job);
}

TEST_CASE("a word that counts as an option is told where the option is stated too") {
  const auto refused = [](const Words& words) { return refusal([&] { parsed(words); }); };
  CHECK(refused({"bert", "--job", "resnet"}) ==
        "'bert' is taken as --job, which is stated twice: leave one out");
  CHECK(refused({"several", "--job", "resnet"}) ==
        "'several' is taken as --job, which is stated twice: did you mean --logs several?");
  CHECK_THAT(refused({"--size", "8", "--size", "16"}), ContainsText("--size"));
}
