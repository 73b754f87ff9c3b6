#include "sim/formats/step_logs/kernel_trace.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A kernel's event as torch.profiler exports it, with times in us.
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
  // The product takes 0-100 and the all-reduce 50-250 (50 beside the product); nothing runs in
  // 250-300, and Adam in 300-400.
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

TEST_CASE("the kinds of kernels of PyTorch 2.11, compiled or not, on an H200") {
  // Names in PyTorch's traces, cut after the part that decides the kind.
  const std::vector<std::pair<std::string, std::string>> kernels{
      {"nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NTN", "products"},
      {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16>", "products"},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16_knob_26", "attention"},
      {"void cudnn::fusion::compute_dot_do_o_specialized<true, 64>", "attention"},
      {"void cudnn::fusion::convert_dq_to_16bits<true>", "attention"},
      {"triton_red_fused__log_softmax__to_copy_prepare_softmax_online_view_0", "loss"},
      {"void at::native::(anonymous namespace)::cunn_SoftMaxBackward<4, float, float, float, "
       "at::native::(anonymous namespace)::LogSoftMaxBackwardEpilogue>",
       "loss"},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
       "namespace)::FusedOptimizerTensorListMetadata<4>",
       "optimizer"},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
       "namespace)::TensorListMetadata<1>, at::native::LpNormFunctor<float",
       "optimizer"},
      {"void at::native::detail::chunk_cat_cuda_kernel<float, c10::BFloat16>", "copies"},
      {"void at::native::vectorized_elementwise_kernel<8, at::native::bfloat16_copy_kernel_cuda("
       "at::TensorIteratorBase&)::{lambda(float)#1}",
       "copies"},
      {"Memset (Device)", "copies"},
      {"triton_per_fused__fused_rms_norm__fused_rms_norm_backward__unsafe_view_add_view_6",
       "norms"},
      {"void at::native::vectorized_elementwise_kernel<8, at::native::(anonymous "
       "namespace)::silu_backward_kernel(at::TensorIteratorBase&)::{lambda()#1}::operator()()",
       "others"},
      {"triton_poi_fused__unsafe_view_mul_silu_5", "others"}};
  for (const auto& [name, kind] : kernels) {
    INFO(name);
    const TraceSummary summary = summary_of(read_kineto(trace(kernel(name, 0, 1)), "trace.json"));
    REQUIRE(summary.kinds.size() == 1);
    CHECK(summary.kinds.front().kind == kind);
  }
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
