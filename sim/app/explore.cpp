#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "sim/app/answer_json.hpp"
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/subject.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/json.hpp"
#include "sim/core/memory_failures.hpp"
#include "sim/explore/explore_page.hpp"
#include "sim/serve/loopback_server.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr OptionOf<int> port{{"port", "port of 127.0.0.1 (default: a free one)"}, whole<65535>};
}  // namespace option

CommandLine explore_command_line() {
  const std::string too = "likewise";
  return {"explore [WORKLOAD|MODEL|RUN [CLUSTER]] [OPTIONS]",
          "  tofn explore\n"
          "  tofn explore llama3-70b dgx-h100 -N 512 --tokens 2T\n"
          "  tofn explore my-model/config.json dgx-h100\n\n"
          "The page asks this program alone; Ctrl-C ends it.\n",
          {{&option::job,
            every_job,
            "job that the page begins with: a name, or a file (.yaml, config.json)",
            {},
            1},
           {&option::cluster, every_job, too, {}, 1},
           {&option::accelerators, every_job, too},
           {&option::tokens, every_job, too},
           {&option::port}}};
}

namespace {

constexpr std::string_view config_name = "config.json";

/// File of a job that is not a shipped name: the file itself, or the config.json in its folder or
/// of a downloaded model of the Hugging Face hub. Absent if the name is a shipped one.
std::optional<std::filesystem::path> own_file(const std::string& job,
                                              const std::filesystem::path& configs) {
  if (is_file_name(job)) return job;
  std::error_code ignored;
  const bool is_folder =
      std::filesystem::is_regular_file(std::filesystem::path(job) / config_name, ignored);
  if (!is_folder && job.find('/') == job.npos) return {};
  const auto file = file_named(configs, "models", "model", job);
  return file.filename() == config_name ? std::optional(file) : std::nullopt;
}

/// Name of the job's file on the page. Every configuration is called config.json, so its name on
/// the page comes from its folder or from the hub.
std::string page_name(const std::string& job) {
  const auto path = std::filesystem::absolute(job).lexically_normal();
  if (is_file_name(job) && path.filename() != config_name) return path.filename();
  const auto folder = is_file_name(job) || path.filename().empty() ? path.parent_path() : path;
  return folder.filename().string() + ".json";
}

/// Initial state of the page as JSON, with the text of the job's file. InputError if the job is
/// unknown.
std::string start_json(const options::variables_map& values, const std::filesystem::path& configs) {
  std::string json;
  const auto add = [&](std::string_view name, const std::string& value) {
    json += fmt::format(R"({}"{}":{})", json.empty() ? "" : ",", name, value);
  };
  for (const AnyOption* option : std::initializer_list<const AnyOption*>{
           &option::job, &option::cluster, &option::accelerators, &option::tokens})
    if (const auto text = option->text(values)) add(option->name, json_text(*text));
  if (const auto job = option::job.of(values)) {
    subject_of(*job, configs);  // throws if the job is unknown
    if (const auto file = own_file(*job, configs))
      add("file", fmt::format(R"({{"name":{},"path":{},"text":{}}})", json_text(page_name(*job)),
                              json_text(*job), json_text(read_text_file(*file))));
  }
  return '{' + json + '}';
}

}  // namespace

CommandAnswer run_explore(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  // All questions of the page read this folder.
  if (option::configs.is_given(values))
    ::setenv("TOFN_CONFIGS", common.configs.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  Interruption interruption;
  serve_on_loopback({.port = option::port.of(values).value_or(0),
                     .page = explore_page(offers_json(), start_json(values, common.configs)),
                     .answer = answer_json,
                     .on_ready =
                         [](int port) {
                           print(
                               fmt::format("http://127.0.0.1:{}/ is open; Ctrl-C ends it\n", port));
                         },
                     .is_stopped = [&] { return interruption.signal() != 0; }});
  forget_memory_failures();  // the answers of those questions reported them
  return {};
}

}  // namespace app
}  // namespace tofn
