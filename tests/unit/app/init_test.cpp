#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/app/answered.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/records.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string starter(const std::vector<std::string>& words, Options options = {}) {
  return tofn::answered({.command = "init", .arguments = words, .options = std::move(options)})
      .answer.text;
}

struct Written {
  TemporaryFolder folder;
  std::string cluster = file("cluster.yaml"), model = file("model.yaml"), run = file("run.yaml"),
              sweep = file("sweep.yaml");

  std::string file(const char* name) const { return (folder.path() / name).string(); }
  Written() {
    // The folder stands for a machine that shows nothing, so that the test is equal everywhere.
    starter({"cluster"}, {{"output", cluster}, {"root", folder.path().string()}});
    starter({"model"}, {{"output", model}});
    starter({"run", model}, {{"output", run}});
    starter({"sweep", model}, {{"output", sweep}});
  }
};

std::string predicted(const Written& files, const std::string& job) {
  Options options{{"accelerators", 64}};
  if (job == files.model) options.emplace_back("tokens", "1T");
  const auto records =
      tofn::answered({.command = "predict", .arguments = {job, files.cluster}, .options = options})
          .answer.records;
  return to_csv(records);
}

/// Replaces a value, which the file must have, by another.
void change(const std::string& file, const std::string& before, const std::string& after) {
  std::string text = read_text_file(file);
  const std::size_t place = text.find(before);
  REQUIRE(place != std::string::npos);
  write_text_file_atomically(file, text.replace(place, before.size(), after));
}

}  // namespace

TEST_CASE("starters are read and answer as they are", "[app]") {
  const Written files;
  const auto checked = tofn::answered(
      {.command = "check", .arguments = {files.cluster, files.model, files.run, files.sweep}});
  CHECK(checked.answer.exit_code == 0);
  CHECK_FALSE(predicted(files, files.model).empty());
  CHECK_FALSE(predicted(files, files.run).empty());
  const auto swept = tofn::answered({.command = "sweep", .arguments = {files.sweep}});
  CHECK(swept.answer.records.rows.size() == 6);  // three sizes with two networks
}

TEST_CASE("a starter has the head size where it is not the width over the heads", "[app]") {
  CHECK_THAT(starter({"model"}, {{"of", "gemma2-27b"}}), ContainsText("\n      head_size: 128"));
  CHECK_THAT(starter({"model"}, {{"of", "llama3-8b"}}), !ContainsText("head_size"));
}

TEST_CASE("a model without experts has no keys of experts", "[app]") {
  CHECK_THAT(starter({"model"}), !ContainsText("\n      experts: "));
}

TEST_CASE("a value that is changed in a starter changes the answer", "[app]") {
  struct Change {
    std::string Written::*file;
    std::string before, after;
  };
  std::string of_model, of_run;
  {
    const Written untouched;  // removed before the next, which uses the same folder
    of_model = predicted(untouched, untouched.model);
    of_run = predicted(untouched, untouched.run);
  }
  for (const Change& each : std::vector<Change>{
           {&Written::cluster, "nic_bandwidth: 400 Gb/s", "nic_bandwidth: 25 Gb/s"},
           {&Written::cluster, "bandwidth: 450 GB/s", "bandwidth: 45 GB/s"},
           {&Written::cluster, "accelerator: \"H100 SXM\"", "accelerator: A100 SXM 80GB"},
           {&Written::model, "layers: 32", "layers: 16"},
           {&Written::model, "feed_forward: 14336", "feed_forward: 8192"}}) {
    INFO(each.after);
    const Written files;
    change(files.*each.file, each.before, each.after);
    CHECK(predicted(files, files.model) != of_model);
  }
  for (const auto& [before, after] :
       {std::pair{"trains: 1T", "trains: 2T"}, std::pair{"batch: 4M", "batch: 8M"},
        std::pair{"start_up: 5 min", "start_up: 5 h"}, std::pair{"every: 50700 h", "every: 700 h"},
        std::pair{"takes: 15 s", "takes: 150 s"}, std::pair{"every: 1000 steps", "every: 10 steps"},
        std::pair{"# plan:", "plan: {sharded: parameters, recompute: full}\n# plan:"}}) {
    INFO(after);
    const Written files;
    change(files.run, before, after);
    CHECK(predicted(files, files.run) != of_run);
  }
}

TEST_CASE("a cluster's starter says what was seen and what is assumed", "[app]") {
  const TemporaryFolder root;
  const Options of_root{{"root", root.path().string()}};
  CHECK_THAT(starter({"cluster"}, of_root), ContainsText("No accelerator was seen here"));
  Options stated = of_root;
  stated.emplace_back("accelerator", "H200 SXM");
  const std::string by_request = starter({"cluster"}, stated);
  CHECK_THAT(by_request, ContainsText("# No accelerator was seen here: their number in a machine "
                                      "is ASSUMED, replace it.\n"));
  CHECK_THAT(by_request, ContainsText("# stated; `tofn list accelerators`\n"));
  for (const char* place : {"0", "1", "2", "3"}) {
    const auto gpu = root.path() / "proc/driver/nvidia/gpus" / place;
    std::filesystem::create_directories(gpu);
    std::ofstream(gpu / "information") << "Model: \t NVIDIA A100-SXM4-80GB\n";
  }
  const std::string text = starter({"cluster"}, of_root);
  CHECK_THAT(text, ContainsText("# Seen: 4 x NVIDIA A100-SXM4-80GB (/proc/driver/nvidia)."));
  CHECK_THAT(text, ContainsText("accelerators: 4 [seen]"));
  CHECK_THAT(text, ContainsText("accelerator: \"A100 SXM 80GB\""));
  CHECK_THAT(text, ContainsText("nic_bandwidth: 400 Gb/s [assumed]"));
}

TEST_CASE("a config.json becomes a file of parts with as many parameters", "[app]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "config.json") << R"({
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 1024,
    "intermediate_size": 2816, "num_hidden_layers": 12, "num_attention_heads": 16,
    "num_key_value_heads": 4, "vocab_size": 32000, "max_position_embeddings": 2048,
    "hidden_act": "silu", "torch_dtype": "bfloat16", "tie_word_embeddings": false})";
  const std::string file = (folder.path() / "small.yaml").string();
  starter({"model", folder.path().string()}, {{"output", file}});
  const auto checked = [](const std::string& name) {
    return tofn::answered({.command = "check", .arguments = {name}}).answer.text;
  };
  const auto figures = [](const std::string& text) { return text.substr(text.find("(model")); };
  const std::string source = checked((folder.path() / "config.json").string());
  CHECK(figures(checked(file)).substr(0, 30) == figures(source).substr(0, 30));
}

TEST_CASE("no starter is written over a file, and mistakes are told", "[app]") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "m.yaml").string();
  starter({"model"}, {{"output", file}});
  CHECK(refusal([&] {
          starter({"model"}, {{"output", file}});
        }) == "--output: " + file + " exists: --force writes over it");
  CHECK(refusal([&] { starter({"model"}, {{"output", file}, {"force", true}}); }) == "accepted");
  CHECK(refusal([] { starter({"clutser"}); }) ==
        "unknown starter 'clutser', did you mean 'cluster'? valid starters: cluster, model, run, "
        "sweep");
  CHECK(refusal([] {
          starter({"cluster", "llama3-8b"});
        }) == "of: a cluster is made of what this machine shows: leave it out");
  CHECK(refusal([] { starter({"model"}, {{"root", "/x"}}); }) == "--root: is of a cluster");
  CHECK_THAT(refusal([] {
               starter({"model", "resnet-50"});
             }),
             ContainsText("not all of it can be written as a file of parts"));
  CHECK_THAT(refusal([] {
               starter({"cluster"}, {{"accelerator", "H1000"}});
             }),
             ContainsText("--accelerator: unknown accelerator 'H1000'"));
}
