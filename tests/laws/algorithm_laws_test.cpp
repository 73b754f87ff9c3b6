#include <bit>
#include <cmath>
#include <string>

#include "sim/collectives/algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

// Textbook formulas of algorithms other than rings and trees.
using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr auto AR = CollectiveKind::AllReduce;
constexpr auto RS = CollectiveKind::ReduceScatter;
constexpr auto AG = CollectiveKind::AllGather;

double seconds(std::string_view name, CollectiveKind kind, Bytes payload, const Communicator& c) {
  for (const Algorithm& each : collective_algorithms())
    if (each.name == name && each.collective == kind &&
        each.protocol.value_or(Protocol::Simple) == Protocol::Simple)
      return each.time(payload, c, fitted_ramps()).base();
  throw InputError("no such algorithm: " + std::string(name));
}

}  // namespace

TEST_CASE("the choice keeps to the cluster's library") {
  for (const Cluster& cluster : library().clusters())
    for (const Communicator& c : communicators(cluster))
      for (const auto& [name, kind] : collective_kinds)
        for (const Bytes payload : {8_B, 1_MiB, 1_GiB}) {
          const auto expected = cluster.scale_up.kind == ScaleUpKind::Torus ? CollectiveLibrary::Xla
                                                                            : cluster.library;
          INFO(cluster.name << ' ' << name);
          CHECK(chosen_algorithm(kind, payload, c, true).library == expected);
        }
}

TEST_CASE("halving-doubling in a domain matches its closed form") {
  for (const Cluster& cluster : library().clusters())
    for (const int ranks : {2, 4, 8, 64}) {
      if (ranks > cluster.scale_up.domain_accelerators.value) continue;
      const Communicator c = place({.stride = 1, .count = ranks}, cluster, ranks);
      const double alpha = cluster.scale_up.latency.value.base();
      const double beta =
          1 /
          (cluster.scale_up.bandwidth.value * cluster.scale_up.bandwidth_efficiency.value).base();
      for (const double bytes : {8.0, 1e9}) {
        const double pass = std::log2(ranks) * alpha + (ranks - 1.0) / ranks * bytes * beta;
        const Bytes payload{bytes};
        INFO(cluster.name << ' ' << ranks);
        CHECK_THAT(seconds("halving-doubling", AR, payload, c), WithinRel(2 * pass, 1e-12));
        CHECK_THAT(seconds("halving-doubling", RS, payload, c), WithinRel(pass, 1e-12));
        CHECK_THAT(seconds("halving-doubling", AG, payload, c), WithinRel(pass, 1e-12));
      }
    }
}

// Rabenseifner 2004 gives an all-reduce (3 + 2 floor(lg p)) alpha and at most 4 payloads. Here both
// ways of the folding count.
TEST_CASE("halving-doubling folds what is beyond a power of two") {
  const Communicator six = place({.stride = 1, .count = 6}, machine("dgx-h100"), 6);
  const double alpha = six.scale_up.latency.base();
  const double beta = 1 / six.scale_up.bandwidth.base();
  CHECK_THAT(seconds("halving-doubling", AR, 1_GB, six),
             WithinRel(6 * alpha + (2 * 0.75 + 2) * 1e9 * beta, 1e-12));
  CHECK_THAT(seconds("halving-doubling", RS, 1_GB, six),
             WithinRel(4 * alpha + (0.75 + 1 + 1.0 / 6) * 1e9 * beta, 1e-12));
  // Bruck's rounds move 1, 2 and 2 of six parts.
  CHECK_THAT(seconds("halving-doubling", AG, 1_GB, six),
             WithinRel(3 * alpha + 5.0 / 6 * 1e9 * beta, 1e-12));
}

// Three rounds of an all-reduce on two nodes of eight stay inside and leave 1/8 for the network,
// whereas the first round of a reduce-scatter crosses it with one half.
TEST_CASE("halving-doubling crosses the network last or first") {
  const Communicator c = place({.stride = 1, .count = 16}, machine("dgx-h100"), 16);
  const double inside = 1e9 / c.scale_up.bandwidth.base();
  const double outside = 1e9 / c.network.bandwidth.base();
  const double latencies = 3 * c.scale_up.latency.base() + c.network.latency.base();
  CHECK_THAT(seconds("halving-doubling", AR, 1_GB, c),
             WithinRel(2 * (latencies + 7.0 / 8 * inside + outside / 16), 1e-12));
  CHECK_THAT(seconds("halving-doubling", RS, 1_GB, c),
             WithinRel(latencies + outside / 2 + 7.0 / 16 * inside, 1e-12));
}

// Bruck's rounds send to the rank 1, 2 and 4 ahead: with two nodes of one rank below a leaf, half
// of what a leaf sends leaves it in the first, and all in the others. They move 1, 2 and 2 of six
// parts over uplinks that carry a fourth of what the NICs send.
TEST_CASE("halving-doubling gathers over leaves as fast as their uplinks carry") {
  Communicator c = place({.stride = 8, .count = 6}, machine("dgx-h100"), 48);
  REQUIRE(c.ranks_per_domain == 1);
  c.leaves = 3;
  c.spine = {.oversubscription = 4, .latency = 1_us, .domains_per_leaf = 2};
  const double hop = c.network.latency.base() + 1e-6;
  const double part = 1e9 / 6 / c.network.bandwidth.base();
  CHECK_THAT(seconds("halving-doubling", AG, 1_GB, c),
             WithinRel(3 * hop + (2 * 1 + 4 * 2 + 4 * 2) * part, 1e-12));
}

TEST_CASE("hierarchical is a ring where there is one tier, and both rings where there are two") {
  for (const Cluster& cluster : library().clusters())
    for (const Communicator& c : communicators(cluster))
      for (const auto kind : {AR, RS, AG})
        for (const Bytes payload : {8_B, 1_GB}) {
          if (!domains_are_even(c)) continue;
          const double time = seconds("hierarchical", kind, payload, c);
          INFO(cluster.name << ' ' << c.ranks << ' ' << c.domains);
          if (c.one_domain() || c.ranks_per_domain == 1) {
            CHECK_THAT(time, WithinRel(seconds("ring", kind, payload, c), 1e-12));
            continue;
          }
          const double inside = seconds("ring", kind, payload, inside_domain(c));
          const double between =
              seconds("ring", kind, payload / c.ranks_per_domain, between_domains(c));
          CHECK_THAT(time, WithinRel(inside + between, 1e-12));
        }
}

TEST_CASE("one shot is for small messages, two shots move no more than they must") {
  const Communicator eight = place({.stride = 1, .count = 8}, machine("dgx-h100"), 8);
  CHECK(seconds("one-shot", AR, 1_KiB, eight) < seconds("two-shot", AR, 1_KiB, eight));
  CHECK(seconds("one-shot", AR, 1_GB, eight) > 7 * seconds("two-shot", AR, 1_GB, eight));
  // one-shot: 4.5 us and 7 payloads with as many flags; two-shot: 7.8 us and 2 x 7/8 of a payload
  const double rate = eight.scale_up.bandwidth.base();
  CHECK_THAT(seconds("one-shot", AR, 1_GB, eight), WithinRel(4.5e-6 + 14e9 / rate, 1e-12));
  CHECK_THAT(seconds("two-shot", AR, 1_GB, eight), WithinRel(7.8e-6 + 1.75e9 / rate, 1e-12));
  // A group of four uses three of each chip's seven mesh links.
  const Communicator four = place({.stride = 1, .count = 4}, machine("mi300x"), 4);
  const double start = 7.8e-6 * four.scale_up.latency.base() / 1.9e-6;
  CHECK_THAT(seconds("direct", AG, 1_GB, four),
             WithinRel(start + 0.75e9 / (four.scale_up.bandwidth.base() * 3 / 7), 1e-12));
}

// 64 chips of a v5p form a cube of side 4 with closed sides; 8 chips form one of side 2 with open
// sides.
TEST_CASE("a torus uses all links of each chip, and crosses half of each side") {
  const Cluster v5p = machine("tpu-v5p");
  const double chip = 600e9 * 0.90;
  const Communicator cube = place({.stride = 1, .count = 64}, v5p, 64);
  CHECK_THAT(seconds("torus", AG, 1_GB, cube),
             WithinRel(3 * 2 * 1e-6 + 63.0 / 64 * 1e9 / chip, 1e-12));
  CHECK_THAT(seconds("torus", AR, 1_GB, cube),
             WithinRel(2 * seconds("torus", AG, 1_GB, cube), 1e-12));
  const Communicator small = place({.stride = 1, .count = 8}, v5p, 8);
  CHECK_THAT(seconds("torus", AG, 1_GB, small),
             WithinRel(3 * 1e-6 + 7.0 / 8 * 1e9 / (chip / 2), 1e-12));
  // A quarter of the data of a side's chips crosses each of the two links at its middle.
  CHECK_THAT(seconds("torus", CollectiveKind::AllToAll, 1_GB, cube),
             WithinRel(3 * 2 * 1e-6 + 0.5e9 / (chip / 6), 1e-12));
}

TEST_CASE("the links between domains of a torus count as well") {
  Cluster v5p = machine("tpu-v5p");
  const auto gather = [&](int chips) {
    return seconds("torus", AG, 1_GB, place({.stride = 1, .count = chips}, v5p, chips));
  };
  const double inside = gather(8);
  const double before = gather(64) - 6e-6;
  v5p.network->nic_bandwidth.value *= 0.5;
  CHECK(gather(8) == inside);
  CHECK_THAT(gather(64) - 6e-6, WithinRel(2 * before, 1e-9));
  v5p.network->latency.value *= 3;
  CHECK_THAT(gather(64) - 3 * 6e-6, WithinRel(2 * before, 1e-9));
}

// Eight of 64 chips: contiguous ones form a cube of lines without shared links; in steps of 8 they
// are the 2x2x2 corners of rings, two of which share every link.
TEST_CASE("groups on a torus share what they interleave on") {
  const Cluster v5p = machine("tpu-v5p");
  const double chip = 600e9 * 0.90;
  const auto gather = [&](RankSet set, Concurrency which) {
    return seconds("torus", AG, 1_GB, place(set, v5p, 64, which)) - 3e-6;
  };
  const RankSet block{.stride = 1, .count = 8};
  const RankSet spread{.stride = 8, .count = 8};
  CHECK_THAT(gather(block, Concurrency::AllSets), WithinRel(0.875e9 / (chip / 2), 1e-9));
  CHECK_THAT(gather(block, Concurrency::OneSet), WithinRel(0.875e9 / (chip / 2), 1e-9));
  CHECK_THAT(gather(spread, Concurrency::AllSets), WithinRel(0.875e9 / (chip / 2), 1e-9));
  CHECK_THAT(gather(spread, Concurrency::OneSet), WithinRel(0.875e9 / chip, 1e-9));
}

TEST_CASE("no torus group outruns the links of its chips") {
  for (const char* name : {"tpu-v5p", "tpu-v6e"})
    for (const Communicator& c : communicators(machine(name))) {
      const double least = (c.ranks - 1.0) / c.ranks * 1e9 / c.scale_up.bandwidth.base();
      INFO(name << ' ' << c.ranks);
      CHECK(seconds("torus", AG, 1_GB, c) > least);
      CHECK(seconds("torus", CollectiveKind::AllToAll, 1_GB, c) > least);
    }
}
