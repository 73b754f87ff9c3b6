#include "sim/curves/forms.hpp"

#include "sim/curves/line.hpp"
#include "tests/catch.hpp"

namespace tofn {

namespace {

using test::WithinRel;

double predicted(const std::vector<double>& times) { return times.front(); }

}  // namespace

TEST_CASE("a line is found from its points") {
  const std::vector<Sample> samples{{100, 2.5}, {1000, 7}, {10000, 52}};  // 2 + S / 200
  const Line line = fit_line(samples);
  CHECK_THAT(line.latency, WithinRel(2.0, 1e-9));
  CHECK_THAT(line.per_byte, WithinRel(0.005, 1e-9));
}

TEST_CASE("a line has neither negative latency nor negative bandwidth") {
  const std::vector<Sample> steeper{{1, 1}, {10, 100}};
  CHECK(fit_line(steeper).latency == 0);
  const std::vector<Sample> falling{{1, 3}, {10, 2}};
  CHECK(fit_line(falling).per_byte == 0);
}

TEST_CASE("interpolation follows latency and bandwidth between rows and beyond the ends") {
  const std::vector<Sample> samples{{100, 2.5}, {10000, 52}};  // 2 + S / 200
  const std::vector<double> sizes{20, 100, 1000, 100000};
  const std::vector<double> times = predict_interpolation(samples, sizes);
  CHECK_THAT(times[0], WithinRel(2.1, 1e-9));
  CHECK_THAT(times[1], WithinRel(2.5, 1e-9));
  CHECK_THAT(times[2], WithinRel(7.0, 1e-9));
  CHECK_THAT(times[3], WithinRel(502.0, 1e-9));
}

TEST_CASE("beyond a steep end time is at most proportional to size") {
  const std::vector<Sample> samples{{1, 1}, {10, 100}};
  CHECK_THAT(predicted(predict_interpolation(samples, std::vector<double>{20})),
             WithinRel(200.0, 1e-9));
}

TEST_CASE("the smooth form finds a law of its own kind") {
  std::vector<Sample> samples;
  const auto law = [](double size) { return 10 + size / 100 + 50 * size / (size + 256); };
  for (double size = 16; size < 1e6; size *= 2) samples.push_back({size, law(size)});
  for (const double size : {24.0, 700.0, 3e4}) {
    CHECK_THAT(predicted(predict_smooth(samples, std::vector<double>{size})),
               WithinRel(law(size), 0.005));
  }
}

TEST_CASE("regimes find where one line ends and the next begins") {
  std::vector<Sample> samples;
  const auto law = [](double size) { return size < 1000 ? 10 + size : 5000 + size / 10; };
  for (double size = 16; size < 1e6; size *= 2) samples.push_back({size, law(size)});
  const std::vector<double> sizes{8, 300, 3000, 1e7};
  const std::vector<double> times = predict_regimes(samples, sizes, 2);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    CHECK_THAT(times[i], WithinRel(law(sizes[i]), 1e-6));
}

TEST_CASE("more regimes than rows allow are not an error") {
  const std::vector<Sample> samples{{1, 2}, {2, 2}, {4, 2}};
  CHECK_THAT(predicted(predict_regimes(samples, std::vector<double>{3}, 4)), WithinRel(2.0, 1e-9));
}

}  // namespace tofn
