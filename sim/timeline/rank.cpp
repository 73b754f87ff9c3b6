#include "sim/timeline/rank.hpp"

#include <algorithm>
#include <limits>

namespace tofn {
inline namespace timeline {

int Rank::record(Stream stream, StepPart which, Seconds start, Seconds finish, int cause,
                 const Span& label) const {
  if (settings_.spans == nullptr || finish <= start) return cause;
  Span span = label;
  span.stage = stage_;
  span.stream = stream;
  span.part = which;
  span.cause = cause;
  span.start = start;
  span.finish = finish;
  settings_.spans->push_back(span);
  return static_cast<int>(settings_.spans->size()) - 1;
}

void Rank::stand(Seconds length, StepPart which, Stream stream, const Span& label) {
  last_ = record(stream, which, now_, now_ + length, last_, label);
  part(parts, which) += length;
  now_ += length;
}

void Rank::wait_for_input(Seconds arrival, Seconds send, int cause) {
  if (arrival <= now_) return;
  const Seconds underway = std::min(send, arrival - now_);
  part(parts, StepPart::Pipeline) += underway;
  waiting += arrival - now_ - underway;
  now_ = arrival;
  last_ = cause;
}

void Rank::run(const PassTimes& pass) {
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += pass.parts[i];
  communication += pass.communication;
  now_ += pass.length;
}

Rank::Interval Rank::queue(Seconds length, const Span& label) {
  const Seconds start = std::max(now_, data_free_);
  const int cause = data_free_ <= now_ ? last_ : last_data_;
  data_free_ = start + length;
  communication += length;
  if (first_ < data_.size() && data_.back().finish == start) {
    data_.back().finish = data_free_;
  } else {
    if (first_ == data_.size()) {
      data_.clear();
      first_ = 0;
    }
    data_.push_back({start, data_free_});
  }
  last_data_ = record(Stream::Data, StepPart::Data, start, data_free_, cause, label);
  return {start, data_free_};
}

void Rank::queue_gather(Seconds length, const Span& label) {
  if (next_gather_ == gathers_.size()) {
    gathers_.clear();
    next_gather_ = 0;
  }
  const Seconds finish = queue(length, label).finish;
  gathers_.push_back({finish, last_data_});
}

void Rank::wait_for_gather() {
  const Gather gather = gathers_[next_gather_++];
  if (gather.finish <= now_) return;
  part(parts, StepPart::Data) += gather.finish - now_;
  now_ = gather.finish;
  last_ = gather.span;
}

/// Time at which a phase's compute ends if it starts now and the data stream overlaps it.
Seconds Rank::compute_overlapped(const Phase& phase) {
  const double data_slowdown = settings_.slowdown.data;
  const Seconds never{std::numeric_limits<double>::infinity()};
  const Seconds exchange_end = now_ + phase.exchange;
  Seconds work = phase.compute;
  Seconds time = now_;
  while (work > Seconds{}) {
    while (first_ < data_.size() && data_[first_].finish <= time) ++first_;
    const bool travels = first_ < data_.size() && data_[first_].start <= time;
    const bool exchanges = time < exchange_end;
    Seconds until = never;
    if (first_ < data_.size()) until = travels ? data_[first_].finish : data_[first_].start;
    if (exchanges) until = std::min(until, exchange_end);
    const double lost = std::max(exchanges ? phase.slowdown : 0, travels ? data_slowdown : 0);
    const double pace = 1 - lost;
    const Seconds done = pace * (until - time);
    if (pace > 0 && work <= done) until = time + work / pace;
    work = pace > 0 && work <= done ? Seconds{} : work - (pace > 0 ? done : Seconds{});
    time = until;
  }
  return time;
}

Rank::Busy Rank::compute(const LayerPass& pass, const Span& label) {
  Tails tails;
  Busy busy;
  const std::array<Phase, 2> phases = phases_of(pass, settings_.slowdown);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const Phase& phase = phases[i];
    if (phase.compute <= Seconds{} && phase.exchange <= Seconds{}) continue;
    int exchange = last_;
    Seconds sent = now_;
    for (std::size_t e = 0; e < exchange_parts.size(); ++e) {
      if ((e == ring_exchange) != (i == 0)) continue;
      exchange = record(Stream::Exchange, exchange_parts[e], sent, sent + pass.overlapped[e],
                        exchange, label);
      sent += pass.overlapped[e];
    }
    const Seconds computed = compute_overlapped(phase);
    last_ = record(Stream::Compute, StepPart::Compute, now_, computed, last_, label);
    if (sent > computed) last_ = exchange;
    // Exchanges cost the same as they do alone; data traffic costs the time that it adds.
    const Seconds alone = compute_length(phase, Seconds{}, 0);
    tails[i] = std::max(Seconds{}, phase.exchange - alone);
    const Seconds added = std::max(computed, sent) - now_ - std::max(alone, phase.exchange);
    busy.alone += std::max(alone, phase.exchange);
    busy.added += std::max(Seconds{}, added);
    now_ = std::max(computed, sent);
  }
  part(parts, StepPart::Compute) += pass.compute;
  book_overlapped(parts, pass.overlapped, tails, settings_.slowdown);
  communication += sum(pass.overlapped);
  return busy;
}

void Rank::run_pass(const LayerPass& pass, const Span& label) {
  Busy busy = compute(pass, label);
  busy.alone += sum(pass.exposed);
  for (std::size_t i = 0; i < exchange_parts.size(); ++i)
    stand(pass.exposed[i], exchange_parts[i], Stream::Exchange, label);
  communication += sum(pass.exposed);
  const Seconds launch = launch_beyond(pass, busy.alone + busy.added);
  stand(launch, StepPart::Launch, Stream::Compute, label);
  // If the host is behind anyway, the time that data traffic adds costs nothing.
  const Seconds hidden = launch_beyond(pass, busy.alone) - launch;
  part(parts, StepPart::Launch) += hidden;
  part(parts, StepPart::Data) += busy.added - hidden;
}

Seconds Rank::send(Seconds length, const Span& label) {
  const Seconds start = std::max(now_, send_free_);
  const int cause = send_free_ <= now_ ? last_ : last_send_;
  send_free_ = start + length;
  communication += length;
  last_send_ = record(Stream::Send, StepPart::Pipeline, start, send_free_, cause, label);
  return send_free_;
}

void Rank::wait_for_send() {
  if (send_free_ <= now_) return;
  part(parts, StepPart::Pipeline) += send_free_ - now_;
  now_ = send_free_;
  last_ = last_send_;
}

void Rank::finish(Seconds after, Seconds optimizer) {
  if (data_free_ > now_) {
    part(parts, StepPart::Data) += data_free_ - now_;
    now_ = data_free_;
    last_ = last_data_;
  }
  communication += after;
  stand(after, StepPart::Data, Stream::Data, {});
  stand(optimizer, StepPart::Optimizer, Stream::Compute, {});
}

std::span<const Rank::Interval> Rank::pending_data() const {
  std::span<const Interval> pending = std::span(data_).subspan(first_);
  while (!pending.empty() && pending.front().finish <= now_) pending = pending.subspan(1);
  return pending;
}

bool Rank::is_later(const Rank& earlier, Seconds by, Seconds room) const {
  // Times in the past of either state no longer matter.
  const auto is_moved = [&](Seconds then, Seconds now) {
    const Seconds off = std::max(now, now_) - std::max(then, earlier.now_) - by;
    return off <= room && Seconds{} - off <= room;
  };
  const auto data = pending_data();
  const auto gathers = pending_gathers();
  return is_moved(earlier.now_, now_) && is_moved(earlier.send_free_, send_free_) &&
         std::ranges::equal(earlier.pending_data(), data,
                            [&](const Interval& then, const Interval& now) {
                              return is_moved(then.start, now.start) &&
                                     is_moved(then.finish, now.finish);
                            }) &&
         std::ranges::equal(earlier.pending_gathers(), gathers,
                            [&](const Gather& then, const Gather& now) {
                              return is_moved(then.finish, now.finish);
                            });
}

void Rank::repeat(double times, const Rank& from, const Rank& to) {
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += times * (to.parts[i] - from.parts[i]);
  waiting += times * (to.waiting - from.waiting);
  communication += times * (to.communication - from.communication);
  now_ += times * (to.now_ - from.now_);
}

}  // namespace timeline
}  // namespace tofn
