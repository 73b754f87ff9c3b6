
#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/import_report.hpp"

namespace tofn {
inline namespace app {

CommandLine import_command_line() {
  CommandLine line{.usage = "import mlperf FOLDER -o table.csv",
                   .examples =
                       "  tofn import mlperf training_results_v5.0 -o v5.0.csv\n"
                       "  tofn compare --published v5.0.csv\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()                                                //
      ("from", options::value<std::string>(), "what the folder holds: mlperf")  //
      ("folder", options::value<std::string>(),
       "a checkout of a round's results, or a folder of several");
  line.positional.add("from", 1).add("folder", 1);
  return line;
}

CommandAnswer run_import(const options::variables_map& values) {
  const auto from = text_option(values, "from");
  const auto folder = text_option(values, "folder");
  if (!from || !folder)
    throw InputError(
        "import needs a folder, e.g. `tofn import mlperf training_results_v5.0 -o "
        "v5.0.csv`");
  const std::vector<std::string> sources{"mlperf"};
  if (*from != sources.front())
    throw InputError({}, "from", unknown_name("source", *from, sources));
  const ImportedRounds rounds = import_mlperf(*folder);
  for (const std::string& note : rounds.notes) say(note);
  return {.text = import_text(rounds),
          .records = import_records(rounds),
          .summary = import_summary(rounds)};
}

}  // namespace app
}  // namespace tofn
