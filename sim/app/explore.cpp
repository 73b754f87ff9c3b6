#include <cstdlib>

#include <fmt/format.h>

#include "sim/app/answer_json.hpp"
#include "sim/app/command.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/core/error.hpp"
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
                       "  tofn explore llama3-70b dgx-h100 -N 512 --tokens 2T\n\n"
                       "The page asks this program alone; Ctrl-C ends it.\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()                                           //
      ("job", options::value<std::string>(), "what the page begins with")  //
      ("cluster", options::value<std::string>(), "likewise")               //
      ("accelerators,N", options::value<std::string>(), "likewise")        //
      ("tokens", options::value<std::string>(), "likewise")                //
      ("port", options::value<std::string>(), "of 127.0.0.1 (default: a free one)");
  line.positional.add("job", 1).add("cluster", 1);
  return line;
}

namespace {

/// The state that the page begins with.
std::string start_json(const options::variables_map& values) {
  std::string json;
  for (const char* name : {"job", "cluster", "accelerators", "tokens"})
    if (const auto text = text_option(values, name))
      json += fmt::format(R"({}"{}":{})", json.empty() ? "" : ",", name, json_text(*text));
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
                     .page = explore_page(offers_json(), start_json(values)),
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
