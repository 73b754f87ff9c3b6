#include <numeric>

#include "sim/page/read_table.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

using SpansRow = std::vector<Value>;

Value text(const char* words) { return std::string(words); }

/// Events with times in us, as `tofn step --trace` writes them.
struct Trace {
  Records records{.columns = {"name", "cat", "ph", "pid", "tid", "ts", "dur", "args.name",
                              "args.pass", "args.chunk", "args.micro_batch"},
                  .rows = {}};
  void name(const char* what, long long pid, long long tid, const char* as) {
    records.rows.push_back({text(what), {}, text("M"), pid, tid, {}, {}, text(as), {}, {}, {}});
  }
  void span(const char* part, long long stage, double start, double length, long long micro_batch) {
    records.rows.push_back({text("layer"),
                            text(part),
                            text("X"),
                            stage,
                            0LL,
                            start,
                            length,
                            {},
                            text("forward"),
                            0LL,
                            micro_batch});
  }
};

double sum_of(const Records& records, std::size_t column) {
  return std::accumulate(records.rows.begin(), records.rows.end(), 0.0,
                         [&](double sum, const SpansRow& row) {
                           return sum + (std::holds_alternative<double>(row[column])
                                             ? std::get<double>(row[column])
                                             : double(std::get<long long>(row[column])));
                         });
}

}  // namespace

TEST_CASE("layers of one pass become one span, passes stay apart") {
  Trace trace;
  trace.name("process_name", 0, 0, "stage 0");
  trace.name("thread_name", 0, 0, "compute");
  trace.span("compute", 0, 0, 1000, 1);
  trace.span("compute", 0, 1000, 500, 1);
  trace.span("compute", 0, 1500, 500, 2);
  const Records spans = spans_of(trace.records, 100);
  REQUIRE(spans.rows.size() == 2);
  CHECK(spans.rows[0] == SpansRow{text("stage 0"), text("compute"), text("compute"),
                                  text("forward"), text("0"), text("1"), 0.0, 1.5, 1.5, 2LL});
  CHECK(spans.rows[1][5] == text("2"));
}

TEST_CASE("rows of the picture come in the order of the trace's numbers, not of their names") {
  Trace trace;
  trace.name("process_name", 2, 0, "stage 2");
  trace.name("process_name", 10, 0, "stage 10");
  trace.span("compute", 10, 0, 1, 0);
  trace.span("compute", 2, 5, 1, 0);
  const Records spans = spans_of(trace.records, 100);
  CHECK(spans.rows[0][0] == text("stage 2"));
  CHECK(spans.rows[1][0] == text("stage 10"));
}

TEST_CASE("more spans than a page shows are merged; no work and no event is lost") {
  Trace trace;
  for (int i = 0; i < 5000; ++i) trace.span(i % 7 == 0 ? "data" : "compute", 0, i * 10.0, 8.0, i);
  const Records spans = spans_of(trace.records, 800);
  CHECK(spans.rows.size() <= 800);
  CHECK(sum_of(spans, 8) == Approx(5000 * 8.0 / 1e3));  // busy seconds
  CHECK(sum_of(spans, 9) == 5000);                      // number of events
}
