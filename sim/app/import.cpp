
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/report/import_report.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr Text source{{"from", "kind of the folder's results: mlperf"}};
}  // namespace option

CommandLine import_command_line() {
  return {"import mlperf FOLDER -o table.csv",
          "  tofn import mlperf training_results_v5.0 -o v5.0.csv\n"
          "  tofn compare --published v5.0.csv\n",
          {{.option = &option::source, .words = 1},
           {.option = &option::folder,
            .help = "a checkout of a round's results, or a folder of several",
            .words = 1}}};
}

CommandAnswer run_import(const options::variables_map& values) {
  const auto from = option::source.of(values);
  const auto folder = option::folder.of(values);
  if (!from || !folder)
    throw InputError(
        "import needs a folder, e.g. `tofn import mlperf training_results_v5.0 -o "
        "v5.0.csv`");
  const std::vector<std::string> sources{"mlperf"};
  if (*from != sources.front())
    throw InputError({}, std::string(option::source.name), unknown_name("source", *from, sources));
  const ImportedRounds rounds = import_mlperf(*folder);
  for (const std::string& note : rounds.notes) say(note);
  return {.text = import_text(rounds),
          .records = import_records(rounds),
          .summary = import_summary(rounds)};
}

}  // namespace app
}  // namespace tofn
