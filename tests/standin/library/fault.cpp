#include "tests/standin/library/fault.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "tests/standin/library/refusal_by_name.hpp"

namespace tofn::standin {
namespace {

constexpr std::array<std::pair<std::string_view, Fault>, 14> kinds{
    {{"out_of_memory", Fault::OutOfMemory},
     {"ecc", Fault::EccError},
     {"asynchronous_error", Fault::AsynchronousError},
     {"failing_collective", Fault::FailingCollective},
     {"hang", Fault::Hang},
     {"wrong_result", Fault::WrongResult},
     {"dead_rank", Fault::DeadRank},
     {"throttled_clock", Fault::ThrottledClock},
     {"no_algorithm", Fault::NoAlgorithm},
     {"split_domain", Fault::SplitDomain},
     {"no_symmetric_memory", Fault::NoSymmetricMemory},
     {"other_nccl", Fault::OtherNccl},
     {"hanging_registration", Fault::HangingRegistration},
     {"failing_join", Fault::FailingJoin}}};

struct Order {
  Fault kind = Fault::None;
  int time = 1;
  int device = -1;  // -1: all devices
};

[[noreturn]] void refuse_order(std::string_view text) {
  std::string names;
  for (const auto& [name, kind] : kinds) names += (names.empty() ? "" : ", ") + std::string(name);
  refuse("TOFN_STANDIN_FAULT", "expected KIND[@N][/DEVICE] with KIND one of " + names + ", got '" +
                                   std::string(text) + "'");
}

/// Whole number after `mark`, which is cut off the text with it; `absent` if there is no mark.
int number_behind(std::string_view& text, char mark, int absent) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return absent;
  const std::string_view digits = text.substr(at + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) refuse_order(text);
  text = text.substr(0, at);
  return number;
}

Order read_order() {
  const char* given = std::getenv("TOFN_STANDIN_FAULT");  // NOLINT(concurrency-mt-unsafe)
  if (given == nullptr || *given == '\0') return {};
  std::string_view text = given;
  Order order;
  order.device = number_behind(text, '/', order.device);
  order.time = number_behind(text, '@', order.time);
  for (const auto& [name, kind] : kinds)
    if (name == text) order.kind = kind;
  if (order.kind == Fault::None) refuse_order(given);
  return order;
}

const Order& order() {
  static const Order read = read_order();
  return read;
}

}  // namespace

bool is_requested(Fault fault, int device) {
  return order().kind == fault && (order().device < 0 || order().device == device);
}

bool strikes(Fault fault, int device) {
  static std::array<std::atomic<int>, 64> times{};
  if (!is_requested(fault, device)) return false;
  return ++times[static_cast<std::size_t>(device) % times.size()] == order().time;
}

}  // namespace tofn::standin
