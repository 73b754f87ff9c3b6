#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/options/option_values.hpp"
#include "sim/starter/starters.hpp"

namespace tofn {
inline namespace app {

CommandLine init_command_line() {
  CommandLine line{
      .usage = "init cluster|model|run|sweep [OF] [OPTIONS]",
      .examples =
          "  tofn init cluster -o my-cluster.yaml\n"
          "  tofn init model -o my-model.yaml\n"
          "  tofn init model ./checkpoint/config.json -o my-model.yaml\n"
          "  tofn init run llama3-70b -o my-run.yaml\n"
          "  tofn init sweep my-model.yaml --name sizes -o sizes.yaml\n\n"
          "OF a model is a config.json, its folder or a name of Hugging Face's hub that was\n"
          "downloaded; of a run and a sweep it is their model (llama3-8b). Of a cluster there is\n"
          "none: it is what this machine shows. Without -o, or with `-o -`, the file is printed.\n",
      .description = options::options_description("Options"),
      .positional = {}};
  line.description.add_options()  //
      ("what", options::value<std::string>(), "cluster, model, run or sweep")(
          "of", options::value<std::string>(), "a name of `tofn list models`, or a file")(
          "name", options::value<std::string>(), "of the thing (default: that of the file)")(
          "accelerator", options::value<std::string>(),
          "of a cluster: a name of `tofn list accelerators` (default: what is seen)")(
          "root", options::value<std::string>()->default_value("/"),
          "of a cluster: the folder that sys, proc and usr are read in")(
          "force", options::bool_switch(), "writes over a file that exists");
  line.positional.add("what", 1).add("of", 1);
  return line;
}

namespace {

struct Asked {
  std::filesystem::path configs;
  std::string name;
  std::optional<std::string> of, accelerator;
  std::filesystem::path root;
};

std::string model_of(const Asked& asked) { return asked.of.value_or("llama3-8b"); }

std::string cluster_file(const Asked& asked) {
  return cluster_starter(seen_machine(asked.root), Library::load(asked.configs), asked.name,
                         asked.accelerator);
}
std::string model_file(const Asked& asked) {
  if (!asked.of) return model_template(asked.name);
  return model_starter(find_model(asked.configs, *asked.of), asked.name);
}
std::string run_file(const Asked& asked) {
  const std::string model = model_of(asked);
  return run_starter(asked.name, model, find_model(asked.configs, model).sequence_length);
}
std::string sweep_file(const Asked& asked) {
  find_model(asked.configs, model_of(asked));
  return sweep_starter(asked.name, model_of(asked));
}

/// Every kind of file that can be begun. Add one here.
struct StarterKind {
  std::string_view name;
  std::string (*text)(const Asked&);
  bool takes_of;  ///< a model
};
constexpr std::array starter_kinds{
    StarterKind{"cluster", cluster_file, false}, StarterKind{"model", model_file, true},
    StarterKind{"run", run_file, true}, StarterKind{"sweep", sweep_file, true}};

const StarterKind& starter_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const StarterKind& kind : starter_kinds) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  throw InputError(unknown_name("starter", name, names));
}

/// What belongs to clusters alone.
void check_options(const options::variables_map& values, const StarterKind& kind) {
  if (kind.takes_of && values.count("accelerator") > 0)
    throw InputError({}, "--accelerator", "is of a cluster");
  if (kind.takes_of && !values["root"].defaulted())
    throw InputError({}, "--root", "is of a cluster");
  if (!kind.takes_of && values.count("of") > 0)
    throw InputError({}, "of", "a cluster is made of what this machine shows: leave it out");
}

}  // namespace

CommandAnswer run_init(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  const auto what = text_option(values, "what");
  if (!what) throw InputError("init needs cluster, model, run or sweep, e.g. `tofn init cluster`");
  const StarterKind& kind = starter_kind(*what);
  check_options(values, kind);
  if (!values["format"].defaulted())
    throw InputError({}, "--format", "does not apply: a starter is YAML");
  const std::filesystem::path& file = common.output;
  const bool is_printed = file.empty() || file == "-";
  if (!is_printed && file.extension() != ".yaml")
    throw InputError({}, "--output", fmt::format("{}: the name must end in .yaml", file.string()));
  std::error_code ignored;  // what cannot be asked cannot be written either, which says why
  if (!is_printed && !values["force"].as<bool>() && std::filesystem::exists(file, ignored))
    throw InputError({}, "--output",
                     fmt::format("{} exists: --force writes over it", file.string()));
  const std::string usual = is_printed ? "my-" + *what : file.stem().string();
  const std::string text = kind.text({.configs = common.configs,
                                      .name = text_option(values, "name").value_or(usual),
                                      .of = text_option(values, "of"),
                                      .accelerator = text_option(values, "accelerator"),
                                      .root = values["root"].as<std::string>()});
  if (is_printed) return {.text = text, .output_is_taken = true, .is_exact = true};
  write_text_file_atomically(file, text);
  return {.text = fmt::format("{0}: a {1} to begin with; `tofn check {0}` reads it\n",
                              file.string(), *what),
          .output_is_taken = true};
}

}  // namespace app
}  // namespace tofn
