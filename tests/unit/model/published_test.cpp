#include <array>
#include <cmath>
#include <string_view>

#include "sim/config/library.hpp"
#include "tests/catch.hpp"
#include "tests/unit/model/models.hpp"

// Dimensions alone must give what publishers state of their models.
using namespace tofn;
using namespace tofn::test;

namespace {

struct Published {
  std::string_view model;
  double parameters;
};
constexpr std::array published_parameters{
    Published{"llama3-8b", 8'030'261'248},  // model cards and index files of Hugging Face
    Published{"llama3-70b", 70'553'706'496},
    Published{"llama3-405b", 405'853'388'800},
    Published{"mixtral-8x7b", 46'702'792'704},
    Published{"bloom-176b", 176'247'271'424},
    Published{"deepseek-v3", 671'026'419'200},
    Published{"falcon-180b", 179'522'565'120},  // model card of tiiuae/falcon-180B
    Published{"gpt3-175b", 174'600e6},          // arXiv 2005.14165, table D.1
    Published{"resnet-50", 25'557'032},         // torchvision's table of weights
    Published{"bert-large", 336'226'108},       // with the pooler and both heads; 334 M without
    Published{"stable-diffusion-v2", 865.91e6},
    Published{"retinanet-resnext50", 37'060'652},
    Published{"megatron-22b", 22.0e9},  // arXiv 2205.05198, table 3
    Published{"megatron-530b", 529.6e9},
    Published{"megatron-1t", 1008.0e9}};

/// Arithmetic of one sample that a workload file states.
double stated(std::string_view name) {
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  return total_work(library.workload(name)).total().base();
}

double relative_gap(double value, double expected) { return std::abs(value / expected - 1); }

}  // namespace

TEST_CASE("dimensions give the published parameters") {
  for (const auto& [name, count] : published_parameters) {
    INFO(name);
    CHECK(relative_gap(parameters(without_further_predictions(shipped_model(name))), count) <
          0.005);
  }
}

TEST_CASE("whatever is not frozen trains") {
  const Model lora = shipped_model("llama2-70b-lora");
  CHECK(trainable_parameters(lora) == 44'564'480);
  CHECK(parameters(lora) - trainable_parameters(lora) == 68'976'648'192);
  CHECK(trainable_parameters(shipped_model("retinanet-resnext50")) == 36'849'004);
  const Model gpt3 = shipped_model("gpt3-175b");
  CHECK(trainable_parameters(gpt3) == parameters(gpt3));
}

TEST_CASE("dimensions give the work that the workload files state") {
  CHECK(relative_gap(model_flops(shipped_model("llama2-70b-lora")).base(),
                     stated("llama2_70b_lora")) < 1e-5);
  CHECK(relative_gap(model_flops(shipped_model("retinanet-resnext50")).base(),
                     stated("retinanet")) < 1e-5);
  CHECK(relative_gap(model_flops(shipped_model("stable-diffusion-v2")).base(),
                     stated("stable_diffusion")) < 1e-5);
}

TEST_CASE("a slot of BERT is two samples, but for attention across all of it") {
  // Two sequences of mean square length 512^2 / 3 against one of 512: 24 layers x 3 passes x
  // 4 x 1024 x 512^2 x (1 - 2/3). All else is equal.
  const double attention = 24.0 * 3 * 4 * 1024 * 512 * 512 / 3;
  const double slot = model_flops(shipped_model("bert-large")).base();
  CHECK(relative_gap(slot, 2 * stated("bert")) < 0.03);
  CHECK(relative_gap(slot - attention, 2 * stated("bert")) < 1e-5);
}

TEST_CASE("ResNet-50 does 4.09 billion multiply-adds an image") {
  double forward = 0;
  for (const LayerWork& layer : layer_work(shipped_model("resnet-50"), Plan{}))
    forward += gigaflop(layer.forward) * layer.count;
  CHECK_THAT(forward / 2, WithinRel(4.09, 0.002));  // torchvision's table of weights
}

TEST_CASE("decoders follow the formula of arXiv 2205.05198") {
  // Equation 9, per sample and without recomputation: 72 L s h^2 (1 + s/6h + V/12hL).
  const auto formula = [](double layers, double h, double s, double vocabulary) {
    return 72 * layers * s * h * h * (1 + s / (6 * h) + vocabulary / (12 * h * layers));
  };
  CHECK_THAT(model_flops(shipped_model("megatron-22b")).base(),
             WithinRel(formula(48, 6144, 2048, 51200), 1e-9));
  CHECK_THAT(model_flops(shipped_model("megatron-1t")).base(),
             WithinRel(formula(128, 25600, 2048, 51200), 1e-9));
}

TEST_CASE("a decoder does 6 N FLOP a token and its attention") {
  const Model model = shipped_model("llama3-8b");
  const double tokens = 8192;
  const double products = parameters(model) - 128256.0 * 4096 - (2 * 32 + 1) * 4096.0;
  const double attention = 32 * 3.0 * 2 * tokens * tokens * 4096;  // the causal half of 4 s^2 h
  CHECK_THAT(model_flops(model).base(), WithinRel(6 * products * tokens + attention, 1e-9));
}

TEST_CASE("a mixture works with the experts that a token is sent to") {
  const Model model = shipped_model("mixtral-8x7b");
  const double tokens = 32768;
  const double active = 12.879e9;  // arXiv 2401.04088: 13 B of 47 B
  const double attention = 32 * 3.0 * 2 * tokens * tokens * 4096;
  const double table = 32000.0 * 4096;
  CHECK_THAT(model_flops(model).base(),
             WithinRel(6 * (active - table) * tokens + attention, 0.001));
}
