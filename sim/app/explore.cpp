#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "sim/app/answer_json.hpp"
#include "sim/app/command.hpp"
#include "sim/app/subject.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/config/named_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/json.hpp"
#include "sim/core/memory_failures.hpp"
#include "sim/explore/explore_page.hpp"
#include "sim/options/option_values.hpp"
#include "sim/serve/loopback_server.hpp"

namespace tofn {
inline namespace app {

CommandLine explore_command_line() {
  CommandLine line{.usage = "explore [WORKLOAD|MODEL|RUN [CLUSTER]] [OPTIONS]",
                   .examples =
                       "  tofn explore\n"
                       "  tofn explore llama3-70b dgx-h100 -N 512 --tokens 2T\n"
                       "  tofn explore my-model/config.json dgx-h100\n\n"
                       "The page asks this program alone; Ctrl-C ends it.\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()  //
      ("job", options::value<std::string>(),
       "what the page begins with: a name, or a file (.yaml, config.json)")  //
      ("cluster", options::value<std::string>(), "likewise")                 //
      ("accelerators,N", options::value<std::string>(), "likewise")          //
      ("tokens", options::value<std::string>(), "likewise")                  //
      ("port", options::value<std::string>(), "of 127.0.0.1 (default: a free one)");
  line.positional.add("job", 1).add("cluster", 1);
  return line;
}

namespace {

constexpr std::string_view config_name = "config.json";

/// The job's own file, where it is no name that ships: itself, in its folder, or of the hub.
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

/// What the page calls it: configurations are all called alike, so that their folder, or the name
/// on the hub, tells them apart.
std::string page_name(const std::string& job) {
  const auto path = std::filesystem::absolute(job).lexically_normal();
  if (is_file_name(job) && path.filename() != config_name) return path.filename();
  const auto folder = is_file_name(job) || path.filename().empty() ? path.parent_path() : path;
  return folder.filename().string() + ".json";
}

/// The state that the page begins with; the text of a file goes along. InputError where the job is
/// none.
std::string start_json(const options::variables_map& values, const std::filesystem::path& configs) {
  std::string json;
  const auto add = [&](std::string_view name, const std::string& value) {
    json += fmt::format(R"({}"{}":{})", json.empty() ? "" : ",", name, value);
  };
  for (const char* name : {"job", "cluster", "accelerators", "tokens"})
    if (const auto text = text_option(values, name)) add(name, json_text(*text));
  if (const auto job = text_option(values, "job")) {
    subject_of(*job, configs);  // refuses what is none
    if (const auto file = own_file(*job, configs))
      add("file", fmt::format(R"({{"name":{},"path":{},"text":{}}})", json_text(page_name(*job)),
                              json_text(*job), json_text(read_text_file(*file))));
  }
  return '{' + json + '}';
}

}  // namespace

CommandAnswer run_explore(const options::variables_map& values) {
  constexpr int most_ports = 65535;
  const CommonOptions common = read_common(values);
  // All questions of the page are answered from these.
  if (values.count("configs") > 0)
    ::setenv("TOFN_CONFIGS", common.configs.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  Interruption interruption;
  serve_on_loopback({.port = count_option(values, "port", most_ports).value_or(0),
                     .page = explore_page(offers_json(), start_json(values, common.configs)),
                     .answer = answer_json,
                     .on_ready =
                         [](int port) {
                           print(
                               fmt::format("http://127.0.0.1:{}/ is open; Ctrl-C ends it\n", port));
                         },
                     .is_stopped = [&] { return interruption.signal() != 0; }});
  forget_memory_failures();  // who asked then was told
  return {};
}

}  // namespace app
}  // namespace tofn
