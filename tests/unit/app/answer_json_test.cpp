#include "sim/app/answer_json.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

nlohmann::json answered(const nlohmann::json& question) {
  return nlohmann::json::parse(answer_json(question.dump()));
}

std::string refusal(const nlohmann::json& question) {
  const auto answer = answered(question);
  CHECK(answer["exit_code"] == 2);
  CHECK(!answer.contains("rows"));
  return answer["error"];
}

const nlohmann::json bert{{"command", "predict"},
                          {"arguments", {"bert", "dgx-h100"}},
                          {"options", {{"accelerators", 64}}}};

nlohmann::json with(const char* key, const nlohmann::json& value) {
  nlohmann::json changed = bert;
  changed[key] = value;
  return changed;
}

}  // namespace

TEST_CASE("a question of a page gets rows, text and the command line that asks the same", "[app]") {
  const auto answer = answered(bert);
  CHECK(answer["exit_code"] == 0);
  CHECK(answer["command_line"] ==
        nlohmann::json{"predict", "bert", "dgx-h100", "--accelerators=64"});
  REQUIRE(answer["rows"].size() == 1);
  CHECK(answer["rows"][0]["accelerators"] == 64);
  CHECK_THAT(answer["text"].get<std::string>(), ContainsText("bert on 64 x H100"));
}

TEST_CASE("what is no question is refused", "[app]") {
  for (const char* text : {"", "{", "[]", "3", "\"predict\"", "\xff\xfe"}) {
    const auto answer = nlohmann::json::parse(answer_json(text));
    CHECK(answer["error"] == "question: expected a JSON object");
  }
  CHECK_THAT(refusal({{"command", 3}}), ContainsText("command: expected a name"));
  CHECK_THAT(refusal(with("command", "calibrate")),
             ContainsText("unknown page command 'calibrate'"));
  CHECK_THAT(refusal(with("arguments", "bert")), ContainsText("arguments: expected a list"));
  CHECK_THAT(refusal(with("arguments", {3})), ContainsText("arguments: expected a list"));
  CHECK_THAT(refusal(with("options", {1})), ContainsText("options: expected names"));
  CHECK_THAT(refusal(with("options", {{"batch", {{"a", 1}}}})), ContainsText("an option is"));
  CHECK_THAT(refusal(with("options", {{"bach", 1}})), ContainsText("unknown option 'bach'"));
}

TEST_CASE("a page neither writes nor names files of this machine", "[app]") {
  for (const char* option : {"output", "trace", "save-plan", "save_plan", "configs", "from"})
    CHECK_THAT(refusal(with("options", {{option, "x"}})), ContainsText("is for the command line"));
  for (const char* name :
       {"/etc/passwd", "../x", "x.yaml", "a/b", ".hidden", "--help", "a b.csv"}) {
    CHECK_THAT(refusal(with("arguments", {name, "dgx-h100"})),
               ContainsText("names no file of the question"));
    CHECK_THAT(refusal(with("options", {{"plan", name}})),
               ContainsText("names no file of the question"));
  }
}

TEST_CASE("a question may bring its files, which are gone after it", "[app]") {
  const std::string config = R"({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 4,
    "num_attention_heads": 8, "intermediate_size": 4096, "vocab_size": 32000,
    "max_position_embeddings": 2048, "torch_dtype": "bfloat16"})";
  const auto answer = answered({{"command", "predict"},
                                {"arguments", {"config.json", "dgx-h100"}},
                                {"options", {{"tokens", "1B"}}},
                                {"files", {{"config.json", config}}}});
  REQUIRE(answer["exit_code"] == 0);
  CHECK(answer["command_line"][1] == "config.json");
  const auto wrong = refusal({{"command", "predict"},
                              {"arguments", {"config.json", "dgx-h100"}},
                              {"files", {{"config.json", "{"}}}});
  CHECK_THAT(wrong, ContainsText("config.json"));
  CHECK_THAT(wrong, !ContainsText(std::filesystem::temp_directory_path().string()));
  CHECK_THAT(refusal(with("files", {{"../a", "x"}})), ContainsText("a name has no path"));
  CHECK_THAT(refusal(with("files", {{"a", 1}})), ContainsText("expected names and texts"));
}

TEST_CASE("a page is offered names, and no option that writes", "[app]") {
  const auto offers = nlohmann::json::parse(offers_json());
  for (const char* list : {"clusters", "models", "workloads", "runs", "stacks", "figures"})
    CHECK(offers[list].size() > 5);
  for (const auto& command : offers["commands"])
    for (const auto& option : command["options"]) CHECK(option["name"] != "output");
}
