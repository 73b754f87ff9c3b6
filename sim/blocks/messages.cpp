#include "sim/blocks/messages.hpp"

#include <cassert>
#include <cstring>

namespace tofn {
inline namespace blocks {
namespace {

void put(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& bytes, std::string_view text) {
  put(bytes, static_cast<std::uint64_t>(text.size()));
  bytes += text;
}

std::uint64_t take_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  assert(bytes.size() >= sizeof number);
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

std::string take_text(std::string_view& bytes) {
  const std::uint64_t size = take_number(bytes);
  assert(bytes.size() >= size);
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

std::uint64_t number_of(bool value) { return value ? 1 : 0; }

}  // namespace

std::string to_bytes(const Report& report) {
  std::string bytes;
  put(bytes, report.threads);
  put(bytes, report.wanted);
  put(bytes, static_cast<std::uint64_t>(report.signal));
  put(bytes, number_of(report.is_last));
  put(bytes, number_of(report.failure.has_value()));
  if (report.failure) {
    put(bytes, static_cast<std::uint64_t>(report.failure->exit_code));
    put(bytes, report.failure->text);
  }
  put(bytes, report.identity);
  put(bytes, static_cast<std::uint64_t>(report.blocks.size()));
  for (const FinishedBlock& block : report.blocks) {
    put(bytes, block.block);
    put(bytes, block.rows);
  }
  return bytes;
}

Report report_of(std::string_view bytes) {
  Report report;
  report.threads = take_number(bytes);
  report.wanted = take_number(bytes);
  report.signal = static_cast<int>(take_number(bytes));
  report.is_last = take_number(bytes) != 0;
  if (take_number(bytes) != 0) {
    report.failure.emplace();
    report.failure->exit_code = static_cast<int>(take_number(bytes));
    report.failure->text = take_text(bytes);
  }
  report.identity = take_text(bytes);
  report.blocks.resize(take_number(bytes));
  for (FinishedBlock& block : report.blocks) {
    block.block = take_number(bytes);
    block.rows = take_text(bytes);
  }
  return report;
}

std::string to_bytes(const Order& order) {
  std::string bytes;
  put(bytes, order.blocks.first);
  put(bytes, order.blocks.end);
  put(bytes, number_of(order.ends));
  return bytes;
}

Order order_of(std::string_view bytes) {
  Order order;
  order.blocks.first = take_number(bytes);
  order.blocks.end = take_number(bytes);
  order.ends = take_number(bytes) != 0;
  return order;
}

}  // namespace blocks
}  // namespace tofn
