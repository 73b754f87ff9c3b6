#include "microbench/compute/slowdown.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

#include <fmt/format.h>

#include "microbench/collective/trial.hpp"
#include "microbench/compute/operands.hpp"
#include "microbench/compute/repeated.hpp"
#include "microbench/harness/rounds.hpp"
#include "microbench/harness/row_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn::bench {
namespace {

/// Numbers of products and calls that are enqueued at once.
struct Rhythm {
  int products = 1;
  int calls = 1;
};
/// The first product on a GPU may run alone, because the collective's kernels start when one ends.
/// Both numbers are choices. Between rounds of calls, ranks agree on whether to go on, and
/// meanwhile send nothing.
constexpr Rhythm of_gpu{.products = 16, .calls = 2};

/// Several calls that count as one, whose time is their mean.
class InARow : public Timed {
 public:
  InARow(Timed& timed, int calls) : timed_(timed), calls_(calls) {}

  Elapsed run(int calls) override {
    Elapsed elapsed = timed_.run(calls * calls_);
    elapsed.host /= calls_;
    if (elapsed.device) *elapsed.device /= calls_;
    return elapsed;
  }

 private:
  Timed& timed_;
  int calls_;
};

/// A product that is timed on its own thread while this thread communicates.
class Beside : public Timed {
 public:
  Beside(Team& team, Timed& product, Timed& collective, int calls_at_once)
      : team_(team), product_(product), collective_(collective), calls_at_once_(calls_at_once) {}

  Elapsed run(int calls) override {
    std::atomic<bool> is_done = false;
    Elapsed elapsed;
    std::exception_ptr problem;
    std::jthread computing([&] {
      try {
        elapsed = product_.run(calls);
      } catch (...) {
        problem = std::current_exception();
      }
      is_done = true;
    });
    // All ranks continue until the last product is done, so that they make the same number of
    // calls.
    for (double is_busy = 1; is_busy > 0;) {
      collective_.run(calls_at_once_);
      is_busy = is_done ? 0 : 1;
      team_.maximum({&is_busy, 1});
    }
    computing.join();
    if (problem) std::rethrow_exception(problem);
    return elapsed;
  }

 private:
  Team& team_;
  Timed& product_;
  Timed& collective_;
  int calls_at_once_;
};

RecordPoint identity(const Lab& lab, const Processor& processor, const Backend& backend,
                     const SlowdownCase& the_case, bool is_beside) {
  RecordPoint point;
  point.kind = "slowdown";
  point.parameters = {{"device", processor.device()},
                      {"model", processor.model()},
                      {"library", processor.library()},
                      {"type", the_case.type},
                      {"m", static_cast<long long>(the_case.shape.m)},
                      {"n", static_cast<long long>(the_case.shape.n)},
                      {"k", static_cast<long long>(the_case.shape.k)},
                      {"beside", std::string(is_beside ? "all-reduce" : "nothing")},
                      {"library_beside", backend.library()},
                      {"type_beside", std::string("fp32")},
                      {"size_bytes_beside", static_cast<long long>(is_beside ? the_case.bytes : 0)},
                      {"ranks", static_cast<long long>(lab.team.size())}};
  return point;
}

std::string title_of(const SlowdownCase& the_case) {
  return fmt::format("gemm {} {} beside an all-reduce", the_case.type, to_text(the_case.shape));
}

Case make_case(RecordPoint point, Timed& timed, const SlowdownCase& the_case,
               const std::function<void()>& prepare, const std::function<void()>& check) {
  return {.point = std::move(point),
          .title = title_of(the_case),
          .timed = &timed,
          .prepare = prepare,
          .check = check,
          .figures = [flops = the_case.shape.flops()](double seconds) {
            return RecordFigures{{"tflop_s", flops / seconds / 1e12}};
          }};
}

std::string table(const Lab& lab, const Backend& backend, const SlowdownCase& the_case,
                  const std::vector<RecordPoint>& points) {
  std::string text =
      fmt::format("# gemm {} {} on {} ranks, alone and beside an all-reduce of {} ({})\n",
                  the_case.type, to_text(the_case.shape), lab.team.size(),
                  to_text(Bytes(the_case.bytes), 4), backend.library());
  text += fmt::format("# {:>12} {} {:>10}  {}\n", "beside", time_headings(), "TFLOP/s", "notes");
  text += fmt::format("# {:>12} {}\n", "", time_units());
  for (const RecordPoint& point : points)
    text +=
        fmt::format("{:>14} {} {:>10}  {}\n", std::get<std::string>(*parameter(point, "beside")),
                    time_columns(point), figure(point, "tflop_s"), notes(point));
  if (points.size() < 2) return text + '\n';
  const double slowdown = points[1].summary.median / points[0].summary.median;
  return text + fmt::format("# the product takes {:.3f} times as long\n\n", slowdown);
}

}  // namespace

void run_slowdown(Lab& lab, Processor& processor, Backend& backend, const SlowdownCase& the_case) {
  if (lab.team.size() < 2)
    throw InputError("the slowdown beside a collective needs at least 2 ranks");
  lab.watchdog.start("joining the ranks of the slowdown");
  const auto communicator = backend.join(lab.team, 0);
  const Operation& all_reduce = operation("all-reduce");
  const ElementType& fp32 = element_type("fp32", "type");
  const Extent extent = extent_of(all_reduce, fp32, lab.team.size(), the_case.bytes);
  std::unique_ptr<Operands> operands;
  std::unique_ptr<Repeated> product;
  TrialBuffers buffers;
  lab.on_each_rank("slowdown", [&] {
    operands = std::make_unique<Operands>(processor, the_case.type, std::vector{the_case.shape});
    product = std::make_unique<Repeated>(processor, operands->gemm(the_case.shape));
    buffers.send = communicator->allocate(extent.total * sizeof(float));
    buffers.receive = communicator->allocate(extent.total * sizeof(float));
  });
  Trial collective(*communicator, buffers, all_reduce, fp32, extent);
  const Rhythm rhythm = processor.device() == "cpu" ? Rhythm{} : of_gpu;
  InARow products(*product, rhythm.products);
  Beside beside(lab.team, products, collective, rhythm.calls);
  const auto goes_on = [&] { lab.watchdog.progress(); };
  // The all-reduce and the product do not overwrite their input, so every call has the same result.
  const auto check = [&] {
    lab.on_each_rank(title_of(the_case), [&] {
      operands->check_product(the_case.shape);
      collective.check_result(goes_on);
    });
  };
  const auto prepare = [&] {
    lab.on_each_rank(title_of(the_case), [&] { collective.fill(goes_on); });
    collective.run(1);
    lab.on_each_rank(title_of(the_case), [&] { product->run(1); });
    check();
  };
  std::vector<Case> cases;
  cases.push_back(make_case(identity(lab, processor, backend, the_case, false), products, the_case,
                            prepare, check));
  cases.push_back(make_case(identity(lab, processor, backend, the_case, true), beside, the_case,
                            prepare, check));
  lab.progress.print(table(lab, backend, the_case, measure_in_rounds(lab, cases)));
}

}  // namespace tofn::bench
