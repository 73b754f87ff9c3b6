#include "sim/core/rows.hpp"

#include <array>

#include "tests/catch.hpp"

using namespace tofn;

namespace {

enum class Colour { Red, Blue };
constexpr std::array<std::pair<std::string_view, Colour>, 2> colours{
    {{"red", Colour::Red}, {"blue", Colour::Blue}}};
constexpr const auto& names_of(Colour) { return colours; }

enum class Shade { Dark };
std::string_view to_text(Shade) { return "dark"; }

struct Wheel {
  int spokes = 0;
  std::optional<double> width;
};
struct Cart {
  std::string name;
  Wheel wheel;
  const Wheel* spare = nullptr;

  int wheels() const { return 2; }
};

}  // namespace

TEST_CASE("a cell is a number, a text, the name of a choice, or nothing") {
  CHECK(to_value(3) == Value{3LL});
  CHECK(to_value(std::size_t{3}) == Value{3LL});
  CHECK(to_value(true) == Value{1LL});
  CHECK(to_value(2.5) == Value{2.5});
  CHECK(to_value("x") == Value{"x"});
  CHECK(to_value(std::string_view()) == Value{""});
  CHECK(to_value(Colour::Blue) == Value{"blue"});
  CHECK(to_value(Shade::Dark) == Value{"dark"});
  CHECK(to_value(std::optional<Colour>()) == Value{});
  CHECK(to_value(std::optional(4)) == Value{4LL});
  CHECK(to_value(known("")) == Value{});
  CHECK(to_value(known("x")) == Value{"x"});
}

TEST_CASE("a table is made of its columns, each with its name and what it holds of a row") {
  const Columns<Cart> columns{
      {"name", &Cart::name},
      {"wheels", &Cart::wheels},
      {"spokes", of_its(&Cart::wheel, &Wheel::spokes)},
      {"width", of_its(&Cart::wheel, &Wheel::width)},
      {"spare_spokes", of_its(&Cart::spare, &Wheel::spokes)},
      {"twice", [](const Cart& cart) { return 2 * cart.wheel.spokes; }},
  };
  const Wheel spare{.spokes = 7, .width = {}};
  const std::vector<Cart> carts{{.name = "a", .wheel = {.spokes = 5, .width = 0.5}, .spare = {}},
                                {.name = "", .wheel = spare, .spare = &spare}};
  const Records records = records_of(columns, carts);
  CHECK(records.columns ==
        std::vector<std::string>{"name", "wheels", "spokes", "width", "spare_spokes", "twice"});
  using Row = std::vector<Value>;
  REQUIRE(records.rows.size() == 2);
  CHECK(records.rows[0] == Row{"a", 2LL, 5LL, 0.5, {}, 10LL});
  CHECK(records.rows[1] == Row{"", 2LL, 7LL, {}, 7LL, 14LL});
}

TEST_CASE("a table without rows has its columns") {
  const Records records = records_of(Columns<Cart>{{"name", &Cart::name}}, std::vector<Cart>{});
  CHECK(records.columns == std::vector<std::string>{"name"});
  CHECK(records.rows.empty());
}
