#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/row_named.hpp"
#include "sim/starter/starters.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr Text seen_accelerator{
    {"accelerator",
     "accelerator of a cluster: a name of `tofn list accelerators` (default: what is seen)"}};
constexpr Text root{
    {.name = "root",
     .help = "root of a cluster's machine: the folder that sys, proc and usr are read in",
     .default_text = "/"}};
constexpr AnyOption force{"force", "writes over a file that exists", Takes::Nothing};
}  // namespace option

CommandLine init_command_line() {
  return {"init cluster|model|run|sweep [OF] [OPTIONS]",
          "  tofn init cluster -o my-cluster.yaml\n"
          "  tofn init model -o my-model.yaml\n"
          "  tofn init model ./checkpoint/config.json -o my-model.yaml\n"
          "  tofn init run llama3-70b -o my-run.yaml\n"
          "  tofn init sweep my-model.yaml --name sizes -o sizes.yaml\n\n"
          "OF a model is a config.json, its folder or a name of Hugging Face's hub that was\n"
          "downloaded; of a run and a sweep it is their model (llama3-8b). Of a cluster there is\n"
          "none: it is what this machine shows. Without -o, or with `-o -`, the file is printed.\n",
          {{&option::what, every_job, "cluster, model, run or sweep", {}, 1},
           {&option::of, every_job, "a name of `tofn list models`, or a file", {}, 1},
           {&option::name, every_job, "name in the file (default: the file's)"},
           {&option::seen_accelerator},
           {&option::root},
           {&option::force}}};
}

namespace {

struct Request {
  std::filesystem::path configs;
  std::string name;
  std::optional<std::string> of, accelerator;
  std::filesystem::path root;
};

std::string model_of(const Request& request) { return request.of.value_or("llama3-8b"); }

std::string cluster_file(const Request& request) {
  return cluster_starter(seen_machine(request.root), Library::load(request.configs), request.name,
                         request.accelerator);
}
std::string model_file(const Request& request) {
  if (!request.of) return model_template(request.name);
  return model_starter(find_model(request.configs, *request.of), request.name);
}
std::string run_file(const Request& request) {
  const std::string model = model_of(request);
  return run_starter(request.name, model, find_model(request.configs, model).sequence_length);
}
std::string sweep_file(const Request& request) {
  find_model(request.configs, model_of(request));
  return sweep_starter(request.name, model_of(request));
}

/// Kind of starter file. A new kind needs a row in `starter_kinds`.
struct StarterKind {
  std::string_view name;
  std::string (*text)(const Request&);
  bool takes_of;  ///< true if OF states a model
};
constexpr std::array starter_kinds{
    StarterKind{"cluster", cluster_file, false}, StarterKind{"model", model_file, true},
    StarterKind{"run", run_file, true}, StarterKind{"sweep", sweep_file, true}};

/// Throws InputError if an option or OF is given that this kind of file does not take.
void check_options(const options::variables_map& values, const StarterKind& kind) {
  if (kind.takes_of && option::seen_accelerator.is_given(values))
    throw InputError({}, option::seen_accelerator.flag(), "is of a cluster");
  if (kind.takes_of && option::root.is_given(values))
    throw InputError({}, option::root.flag(), "is of a cluster");
  if (const auto folder = option::root.value(values); !std::filesystem::is_directory(folder))
    throw InputError({}, option::root.flag(), fmt::format("'{}' is no folder", folder));
  if (!kind.takes_of && option::of.is_given(values))
    throw InputError({}, std::string(option::of.name),
                     "a cluster is made of what this machine shows: leave it out");
}

}  // namespace

CommandAnswer run_init(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  const auto what = option::what.of(values);
  if (!what) throw InputError("init needs cluster, model, run or sweep, e.g. `tofn init cluster`");
  const StarterKind& kind = row_named(starter_kinds, "starter", *what);
  check_options(values, kind);
  if (option::format.is_given(values))
    throw InputError({}, option::format.flag(), "does not apply: a starter is YAML");
  const std::filesystem::path& file = common.output;
  const bool is_printed = file.empty() || file == "-";
  if (!is_printed && file.extension() != ".yaml")
    throw InputError({}, option::output.flag(),
                     fmt::format("{}: the name must end in .yaml", file.string()));
  std::error_code ignored;  // if this fails, writing fails too, and says why
  if (!is_printed && !option::force.is_given(values) && std::filesystem::exists(file, ignored))
    throw InputError({}, option::output.flag(),
                     fmt::format("{} exists: --force writes over it", file.string()));
  const std::string default_text = is_printed ? "my-" + *what : file.stem().string();
  const std::string text = kind.text({.configs = common.configs,
                                      .name = option::name.of(values).value_or(default_text),
                                      .of = option::of.of(values),
                                      .accelerator = option::seen_accelerator.of(values),
                                      .root = option::root.value(values)});
  if (is_printed) return {.text = text, .output_is_taken = true, .is_exact = true};
  write_text_file_atomically(file, text);
  return {.text = fmt::format("{0}: a {1} to begin with; `tofn check {0}` reads it\n",
                              file.string(), *what),
          .output_is_taken = true};
}

}  // namespace app
}  // namespace tofn
