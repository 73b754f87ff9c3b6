#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "sim/config/library.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/yaml/named_file.hpp"
#include "tests/catch.hpp"
#include "tests/unit/model/models.hpp"

// Tests that dimensions alone give the figures that publishers state of their models.
using namespace tofn;
using namespace tofn::test;

namespace {

/// Figure in a cell as a publisher states it, with the part that the model's file leaves out or
/// adds.
struct Stated {
  std::string figure;
  double besides = 0;

  /// True if the count matches the figure, because publishers round the last digit or cut the rest.
  bool is_met_by(double count) const {
    const std::size_t end = figure.find_last_of("0123456789") + 1;
    const std::size_t point = figure.find('.');
    const double decimals = point == figure.npos ? 0 : static_cast<double>(end - point - 1);
    const double unit = *parse_count("1" + figure.substr(end)) * std::pow(10, -decimals);
    const double least = *parse_count(figure) - unit / 2;
    return count + besides >= least && count + besides < least + 1.5 * unit;
  }
};
Stated stated(const CsvRow& row, const std::string& column) {
  const std::string besides = row.text(column + "_besides");
  return {.figure = row.text(column),
          .besides = besides.empty() ? 0 : parse_count(besides).value()};
}

/// FLOPs of one sample that a workload file states.
double stated_work(std::string_view name) {
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  return total_work(library.workload(name)).total().base();
}

double relative_gap(double value, double expected) { return std::abs(value / expected - 1); }

}  // namespace

TEST_CASE("dimensions give the parameters that publishers state of each shipped model") {
  const CsvTable table = CsvTable::read(TOFN_SOURCE_DIR "/tests/validation/data/model_cards.csv");
  std::set<std::string> stated_models;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const CsvRow row(table, i);
    const std::string name = row.needed_text("model");
    const Model model = without_further_predictions(shipped_model(name));
    CAPTURE(name, parameters(model), active_parameters(model));
    CHECK(stated(row, "total").is_met_by(parameters(model)));
    if (has_experts(model)) CHECK(stated(row, "active").is_met_by(active_parameters(model)));
    CHECK_FALSE(row.needed_text("source").empty());
    stated_models.insert(name);
  }
  for (const auto& file : files_in(TOFN_SOURCE_DIR "/configs", "models"))
    CHECK(stated_models.contains(file.stem()));
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
                     stated_work("llama2_70b_lora")) < 1e-5);
  CHECK(relative_gap(model_flops(shipped_model("retinanet-resnext50")).base(),
                     stated_work("retinanet")) < 1e-5);
  CHECK(relative_gap(model_flops(shipped_model("stable-diffusion-v2")).base(),
                     stated_work("stable_diffusion")) < 1e-5);
}

TEST_CASE("a slot of BERT is two samples, but for attention across all of it") {
  // Two sequences of mean square length 512^2 / 3, against one of 512: 24 layers x 3 passes x 4 x
  // 1024 x 512^2 x (1 - 2/3). The rest is equal.
  const double attention = 24.0 * 3 * 4 * 1024 * 512 * 512 / 3;
  const double slot = model_flops(shipped_model("bert-large")).base();
  CHECK(relative_gap(slot, 2 * stated_work("bert")) < 0.03);
  CHECK(relative_gap(slot - attention, 2 * stated_work("bert")) < 1e-5);
}

TEST_CASE("ResNet-50 does 4.09 billion multiply-adds an image") {
  double forward = 0;
  for (const LayerWork& layer : layer_work(shipped_model("resnet-50"), Plan{}))
    forward += gigaflop(layer.forward) * layer.count;
  CHECK_THAT(forward / 2, WithinRel(4.09, 0.002));  // torchvision's table of weights
}

TEST_CASE("decoders follow the formula of arXiv 2205.05198") {
  // Equation 9 for a sample without recomputation: 72 L s h^2 (1 + s/6h + V/12hL).
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
