#include "sim/core/shared_vector.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("copies of a shared vector share their elements until one changes") {
  SharedVector<int> first{1, 2};
  SharedVector<int> second = first;
  CHECK(second.shares_with(first));
  CHECK(&second.front() == &first.front());
  second.push_back(3);
  CHECK_FALSE(second.shares_with(first));
  CHECK(first.size() == 2);
  CHECK(second.size() == 3);
  CHECK(second.back() == 3);
  first.mine().front() = 7;
  CHECK(first.front() == 7);
  CHECK(second.front() == 1);
}

TEST_CASE("an empty shared vector has no elements, and takes those of another") {
  SharedVector<int> empty;
  CHECK(empty.empty());
  CHECK(empty.size() == 0);
  empty.append({});
  CHECK(empty.empty());
  SharedVector<int> pair{4, 5};
  pair.append({6});
  CHECK(std::vector<int>(pair.begin(), pair.end()) == std::vector<int>{4, 5, 6});
}
