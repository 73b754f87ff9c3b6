#include "tofn/commands.hpp"

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tofn/error.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("each command is a function", "[library]") {
  CHECK(predict("bert", "dgx-h100", {{"accelerators", 64}}).number("accelerators") == 64);
  CHECK(step("llama3-8b", "dgx-h100", {{"accelerators", 8}, {"batch", 64}}).number("step_s") > 0);
  CHECK(scale("bert", "dgx-h100", {{"accelerators", "8..64"}}).size() == 12);
  CHECK(plan("llama3-8b", {"dgx-h100"}, {{"tokens", "1B"}, {"accelerators", 8}}).size() > 0);
  CHECK(collective("dgx-h100", {{"ranks", 8}, {"size", "25MiB"}}).size() > 0);
  CHECK(list("clusters").size() > 10);
  CHECK(list().has("entries"));
  CHECK_THAT(version(), ContainsText("("));
}

TEST_CASE("a figure that only a workload or only a model has says why in its meaning",
          "[library]") {
  const Answer workload = predict("bert", "dgx-h100", {{"accelerators", 64}, {"price", 2}});
  const Answer model =
      predict("llama3-8b", "dgx-h100", {{"accelerators", 64}, {"tokens", "100B"}, {"price", 2}});
  const Answer figures = list("figures");
  int lacking = 0;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::string name = figures.words("figure", i);
    // Substitutions and checkpoints depend on the question, not on the kind of run.
    if (!workload.has(name) || name == "substituted" || name == "checkpoint_every_min") continue;
    const bool is_of_both = workload.words(name).empty() == model.words(name).empty();
    if (is_of_both || name.ends_with("_basis")) continue;
    INFO(name << ": " << figures.words("meaning", i));
    ++lacking;
    const bool is_end = name.ends_with("_low90") || name.ends_with("_high90");
    CHECK((is_end || figures.words("meaning", i).find(';') != std::string::npos));
  }
  CHECK(lacking > 30);
}

TEST_CASE("a sweep may be text, whose mistakes name a place and no file of ours", "[library]") {
  const std::string yaml =
      "format: 2\nname: sizes\ntitle: Two sizes\nbase: {model: llama3-8b, cluster: dgx-h100, "
      "batch: 64}\n"
      "axes:\n  - accelerators: [8, 16]\ncolumns: [step_s]\n";
  CHECK(sweep_text(yaml).numbers("accelerators") == std::vector<double>{8, 16});
  CHECK_THROWS_WITH(sweep_text(yaml + "bach: 3\n"), ContainsText("sweep.yaml:8:1: unknown key"));
  CHECK_THROWS_WITH(sweep_text(yaml + "bach: 3\n"), !ContainsText("/"));
}

TEST_CASE("a calibration is written to its file, and the answer comes back", "[library]") {
  const TemporaryFolder folder;
  const std::string log = TOFN_SOURCE_DIR "/tests/measurements/azure-1x8-allreduce-busbw.txt";
  const std::string output = folder.file("own.yaml");
  const Answer fitted = calibrate({log}, output);
  CHECK(fitted.size() > 0);
  CHECK(std::filesystem::exists(output));
}
