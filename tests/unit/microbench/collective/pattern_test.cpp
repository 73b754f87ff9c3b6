#include "microbench/collective/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "microbench/collective/trial.hpp"
#include "tests/catch.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

using Bytes = std::vector<std::byte>;
using Element = std::uint32_t;  // bits of an element
using Elements = std::vector<Element>;

constexpr std::size_t chunk = 704;  // several chunks exceed the pattern's period

Elements unpacked(const Bytes& bytes, const ElementType& type) {
  const auto size = static_cast<std::size_t>(type.bytes);
  Elements elements(bytes.size() / size);
  for (std::size_t i = 0; i < elements.size(); ++i)
    std::memcpy(&elements[i], &bytes[i * size], size);
  return elements;
}

Bytes packed(const Elements& elements, const ElementType& type) {
  const auto size = static_cast<std::size_t>(type.bytes);
  Bytes bytes(elements.size() * size);
  for (std::size_t i = 0; i < elements.size(); ++i)
    std::memcpy(&bytes[i * size], &elements[i], size);
  return bytes;
}

/// Number for the bits of a normal positive value or zero.
double decoded(Element bits, const ElementType& type) {
  if (type.exponent_bits == 0) return static_cast<std::int32_t>(bits);
  if (bits == 0) return 0;
  const int bias = (1 << (type.exponent_bits - 1)) - 1;
  const auto mantissa = static_cast<double>(bits & ((1U << type.mantissa_bits) - 1));
  return std::ldexp(1 + std::ldexp(mantissa, -type.mantissa_bits),
                    static_cast<int>(bits >> type.mantissa_bits) - bias);
}

/// Bits of each whole number from 0 to 255 that the type can hold: the inverse of decoded().
std::map<double, Element> bits_by_value(const ElementType& type) {
  std::map<double, Element> bits{{0, 0}};
  const int shift = std::max(type.mantissa_bits - 7, 0);  // enough bits for whole numbers to 255
  const Element all =
      type.bytes == 4 ? 0x47800000U >> shift : (1U << (8 * type.bytes - 1)) >> shift;
  if (type.exponent_bits == 0)
    for (Element value = 0; value < 256; ++value) bits[value] = value;
  else
    for (Element high = 1; high < all; ++high) {
      const double value = decoded(high << shift, type);
      if (value == std::floor(value) && value < 256) bits[value] = high << shift;
    }
  return bits;
}

/// Elements that every rank sends, and that rank `me` receives by the definition of the operation.
struct Group {
  const ElementType& type;
  std::vector<Elements> sent;  // by rank
  std::map<double, Element> bits;

  Group(const Operation& operation, const ElementType& of_type, int ranks)
      : type(of_type), bits(bits_by_value(of_type)) {
    const auto elements = extent(operation, ranks).send;
    for (int rank = 0; rank < ranks; ++rank)
      sent.push_back(
          unpacked(Pattern(operation, type, {.rank = rank, .size = ranks}).sent(elements), type));
  }
  Extent extent(const Operation& operation, int ranks) const {
    const auto chunks = static_cast<std::size_t>(operation.has_chunks ? ranks : 2);
    return extent_of(operation, type, ranks, static_cast<double>(chunks * chunk) * type.bytes);
  }
  /// Sum of `count` elements from `first` on, over all ranks except `without`.
  Elements sum(std::size_t first, std::size_t count, std::size_t without) const {
    Elements sums;
    for (std::size_t i = first; i < first + count; ++i) {
      double total = 0;
      for (std::size_t rank = 0; rank < sent.size(); ++rank)
        if (rank != without) total += decoded(sent[rank][i], type);
      sums.push_back(bits.at(total));
    }
    return sums;
  }
  Elements part_of(std::size_t rank, std::size_t first) const {
    const auto begin = sent[rank].begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(chunk)};
  }
  /// Chunks of all ranks in their order.
  Elements chunks_from(std::size_t first) const {
    Elements all;
    for (std::size_t rank = 0; rank < sent.size(); ++rank) {
      const Elements part = part_of(rank, first);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  static constexpr std::size_t nobody = 1000;
  Elements received(std::string_view operation, std::size_t me, std::size_t root,
                    std::size_t without = nobody) const {
    const std::size_t ranks = sent.size();
    if (operation == "all-reduce") return sum(0, sent[0].size(), without);
    if (operation == "reduce-scatter") return sum(me * chunk, chunk, without);
    if (operation == "all-gather") return chunks_from(0);
    if (operation == "broadcast") return sent[root];
    if (operation == "all-to-all") return chunks_from(me * chunk);
    if (operation == "send-receive-ring") return sent[(me + ranks - 1) % ranks];
    return sent[std::min(me, (me + ranks / 2) % ranks)];  // there and back again
  }
};

/// Calls `work(operation, type, ranks)` for every valid combination; here even one rank is valid.
template <class Work>
void for_all(Work work) {
  for (const Operation& operation : operations())
    for (const ElementType& type : element_types())
      for (int ranks = 1; ranks <= 9; ++ranks)
        if (!operation.needs_pairs || ranks % 2 == 0) work(operation, type, ranks);
}

/// One rank of a group and the elements that it should receive.
struct Receiver {
  Pattern pattern;
  const ElementType& type;
  Elements right;
  int root;

  Receiver(const Operation& operation, const Group& group, int me)
      : pattern(operation, group.type, {.rank = me, .size = static_cast<int>(group.sent.size())}),
        type(group.type),
        right(group.received(operation.name, static_cast<std::size_t>(me), root_of(group))),
        root(static_cast<int>(root_of(group))) {}
  static std::size_t root_of(const Group& group) { return group.sent.size() / 2; }
  bool takes(const Elements& elements) const {
    return !pattern.problem(packed(elements, type), chunk, root).has_value();
  }
};

std::string name_of(const Operation& operation, const ElementType& type, int ranks) {
  return std::string(operation.name) + " of " + std::string(type.name) + " on " +
         std::to_string(ranks) + " ranks";
}

}  // namespace

TEST_CASE("what an operation makes of the patterns is taken") {
  for_all([](const Operation& operation, const ElementType& type, int ranks) {
    INFO(name_of(operation, type, ranks));
    const Group group(operation, type, ranks);
    for (int me = 0; me < ranks; ++me) {
      const Receiver receiver(operation, group, me);
      REQUIRE(receiver.right.size() == group.extent(operation, ranks).receive);
      CHECK(receiver.takes(receiver.right));
    }
  });
}

TEST_CASE("a single wrong bit is refused") {
  for_all([](const Operation& operation, const ElementType& type, int ranks) {
    INFO(name_of(operation, type, ranks));
    const Group group(operation, type, ranks);
    const Receiver receiver(operation, group, ranks - 1);
    for (const std::size_t place :
         {std::size_t{0}, receiver.right.size() / 3, receiver.right.size() - 1})
      for (int bit = 0; bit < 8 * type.bytes; ++bit) {
        Elements wrong = receiver.right;
        wrong[place] ^= 1U << bit;
        CHECK_FALSE(receiver.takes(wrong));
      }
  });
}

TEST_CASE("two swapped chunks, or the chunk of another rank, are refused") {
  for_all([](const Operation& operation, const ElementType& type, int ranks) {
    if (!operation.has_chunks || ranks < 2) return;
    INFO(name_of(operation, type, ranks));
    const Group group(operation, type, ranks);
    const Receiver receiver(operation, group, 0);
    Elements wrong = receiver.right;
    if (operation.receives_chunk)
      wrong = group.received(operation.name, 1, 0);
    else
      std::swap_ranges(wrong.begin(), wrong.begin() + chunk, wrong.end() - chunk);
    CHECK_FALSE(receiver.takes(wrong));
  });
}

TEST_CASE("a missing contribution is refused, whoever's it is") {
  for_all([](const Operation& operation, const ElementType& type, int ranks) {
    if (!operation.reduces) return;
    INFO(name_of(operation, type, ranks));
    const Group group(operation, type, ranks);
    const Receiver receiver(operation, group, 0);
    for (std::size_t rank = 0; rank < group.sent.size(); ++rank)
      CHECK_FALSE(receiver.takes(group.received(operation.name, 0, 0, rank)));
  });
}

TEST_CASE("data of another rank is refused") {
  for_all([](const Operation& operation, const ElementType& type, int ranks) {
    if (operation.reduces || operation.has_chunks || ranks < 3) return;
    INFO(name_of(operation, type, ranks));
    const Group group(operation, type, ranks);
    const Receiver receiver(operation, group, 0);
    for (const Elements& sent : group.sent)
      if (sent != receiver.right) CHECK_FALSE(receiver.takes(sent));
    CHECK(std::count(group.sent.begin(), group.sent.end(), receiver.right) == 1);
  });
}

TEST_CASE("a block in the wrong place is refused") {
  for_all([](const Operation& operation, const ElementType& type, int ranks) {
    INFO(name_of(operation, type, ranks));
    const Group group(operation, type, ranks);
    const Receiver receiver(operation, group, ranks - 1);
    for (const std::ptrdiff_t shift : {1, 2, 4, 64, 128, 256, 512}) {
      Elements wrong = receiver.right;
      std::rotate(wrong.begin(), wrong.begin() + shift, wrong.end());
      CHECK_FALSE(receiver.takes(wrong));
    }
    // The buffer is as it was before the call.
    CHECK_FALSE(receiver.takes(Elements(receiver.right.size(), 0xeeeeeeeeU)));
  });
}

TEST_CASE("a problem says where it starts and how much is wrong") {
  const ElementType& type = element_type("int32", "--type");
  const Operation& all_reduce = operation("all-reduce");
  const Group group(all_reduce, type, 2);
  const Receiver receiver(all_reduce, group, 0);
  Elements wrong = receiver.right;
  wrong[17] = 0xab;
  wrong[18] = 0xcd;
  const std::string right = receiver.right[17] < 10
                                ? "0x" + std::to_string(receiver.right[17])
                                : std::string("0x") + "abcde"[receiver.right[17] - 10];
  CHECK(receiver.pattern.problem(packed(wrong, type), wrong.size(), 0) ==
        "element 17 is 0xab, not " + right + "; 2 of 1408 elements are wrong");
}

TEST_CASE("sums over very many ranks stay exact") {
  // A sum of fp8_e5m2 is exact up to 8, so 100 ranks must not all give 1 or 2.
  for (const ElementType& type : element_types()) {
    INFO(type.name);
    constexpr int ranks = 100;
    const Operation& all_reduce = operation("all-reduce");
    double largest = 0;
    std::vector<double> totals(2000);
    for (int rank = 0; rank < ranks; ++rank) {
      const Pattern pattern(all_reduce, type, {.rank = rank, .size = ranks});
      const Elements sent = unpacked(pattern.sent(totals.size()), type);
      for (std::size_t i = 0; i < sent.size(); ++i) totals[i] += decoded(sent[i], type);
    }
    for (const double total : totals) largest = std::max(largest, total);
    CHECK(largest <= type.exact_up_to());
    CHECK(*std::min_element(totals.begin(), totals.end()) >= 1);  // every element gets a share
  }
}
