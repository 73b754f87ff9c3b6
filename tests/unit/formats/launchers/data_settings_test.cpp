#include <fstream>
#include <vector>

#include "sim/formats/launchers/launch_writer.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/formats/launchers/settings.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("YAML and JSON become dotted keys with their places") {
  const LaunchFile yaml = read_launch_text(
      "trainer:\n  devices: 8\n  fast: True\nmodel:\n  sizes: [1, 2]\n  none: ~\n"
      "  list:\n    - name: a\n    - name: b\n  text: 'True'\n",
      "run.yaml");
  CHECK(yaml.format == LaunchFormat::Yaml);
  CHECK(value_of(yaml, "trainer.devices") == "8");
  CHECK(place_of(yaml, "trainer.devices") == "run.yaml:2:12");
  CHECK(value_of(yaml, "trainer.fast") == "true");
  CHECK(value_of(yaml, "model.sizes") == "1 2");
  CHECK(value_of(yaml, "model.none") == "null");
  CHECK(value_of(yaml, "model.list.1.name") == "b");
  CHECK(value_of(yaml, "model.text") == "True");
  const LaunchFile json =
      read_launch_text("{\"zero\": {\"stage\": 3, \"lr\": 1e-5}, \"size\": \"auto\"}", "ds.json");
  CHECK(json.format == LaunchFormat::Json);
  CHECK(value_of(json, "zero.stage") == "3");
  CHECK(value_of(json, "zero.lr") == "1e-5");
  CHECK(value_of(json, "size") == "auto");
}

TEST_CASE("numbers of YAML may have underscores between their digits, texts and JSON keep theirs") {
  const LaunchFile yaml = read_launch_text(
      "steps: 150_001\nless: -1_000\nrate: 1_000.5\nsizes: [1_024, 2]\nquoted: '1_000'\n"
      "name: 8b_16\nprivate: _1\nversion: 1_0.0.1\n",
      "run.yml");
  CHECK(value_of(yaml, "steps") == "150001");
  CHECK(value_of(yaml, "less") == "-1000");
  CHECK(value_of(yaml, "rate") == "1000.5");
  CHECK(value_of(yaml, "sizes") == "1024 2");
  CHECK(value_of(yaml, "quoted") == "1_000");
  CHECK(value_of(yaml, "name") == "8b_16");
  CHECK(value_of(yaml, "private") == "_1");
  CHECK(value_of(yaml, "version") == "1_0.0.1");
  CHECK(value_of(read_launch_text("{\"steps\": 150_001}", "ds.json"), "steps") == "150_001");
}

TEST_CASE("references of YAML are followed, and the others listed") {
  const LaunchFile file = read_launch_text(
      "variables:\n  length: 2048\nlength: ${variables.length}\nmodel:\n  hidden: 64\n"
      "  ffn: ${multiply:4, ${.hidden}}\n  less: ${sum:${.hidden},-1}\n"
      "  path: ${oc.env:HOME, /x}/${.hidden}\n  again: ${length}\n  loop: ${.loop}\n"
      "  other: ${run.id}\nuser: ${USER_NAME:root}\n",
      "run.yaml");
  CHECK(value_of(file, "length") == "2048");
  CHECK(value_of(file, "model.ffn") == "256");
  CHECK(value_of(file, "model.less") == "63");
  CHECK(value_of(file, "model.path") == "/x/64");
  CHECK(value_of(file, "model.again") == "2048");
  CHECK(value_of(file, "user") == "root");
  CHECK(unknown_of(file, "model.loop") ==
        "run.yaml:10:9: ${.loop} (this reference is not understood)");
  CHECK(unknown_of(file, "model.other") ==
        "run.yaml:11:10: ${run.id} (this reference is not understood)");
}

TEST_CASE("a YAML file stands over the base that it names") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("base.yml")) << "steps: 10\nsize: 2\n";
  std::ofstream(folder.file("run.yml")) << "base_config: base.yml\nsteps: 30\n";
  const LaunchFile file = read_launch_file(folder.file("run.yml"));
  CHECK(value_of(file, "steps") == "30");
  CHECK(value_of(file, "size") == "2");
  std::ofstream(folder.file("self.yml")) << "base_config: self.yml\n";
  CHECK(refusal([&] { read_launch_file(folder.file("self.yml")); }) ==
        folder.file("self.yml") + ": files name one another without an end");
  CHECK(unknown_of(read_launch_text("base_config: gone.yml\n", "a.yml"), "base_config") ==
        "a.yml:1:14: gone.yml (this file is not here)");
}

TEST_CASE("TOML becomes dotted keys with their places") {
  const LaunchFile file = read_launch_text(
      "# a comment\n[training]\nsteps = 1_000\nlr = 8e-5\n[compile]\nenable=true\n"
      "components = [\"model\", \"loss\"]\n[a.b]\nname = 'x y' # \u00e9\nword = 'h\u00e9 \u4e00 "
      "\U0001F600'\n",
      "run.toml");
  CHECK(file.format == LaunchFormat::Toml);
  CHECK(value_of(file, "training.steps") == "1000");
  CHECK(place_of(file, "training.steps") == "run.toml:3:9");
  CHECK(value_of(file, "training.lr") == "8e-05");
  CHECK(value_of(file, "compile.enable") == "true");
  CHECK(value_of(file, "compile.components") == "model loss");
  CHECK(value_of(file, "a.b.name") == "x y");
  CHECK(value_of(file, "a.b.word") == "h\u00e9 \u4e00 \U0001F600");
  CHECK(refusal([] {
          read_launch_text("[a]\n\u00e9 = 1\n", "run.toml");
        }).starts_with("run.toml:2:1: "));
  CHECK(refusal([] {
          read_launch_text("[a]\nb = 1\nb = 2\n", "run.toml");
        }).starts_with("run.toml:3:"));
  CHECK(refusal([] { read_launch_text("[~a[b]\n", "run.toml"); }) == "run.toml: is no TOML");
  const std::string deep = "a = " + std::string(5000, '[');
  CHECK(refusal([&] { read_launch_text(deep, "run.toml"); }).starts_with("run.toml:1:"));
}

TEST_CASE("what is written reads back as it was") {
  const std::vector<LaunchSetting> settings{{"model.name", "llama \"3\"", {}},
                                            {"model.layers", "32", {}},
                                            {"model.rope.theta", "5e5", {}},
                                            {"model.bias", "false", {}},
                                            {"steps", "10", {}},
                                            {"compile.components", "model loss", {}, true},
                                            {"compile.sizes", "1 2", {}, true}};
  const std::vector<std::pair<std::string, std::string>> texts{{"a.json", write_json(settings)},
                                                               {"a.toml", write_toml(settings)}};
  for (const auto& [path, text] : texts) {
    INFO(text);
    const LaunchFile file = read_launch_text(text, path);
    for (const LaunchSetting& setting : settings)
      if (setting.value == "5e5" && path == "a.toml")
        CHECK(value_of(file, setting.key) == "500000");
      else
        CHECK(value_of(file, setting.key) == setting.value);
    CHECK(file.not_understood.empty());
  }
}

TEST_CASE("a command that is written reads back as it was") {
  const std::vector<std::string> front{"torchrun", "--nproc_per_node", "8", "train.py"};
  const std::vector<LaunchSetting> settings{{"layers", "32", {}},
                                            {"name", "it's $5", {}},
                                            {"modules", "mlp moe", {}, true},
                                            {"swiglu", "", {}}};
  for (const OptionStyle style : {OptionStyle::Dashed, OptionStyle::Joined}) {
    const LaunchFile file = read_launch_text(write_command(front, settings, style), "a.sh");
    for (const LaunchSetting& setting : settings)
      CHECK(value_of(file, setting.key) == setting.value);
    CHECK(value_of(file, "torchrun.nproc_per_node") == "8");
  }
  const std::vector<std::string> python{"python3", "-m", "maxtext.train", "base.yml"};
  const std::vector<LaunchSetting> pairs{{"steps", "5", {}}, {"quantization", "", {}}};
  const std::string text = write_command(python, pairs, OptionStyle::Pairs);
  CHECK(text == "python3 -m maxtext.train base.yml \\\n    steps=5 \\\n    quantization=''\n");
  CHECK(value_of(read_launch_text(text, "a.sh"), "quantization").empty());
}
