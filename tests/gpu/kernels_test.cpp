#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "microbench/compute/repeated.hpp"
#include "microbench/cuda/cuda_processor.hpp"
#include "tests/gpu/gpu.hpp"

namespace tofn::bench {
namespace {

using test::put;
using test::taken;
using test::WithinRel;

/// Not a multiple of the 4 elements that a thread moves, nor of a block.
constexpr std::size_t count = 5003;

std::vector<float> ramp(float first) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST_CASE("copy and triad write every element, and none behind the last") {
  if (test::gpus_or_skip() == 0) return;
  Device device(0, 1);
  const auto processor = cuda_processor(device);
  const std::size_t bytes = count * sizeof(float);
  const auto a = processor->allocate(bytes);
  const auto b = processor->allocate(bytes);
  const auto c = processor->allocate(bytes + sizeof(float));
  put(*a, ramp(1));
  put(*b, ramp(100));
  const auto triad = processor->stream(MemoryPattern::Triad, {a.get(), b.get(), c.get()}, bytes);
  processor->timed([&] { triad->enqueue(); });
  auto result = taken<float>(*c, count + 1);
  bool is_right = result[count] == 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<float>(i);
    is_right = is_right && result[i] == 1 + place + 3 * (100 + place);
  }
  CHECK(is_right);
  const auto copy = processor->stream(MemoryPattern::Copy, {a.get(), c.get()}, bytes);
  processor->timed([&] { copy->enqueue(); });
  result = taken<float>(*c, count + 1);
  CHECK(result[count] == 0);
  result.pop_back();
  CHECK((result == ramp(1)));
}

/// Kingma & Ba, algorithm 1, for one parameter at a late step, in double precision.
struct HostAdam {
  double parameter;
  double first = 0;
  double second = 0;
  void step(double gradient) {
    first = 0.9 * first + 0.1 * gradient;
    second = 0.999 * second + 0.001 * gradient * gradient;
    parameter -= 1e-3 * first / (std::sqrt(second) + 1e-8);
  }
};

TEST_CASE("Adam's steps are those of the paper") {
  if (test::gpus_or_skip() == 0) return;
  Device device(0, 1);
  const auto processor = cuda_processor(device);
  const std::size_t bytes = count * sizeof(float);
  const auto parameters = processor->allocate(bytes);
  const auto gradients = processor->allocate(bytes);
  const auto first = processor->allocate(bytes);
  const auto second = processor->allocate(bytes);
  put(*parameters, std::vector<float>(count, 0.5F));
  put(*gradients, ramp(-2500));
  const auto floats = [](Buffer& buffer) { return reinterpret_cast<float*>(buffer.data()); };
  const auto adam = processor->adam({.parameters = floats(*parameters),
                                     .gradients = floats(*gradients),
                                     .first_moments = floats(*first),
                                     .second_moments = floats(*second),
                                     .count = count});
  processor->timed([&] {
    for (int i = 0; i < 3; ++i) adam->enqueue();
  });
  const auto result = taken<float>(*parameters, count);
  const auto moments = taken<float>(*second, count);
  for (const std::size_t i : {std::size_t{0}, std::size_t{2500}, count - 1}) {
    const double gradient = static_cast<double>(i) - 2500;
    HostAdam expected{.parameter = 0.5};
    for (int step = 0; step < 3; ++step) expected.step(gradient);
    INFO("element " << i);
    CHECK_THAT(static_cast<double>(result[i]), WithinRel(expected.parameter, 2e-6));
    // 1 - 0.999 has four correct digits in single precision.
    CHECK_THAT(static_cast<double>(moments[i]), WithinRel(expected.second, 1e-4));
  }
}

TEST_CASE("a kernel is replayed as often as it is asked for") {
  if (test::gpus_or_skip() == 0) return;
  Device device(0, 1);
  const auto processor = cuda_processor(device);
  std::vector<std::unique_ptr<Buffer>> buffers;
  for (int i = 0; i < 4; ++i) buffers.push_back(processor->allocate(count * sizeof(float)));
  const auto floats = [&](int i) { return reinterpret_cast<float*>(buffers[i]->data()); };
  put(*buffers[1], ramp(-2500));
  Replayed replayed(*processor, processor->adam({.parameters = floats(0),
                                                 .gradients = floats(1),
                                                 .first_moments = floats(2),
                                                 .second_moments = floats(3),
                                                 .count = count}));
  HostAdam expected{.parameter = 0};
  for (const int calls : {1, 5, 5, 3, 1}) {
    CHECK(replayed.run(calls).device.value() > 0);
    for (int step = 0; step < calls; ++step) expected.step(2502);  // gradient of element 5002
    CHECK_THAT(static_cast<double>(taken<float>(*buffers[0], count).back()),
               WithinRel(expected.parameter, 1e-5));
  }
}

/// Checks that no element's magnitude bits exceed those of 1, and that they differ.
template <class Bits>
void check_random(Processor& processor, std::string_view type, Bits one) {
  INFO(type);
  const auto buffer = processor.allocate(count * sizeof(Bits));
  processor.randomize(*buffer, type);
  const auto first = taken<Bits>(*buffer, count);
  constexpr auto sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  std::size_t negative = 0;
  bool is_within = true;
  for (const Bits bits : first) {
    is_within = is_within && static_cast<Bits>(bits & ~sign) <= one;
    negative += (bits & sign) != 0 ? 1U : 0U;
  }
  CHECK(is_within);
  CHECK(negative > count / 3);
  CHECK(negative < count * 2 / 3);
  processor.randomize(*buffer, type);
  CHECK_FALSE((taken<Bits>(*buffer, count) == first));
}

TEST_CASE("random elements lie in [-1, 1] and differ from call to call") {
  if (test::gpus_or_skip() == 0) return;
  Device device(0, 1);
  const auto processor = cuda_processor(device);
  check_random<std::uint32_t>(*processor, "fp32", 0x3f800000);
  check_random<std::uint32_t>(*processor, "tf32", 0x3f800000);
  check_random<std::uint16_t>(*processor, "fp16", 0x3c00);
  check_random<std::uint16_t>(*processor, "bf16", 0x3f80);
  check_random<std::uint8_t>(*processor, "fp8_e4m3", 0x38);
}

TEST_CASE("an empty kernel takes time in every mode") {
  if (test::gpus_or_skip() == 0) return;
  Device device(0, 1);
  const auto processor = cuda_processor(device);
  for (const auto& [name, mode] : launch_modes) {
    INFO(name);
    const auto kernel = processor->empty(mode);
    REQUIRE(kernel != nullptr);
    CHECK(kernel->launches() == (mode == LaunchMode::Graph ? 100 : 1));
    const Elapsed elapsed = processor->timed([&] { kernel->enqueue(); });
    CHECK(elapsed.device.value() > 0);
    CHECK(elapsed.host >= elapsed.device.value());
  }
}

}  // namespace
}  // namespace tofn::bench
