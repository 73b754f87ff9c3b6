#include "sim/sweep/select.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "sim/core/random.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

std::vector<std::uint64_t> points_of(const Selector& selector) {
  std::vector<std::uint64_t> points;
  for (const Candidate& kept : selector.kept()) points.push_back(kept.point);
  return points;
}
using Points = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("the first by one goal; of equals the lower point") {
  Selector selector(2);
  selector.add({.apart = {}, .goals = {3}, .point = 0});
  selector.add({.apart = {}, .goals = {1}, .point = 7});
  selector.add({.apart = {}, .goals = {1}, .point = 5});
  selector.add({.apart = {}, .goals = {2}, .point = 2});
  CHECK(points_of(selector) == Points{5, 7});
}

TEST_CASE("the Pareto front: what no other beats") {
  Selector selector(0);
  selector.add({.apart = {}, .goals = {1, 9}, .point = 0});
  selector.add({.apart = {}, .goals = {5, 5}, .point = 1});
  selector.add({.apart = {}, .goals = {6, 6}, .point = 2});  // beaten by point 1
  selector.add({.apart = {}, .goals = {9, 1}, .point = 3});
  selector.add({.apart = {}, .goals = {5, 5}, .point = 4});  // ties with point 1
  CHECK(points_of(selector) == Points{0, 1, 4, 3});
  selector.add({.apart = {}, .goals = {5, 4}, .point = 5});  // better than 1 and 4 in one goal
  selector.add({.apart = {}, .goals = {9, 2}, .point = 6});
  CHECK(points_of(selector) == Points{0, 5, 3});
}

TEST_CASE("groups are selected apart") {
  Selector selector(1);
  selector.add({.apart = {10.0}, .goals = {2}, .point = 0});
  selector.add({.apart = {9.0}, .goals = {9}, .point = 1});
  selector.add({.apart = {10.0}, .goals = {1}, .point = 2});
  CHECK(points_of(selector) == Points{1, 2});  // the group of 9 is before that of 10
}

TEST_CASE("the order of adding does not matter, and blocks may be selected first") {
  Random random(3);
  std::vector<Candidate> all;
  for (std::uint64_t point = 0; point < 300; ++point)
    all.push_back({.apart = {},
                   .goals = {std::floor(random.uniform() * 20), std::floor(random.uniform() * 20)},
                   .point = point});
  for (const std::size_t top : {std::size_t{0}, std::size_t{10}}) {
    Selector whole(top);
    for (const Candidate& each : all) whole.add(each);
    Selector backwards(top);
    for (auto each = all.rbegin(); each != all.rend(); ++each) backwards.add(*each);
    Selector of_blocks(top);
    for (std::size_t block = 0; block < 3; ++block) {
      Selector one(top);
      for (std::size_t i = block * 100; i < (block + 1) * 100; ++i) one.add(all[i]);
      for (const Candidate& kept : one.kept()) of_blocks.add(kept);
    }
    CHECK(points_of(whole) == points_of(backwards));
    CHECK(points_of(whole) == points_of(of_blocks));
  }
}
