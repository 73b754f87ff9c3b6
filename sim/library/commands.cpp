#include "tofn/commands.hpp"

#include <fmt/format.h>

#include "sim/core/text_as_file.hpp"
#include "sim/core/version.hpp"
#include "tofn/error.hpp"

namespace tofn {
namespace {

Options with(const Options& options, const std::string& name, const Setting& setting) {
  Options all = options;
  all.emplace_back(name, setting);
  return all;
}

}  // namespace

Answer predict(const std::string& job, const std::string& cluster, const Options& options) {
  return answer({.command = "predict", .arguments = {job, cluster}, .options = options});
}

Answer step(const std::string& job, const std::string& cluster, const Options& options) {
  return answer({.command = "step", .arguments = {job, cluster}, .options = options});
}

Answer scale(const std::string& job, const std::string& cluster, const Options& options) {
  return answer({.command = "scale", .arguments = {job, cluster}, .options = options});
}

Answer plan(const std::string& model, const std::vector<std::string>& clusters,
            const Options& options) {
  std::vector<std::string> arguments{model};
  arguments.insert(arguments.end(), clusters.begin(), clusters.end());
  return answer({.command = "plan", .arguments = arguments, .options = options});
}

Answer sweep(const std::string& sweep, const Options& options) {
  return answer({.command = "sweep", .arguments = {sweep}, .options = options});
}

Answer sweep_text(const std::string& yaml, const Options& options) {
  const TextAsFile file("sweep.yaml", yaml);
  try {
    return sweep(file.path(), options);
  } catch (const Error& error) {
    throw Error(file.reported(error.what()), error.exit_code());
  }
}

Answer collective(const std::string& cluster, const Options& options) {
  return answer({.command = "collective", .options = with(options, "cluster", cluster)});
}

Answer calibrate(const std::vector<std::string>& files, const std::string& output,
                 const Options& options) {
  return answer(
      {.command = "calibrate", .arguments = files, .options = with(options, "output", output)});
}

Answer validate(const std::string& what, const std::vector<std::string>& files,
                const Options& options) {
  std::vector<std::string> arguments{what};
  arguments.insert(arguments.end(), files.begin(), files.end());
  return answer({.command = "validate", .arguments = arguments, .options = options});
}

Answer compare(const Options& options) {
  return answer({.command = "compare", .options = options});
}

Answer list(const std::string& what, const Options& options) {
  return answer({.command = "list",
                 .arguments = what.empty() ? std::vector<std::string>{} : std::vector{what},
                 .options = options});
}

std::string version() { return fmt::format("{} ({})", version_number, git_description); }

}  // namespace tofn
