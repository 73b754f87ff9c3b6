#include "sim/answers/rl_scores_answer.hpp"

#include <random>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("the deviation of a model that no fit saw counts models, not their rows") {
  const double one = deviation_of_unseen_model({{0.3}, {-0.1}});
  CHECK(deviation_of_unseen_model({{0.3, 0.3, 0.3}, {-0.1}}) == Approx(one));
  CHECK(deviation_of_unseen_model({{0.4}, {-0.1}}) > one);
  // sqrt((0.04 + 0.09 + 0.01) / 3) and Student's t of three degrees, 2.3534, over 1.6449.
  CHECK(one == Approx(0.3091).epsilon(1e-3));
}

// Four models with as many rows as were measured, whose errors the method knows from one another:
// the intervals hold as they say, and still hold 28 or more of 29 rows about every other time.
TEST_CASE("a right deviation of few models often holds more rows than its share") {
  std::mt19937 random(7);
  const std::vector<std::size_t> rows{15, 7, 5, 2};
  constexpr int draws = 4000;
  constexpr double of_models = 0.25;
  constexpr double of_rows = 0.1;
  double inside = 0;
  int nearly_all = 0;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<std::vector<double>> errors;
    for (const std::size_t count : rows) {
      const double shared = std::normal_distribution<>(0, of_models)(random);
      auto& of_model = errors.emplace_back();
      for (std::size_t i = 0; i < count; ++i)
        of_model.push_back(shared + std::normal_distribution<>(0, of_rows)(random));
    }
    std::ptrdiff_t held = 0;
    for (std::size_t left_out = 0; left_out < rows.size(); ++left_out) {
      auto others = errors;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
      const double reach = ninety_percent_deviations * deviation_of_unseen_model(others);
      held += std::count_if(errors[left_out].begin(), errors[left_out].end(),
                            [&](double error) { return std::abs(error) <= reach; });
    }
    inside += static_cast<double>(held) / 29 / draws;
    nearly_all += held >= 28;
  }
  CHECK(inside >= 0.88);
  CHECK(inside <= 0.93);
  CHECK(nearly_all > 0.4 * draws);
}
