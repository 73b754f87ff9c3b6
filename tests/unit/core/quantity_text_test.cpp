#include "sim/core/quantity_text.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "sim/core/random.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

template <class Q>
std::string refusal(std::string_view text) {
  try {
    static_cast<void>(parse_quantity<Q>(text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

template <class Q>
void check_round_trip(double base) {
  CAPTURE(base, to_text(Q{base}, 17));
  CHECK(parse_quantity<Q>(to_text(Q{base}, 17)).base() == base);
}

}  // namespace

TEST_CASE("every unit is worth what its name says") {
  CHECK(parse_quantity<Seconds>("3.5 us").base() == 3.5e-6);
  CHECK(parse_quantity<Seconds>("12 ns").base() == 12e-9);
  CHECK(parse_quantity<Seconds>("4 ps").base() == 4e-12);
  CHECK(parse_quantity<Seconds>("1.5 min").base() == 90);
  CHECK(parse_quantity<Seconds>("2 h").base() == 7200);
  CHECK(parse_quantity<Seconds>("2 d").base() == 172800);
  CHECK(parse_quantity<Seconds>("3 w").base() == 3 * 604800);
  CHECK(parse_quantity<Seconds>("3 weeks") == parse_quantity<Seconds>("21 days"));
  CHECK(parse_quantity<Seconds>("1 week") == parse_quantity<Seconds>("168 hours"));
  CHECK(parse_quantity<Seconds>("90 minutes") == parse_quantity<Seconds>("5400 seconds"));
  CHECK(parse_quantity<Bytes>("80 GiB").base() == 85899345920.0);
  CHECK(parse_quantity<Bytes>("80 GB").base() == 80e9);
  CHECK(parse_quantity<Bytes>("16 b").base() == 2);
  CHECK(parse_quantity<Bytes>("1 Kib").base() == 128);
  CHECK(parse_quantity<BytesPerSecond>("400 Gb/s").base() == 50e9);
  CHECK(parse_quantity<BytesPerSecond>("3.35 TB/s").base() == 3.35e12);
  CHECK(parse_quantity<FlopsPerSecond>("989.4 TFLOP/s").base() == 989.4e12);
  CHECK(parse_quantity<Flops>("2.5 PFLOP").base() == 2.5e15);
  CHECK(parse_quantity<Flops>("1e3 GFLOP").base() == 1e12);
  CHECK(parse_quantity<Joules>("2 kWh").base() == 7.2e6);
  CHECK(parse_quantity<Watts>("10.2 kW").base() == 10200);
  CHECK(parse_quantity<Watts>("-1e+2 mW").base() == -0.1);
  CHECK(parse_quantity<Seconds>("0e99999 ms").base() == 0);
}

TEST_CASE("what is not a quantity of the kind is refused by name") {
  CHECK(refusal<BytesPerSecond>("400") ==
        "a unit is missing: expected a bandwidth such as '400 Gb/s', got '400'");
  CHECK(refusal<BytesPerSecond>("3 us") ==
        "expected a bandwidth such as '400 Gb/s', got '3 us' (a time)");
  CHECK(refusal<Seconds>("fast") == "expected a time such as '3.5 us', got 'fast'");
  CHECK(refusal<Seconds>("") == "expected a time such as '3.5 us', got ''");
  CHECK(refusal<Seconds>("5us") == "expected a time such as '3.5 us', got '5us'");
  CHECK(refusal<Seconds>("nan us") == "expected a time such as '3.5 us', got 'nan us'");
  CHECK(refusal<Seconds>("0x10 us") == "expected a time such as '3.5 us', got '0x10 us'");
  CHECK(refusal<Seconds>("5 ") == "a unit is missing: expected a time such as '3.5 us', got '5 '");
  CHECK(refusal<Flops>("1e305 PFLOP") ==
        "expected an amount of work such as '2.5 TFLOP', got '1e305 PFLOP'");
  CHECK(refusal<Flops>("1 TFLOP/s") ==
        "expected an amount of work such as '2.5 TFLOP', got '1 TFLOP/s' (a compute rate)");
  CHECK(refusal<Seconds>("5 sec") ==
        "unknown unit 'sec'; valid units: ps, ns, us, ms, s, min, h, d, w");
  CHECK(refusal<Seconds>("5 US") ==
        "unknown unit 'US', did you mean 'us'? valid units: ps, ns, us, ms, s, min, h, d, w");
  CHECK_THAT(refusal<BytesPerSecond>("400 Gbps"),
             ContainsText("unknown unit 'Gbps', did you mean 'Gb/s'? valid units: B/s, kB/s,"));
  CHECK_THAT(refusal<BytesPerSecond>("400 gb/s"), ContainsText("did you mean 'Gb/s'?"));
  CHECK_THAT(refusal<FlopsPerSecond>("400 TFLOPS"), ContainsText("unknown unit 'TFLOPS', did you"));
}

TEST_CASE("text is scaled so that one to three digits stand before the point") {
  CHECK(to_text(Seconds{3.5e-6}) == "3.5 us");
  CHECK(to_text(Seconds{1}) == "1 s");
  CHECK(to_text(Seconds{59.4}) == "59.4 s");
  CHECK(to_text(Seconds{21 * 86400.0}) == "21 d");
  CHECK(to_text(Seconds{90}) == "1.5 min");
  CHECK(to_text(Seconds{5400}) == "1.5 h");
  CHECK(to_text(Seconds{-216000}) == "-2.5 d");
  CHECK(to_text(Seconds{4e-15}) == "0.004 ps");
  CHECK(to_text(Seconds{4e-20}) == "4e-8 ps");
  CHECK(to_text(Seconds{}) == "0 s");
  CHECK(to_text(Bytes{25e6}) == "25 MB");
  CHECK(to_text(Bytes{0.5}) == "0.5 B");
  CHECK(to_text(Bytes{100}) == "100 B");
  CHECK(to_text(Bytes{999.4}) == "999 B");
  CHECK(to_text(Bytes{999.6}) == "1 kB");
  CHECK(to_text(Bytes{123456}) == "123 kB");
  CHECK(to_text(Bytes{123456}, 5) == "123.46 kB");
  CHECK(to_text(Bytes{123456}, 1) == "100 kB");
  CHECK(to_text(BytesPerSecond{50e9}) == "50 GB/s");
  CHECK(to_text(Flops{3e21}) == "3 ZFLOP");
  CHECK(to_text(Flops{4e27}) == "4000 YFLOP");
  CHECK(to_text(FlopsPerSecond{-989.4e12}, 4) == "-989.4 TFLOP/s");
  CHECK(to_text(Joules{3.6e6}) == "3.6 MJ");
  CHECK(to_text(Watts{0.7}) == "700 mW");
  CHECK(to_text(Seconds{std::numeric_limits<double>::infinity()}) == "inf s");
}

TEST_CASE("seventeen digits read back exactly") {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const double base = random.normal() * std::pow(10.0, 40 * random.uniform() - 15);
    check_round_trip<Seconds>(base);
    check_round_trip<Bytes>(base);
    check_round_trip<BytesPerSecond>(base);
    check_round_trip<Flops>(base);
    check_round_trip<FlopsPerSecond>(base);
    check_round_trip<Joules>(base);
    check_round_trip<Watts>(base);
  }
  check_round_trip<Seconds>(5400);
  check_round_trip<Seconds>(std::numeric_limits<double>::denorm_min());
  check_round_trip<Seconds>(std::numeric_limits<double>::max());
}

TEST_CASE("numbers are read whole, decimal and finite") {
  double number = 7;
  CHECK(parse_number("-2.5e3", number));
  CHECK(number == -2500);
  for (const char* const text : {"", " 1", "1 ", "1x", "nan", "inf", "0x10", "1e999", "+1"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text, number));
  }
  CHECK(number == -2500);

  long long whole = 7;
  CHECK(parse_integer("010", whole));
  CHECK(whole == 10);
  CHECK(parse_integer("-9223372036854775808", whole));
  CHECK(whole == std::numeric_limits<long long>::min());
  for (const char* const text : {"", "1.0", "1e3", "0x10", "9223372036854775808", " 1"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_integer(text, whole));
  }
  CHECK(whole == std::numeric_limits<long long>::min());
}
