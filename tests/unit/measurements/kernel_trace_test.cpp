#include "sim/measurements/kernel_trace.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// An event as torch.profiler exports it, times in us.
std::string kernel(const std::string& name, double start, double duration, int device = 0) {
  return R"({"ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": )" +
         std::to_string(device) + R"(, "tid": 7, "ts": )" + std::to_string(start) + R"(, "dur": )" +
         std::to_string(duration) + R"(, "args": {"device": )" + std::to_string(device) +
         R"(, "stream": 7}})";
}

std::string trace(const std::string& events) {
  return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": [)" + events +
         "]}";
}

constexpr double exact = 1e-9;

}  // namespace

TEST_CASE("a trace of PyTorch: what is exposed, hidden and idle") {
  // a product 0-100, an all-reduce 50-250 (50 beside the product), nothing 250-300, Adam 300-400
  const std::string text = trace(
      kernel("sm90_xmma_gemm_bf16", 0, 100) + "," +
      kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 50, 200) + "," +
      kernel("multi_tensor_apply_kernel<AdamFunctor>", 300, 100) +
      R"(, {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "ts": 0, "dur": 400})"
      R"(, {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 0, "dur": 9000})");
  CHECK(is_kineto(text));
  const KernelTrace read = read_kineto(text, "trace.json");
  REQUIRE(read.steps.size() == 1);
  CHECK_THAT(read.steps.front(), WithinRel(400e-6, exact));
  const TraceSummary summary = summary_of(read);
  CHECK(summary.devices == 1);
  CHECK_THAT(summary.span, WithinRel(400e-6, exact));
  CHECK_THAT(summary.busy, WithinRel(350e-6, exact));
  CHECK_THAT(summary.gaps, WithinRel(50e-6, 1e-6));
  CHECK_THAT(summary.exposed, WithinRel(150e-6, 1e-6));
  CHECK_THAT(summary.hidden, WithinRel(50e-6, 1e-6));
  REQUIRE(summary.kinds.size() == 3);
  CHECK(summary.kinds.front().kind == "communication");
}

TEST_CASE("two devices: means of both") {
  const TraceSummary summary = summary_of(
      read_kineto(trace(kernel("gemm", 0, 100) + "," + kernel("gemm", 0, 300, 1)), "trace.json"));
  CHECK(summary.devices == 2);
  CHECK_THAT(summary.span, WithinRel(200e-6, exact));
  CHECK_THAT(summary.kinds.front().seconds, WithinRel(200e-6, exact));
}

TEST_CASE("a trace that was cut off, or without kernels, is refused") {
  CHECK(refusal([] { read_kineto(R"({"traceEvents": [{"ph": "X")", "t.json"); }) ==
        "t.json: is no JSON: a trace that was cut off?");
  CHECK(refusal([] { read_kineto(trace(""), "t.json"); }) ==
        "t.json: a trace without kernels: was ProfilerActivity.CUDA on?");
}

TEST_CASE("an event whose length is no number takes no time") {
  const std::string text =
      trace(kernel("gemm", 0, 100) +
            R"(, {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 100, )"
            R"("dur": "900", "args": {"device": 0, "stream": 7}})");
  CHECK_THAT(summary_of(read_kineto(text, "trace.json")).busy, WithinRel(100e-6, exact));
}
