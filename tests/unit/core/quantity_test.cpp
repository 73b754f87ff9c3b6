#include "sim/core/quantity.hpp"

#include <algorithm>
#include <concepts>
#include <optional>
#include <type_traits>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

static_assert(std::same_as<decltype(Bytes{} / BytesPerSecond{}), Seconds>);
static_assert(std::same_as<decltype(BytesPerSecond{} * Seconds{}), Bytes>);
static_assert(std::same_as<decltype(Flops{} / Seconds{}), FlopsPerSecond>);
static_assert(std::same_as<decltype(Watts{} * Seconds{}), Joules>);
static_assert(std::same_as<decltype(Seconds{} / Seconds{}), double>);
static_assert(std::same_as<decltype((1.0 / Seconds{}) * Seconds{}), double>);
static_assert(!Addable<Bytes, Seconds>);
static_assert(!Addable<Bytes, Flops>);
static_assert(!Addable<Bytes, double>);
static_assert(!std::is_convertible_v<double, Seconds>);
static_assert(!std::is_convertible_v<Seconds, double>);
static_assert(Bytes{}.base() == 0);

TEST_CASE("dividing a size by a bandwidth gives a time") {
  // 100 MiB = 104 857 600 B at 25e9 B/s are 4194.304 us.
  const Seconds time = 100_MiB / 25_GBps + 5_us;
  CHECK_THAT(time.base(), WithinRel(0.004199304, 1e-12));
}

TEST_CASE("scalars scale, signs turn, amounts compare") {
  CHECK(2 * 3_s == 6_s);
  CHECK(3_s * 2 / 4 == 1.5_s);
  CHECK(-(3_s) + 5_s == 2_s);
  CHECK(6_GB / 2_GB == 3.0);
  CHECK((1 / 4_s).base() == 0.25);
  CHECK(1_ms < 2_ms);
  CHECK(std::max(1_ms, 2_ms) == 2_ms);
  CHECK(std::min(1_ms, 2_ms) == 1_ms);
  Bytes total = 1_KiB;
  total += 1_KiB;
  total -= 512_B;
  total *= 4;
  total /= 2;
  CHECK(total == 3072_B);
}

TEST_CASE("a literal is the double nearest to what it says") {
  CHECK((3.5_us).base() == 3.5e-6);
  CHECK((7_us).base() == 7e-6);
  CHECK((1.9_ms).base() == 1.9e-3);
  CHECK((2_KiB).base() == 2048);
  CHECK((1_MiB).base() == 1048576);
  CHECK((80_GiB).base() == 85899345920.0);
  CHECK((25_MB).base() == 25e6);
  CHECK((80_GB).base() == 80e9);
  CHECK((400_Gbps).base() == 50e9);
  CHECK((3.35_GBps).base() == 3.35e9);
  CHECK((2.5_TFLOP).base() == 2.5e12);
  CHECK((989.4_TFLOPps).base() == 989.4e12);
  CHECK((700_W).base() == 700);
}

TEST_CASE("a failed check prints amounts with their unit") {
  CHECK(Catch::Detail::stringify(25_MB) == "25 MB");
  CHECK(Catch::Detail::stringify(std::optional(2_ms)) == "2 ms");
  CHECK(Catch::Detail::stringify(2_MB * 3_ms) == "6000.0");
}
