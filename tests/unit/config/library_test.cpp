#include "sim/config/library.hpp"

#include "sim/core/error.hpp"
#include "sim/yaml/named_file.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Library& library() {
  static const Library loaded = Library::load(TOFN_SOURCE_DIR "/configs");
  return loaded;
}

std::string accelerator(std::string_view name) {
  const Accelerator* found = library().find_accelerator(name);
  return found != nullptr ? found->name : "none";
}
std::string workload_named(std::string_view name) {
  const Workload* found = library().find_workload(name);
  return found != nullptr ? found->name : "none";
}
std::string cluster_of(std::string_view organisation, std::string_view system,
                       std::string_view accelerator_name) {
  const Accelerator* built_of = library().find_accelerator(accelerator_name);
  if (built_of == nullptr) return "no accelerator " + std::string(accelerator_name);
  const Cluster* found = library().cluster_of_system(organisation, system, *built_of);
  return found != nullptr ? found->name : "none";
}

}  // namespace

TEST_CASE("a star stands for any text, and case does not matter") {
  CHECK(matches_pattern("abc", "abc"));
  CHECK(matches_pattern("abc", "ABC"));
  CHECK(matches_pattern("*", ""));
  CHECK(matches_pattern("*", "anything"));
  CHECK(matches_pattern("NVIDIA/eos*", "nvidia/eos_n64"));
  CHECK(matches_pattern("*h100*", "Dell/XE9680xH100-SXM"));
  CHECK(matches_pattern("a*b*c", "a--b--b--c"));
  CHECK(matches_pattern("a**c", "abc"));
  CHECK(matches_pattern("", ""));
  CHECK_FALSE(matches_pattern("", "a"));
  CHECK_FALSE(matches_pattern("abc", "abcd"));
  CHECK_FALSE(matches_pattern("abc", "ab"));
  CHECK_FALSE(matches_pattern("a*c", "ab"));
  CHECK_FALSE(matches_pattern("*eos", "eos_n64"));
}

TEST_CASE("workloads are found by name and alias") {
  CHECK(workload_named("retinanet") == "retinanet");
  CHECK(workload_named("ssd") == "retinanet");
  CHECK(workload_named("SSD") == "retinanet");
  CHECK(workload_named("bert") == "bert");
  CHECK(workload_named("lora") == "llama2_70b_lora");
  CHECK(workload_named("llama2-70b-lora") == "llama2_70b_lora");  // spelling of published tables
  CHECK(workload_named("stable-diffusion") == "stable_diffusion");
  CHECK(workload_named("bert-") == "bert");
  CHECK(workload_named("gpt") == "none");
  CHECK(workload_named("") == "none");
}

TEST_CASE("workloads are found by the model that they run") {
  const auto names = [](std::string_view model) {
    std::vector<std::string> all;
    for (const Workload* each : library().workloads_of(model)) all.push_back(each->name);
    return all;
  };
  for (const Workload& workload : library().workloads())
    CHECK(names(workload.model) == std::vector{workload.name});
  CHECK(names("llama3-70b").empty());
  CHECK(names("bert").empty());
}

TEST_CASE("no shipped name means two jobs") {
  std::map<std::string, std::string> meaning;
  const auto add = [&](const std::string& name, const std::string& what) {
    INFO(name << ": " << meaning[name] << " and " << what);
    CHECK(meaning[name].empty());
    meaning[name] = what;
  };
  for (const char* folder : {"models", "runs"})
    for (const auto& file : files_in(TOFN_SOURCE_DIR "/configs", folder))
      add(file.stem().string(), folder);
  for (const Workload& workload : library().workloads()) {
    add(workload.name, "workloads");
    for (const std::string& alias : workload.aliases) add(alias, "aliases of workloads");
  }
  CHECK(meaning.size() > 25);
}

TEST_CASE("accelerators are found as published tables write them") {
  CHECK(accelerator("H100 SXM") == "H100 SXM");
  CHECK(accelerator("H100 80GB HBM3") == "H100 SXM");
  CHECK(accelerator("NVIDIA H100-SXM5-80GB") == "H100 SXM");
  CHECK(accelerator("nvidia h100 sxm5 80gb") == "H100 SXM");
  CHECK(accelerator("NVIDIA H200-SXM5-141GB") == "H200 SXM");
  CHECK(accelerator("NVIDIA A100 - PCIe - 80 GB") == "A100 PCIe 80GB");
  CHECK(accelerator("H100 NVL Tensor Core GPU (PCIe)") == "H100 NVL");
  CHECK(accelerator("TPU-v5p") == "TPU v5p");
  CHECK(accelerator("H9000") == "none");
  CHECK(accelerator("") == "none");
}

TEST_CASE("the longest pattern of a system decides, among clusters with its accelerator") {
  CHECK(cluster_of("NVIDIA", "eos_n64_ngc24.09_nemo", "H100 SXM") == "dgx-h100");
  CHECK(cluster_of("Dell", "XE8640x4H100-SXM-80GB", "H100 SXM") == "hgx-h100-4gpu");
  CHECK(cluster_of("Dell", "8xXE9680x8H100-SXM-80GB", "H100 SXM") == "dell-xe9680-h100");
  CHECK(cluster_of("NVIDIA", "eos_n64_ngc24.09_nemo", "A100 SXM 80GB") != "dgx-h100");
}

TEST_CASE("a name that nothing bears is refused with the names that there are") {
  CHECK(&library().workload("ssd") == library().find_workload("retinanet"));
  CHECK_THROWS_AS(library().workload("brt"), InputError);
  CHECK_THROWS_WITH(library().workload("brt"),
                    Equals("unknown workload 'brt', did you mean 'bert'? valid workloads: bert, "
                           "deepseekv3_671b, flux1, gpt3, gpt_oss_20b, llama2_70b_lora, "
                           "llama31_405b, llama31_8b, retinanet, stable_diffusion"));
}

TEST_CASE("an accelerator in place of a cluster is refused with the clusters that have it") {
  Library loaded = Library::load(TOFN_SOURCE_DIR "/configs");
  for (const char* name : {"h100-sxm", "H100 SXM"})
    CHECK_THAT(refusal([&] { loaded.cluster(name); }),
               ContainsText("H100 SXM is an accelerator; clusters with it: ") &&
                   ContainsText(", dgx-h100, "));
  CHECK(refusal([&] { loaded.cluster("gh200-144gb"); }) ==
        "GH200 144GB is an accelerator; no cluster has it: `tofn init cluster --accelerator 'GH200 "
        "144GB'` begins the file of one");
}

TEST_CASE("a folder that is not there is refused") {
  CHECK_THROWS_WITH(Library::load("/nowhere"),
                    Equals("/nowhere/accelerators: cannot be read: No such file or directory; "
                           "--configs or TOFN_CONFIGS says where the configs are"));
}

TEST_CASE("names and aliases of the library are unambiguous") {
  for (const Accelerator& each : library().accelerators()) {
    CHECK(library().find_accelerator(each.name) == &each);
    for (const std::string& alias : each.aliases) {
      INFO(alias);
      CHECK(library().find_accelerator(alias) == &each);
    }
  }
  for (const Cluster& each : library().clusters())
    CHECK(library().find_cluster(each.name) == &each);
  for (const Workload& each : library().workloads()) {
    CHECK(library().find_workload(each.name) == &each);
    for (const std::string& alias : each.aliases) CHECK(library().find_workload(alias) == &each);
  }
}
