#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/version.hpp"

namespace tofn {
inline namespace app {

CommandLine manual_command_line() {
  return {"manual FOLDER",
          "  tofn manual ~/.local/share\n"
          "  man tofn-predict\n",
          {{.option = &option::folder,
            .help = "folder for the man pages, as they lie below /usr/share",
            .words = 1}}};
}

Manual program_manual() {
  Manual manual{
      .program = "tofn",
      .summary = "predict how long distributed training takes on N accelerators, and why",
      .version = version_number,
      .date = commit_date,
      .common = option_rows(common_rows()),
      .commands = {},
      .sections = {
          {"STANDARD INPUT",
           {"Where a command reads a file, the name - is standard input. Its first line says which "
            "kind of file it is. Mistakes in it are reported as standard input:LINE:COLUMN."}},
          {"EXIT STATUS",
           {"0: done.",
            "1: an answer of no (a plan does not fit, a measured bandwidth is not "
            "normal), or a failure of tofn.",
            "2: a mistake in the input."}},
          {"ENVIRONMENT",
           {"TOFN_CONFIGS: the folder of configs, in place of those installed with the program.",
            "COLUMNS: how many characters a line may have."}},
          {"FILES",
           {"share/tofn/configs beside the program's folder: what is known of "
            "accelerators, clusters, models, runs and stacks. --configs goes before "
            "TOFN_CONFIGS, and that before these."}}}};
  for (const Command& each : commands()) {
    std::vector<CommandLine> lines{each.line({})};
    if (each.other_line != nullptr) lines.push_back(each.other_line());
    manual.commands.push_back(manual_command(each.name, each.summary, lines));
  }
  return manual;
}

CommandAnswer run_manual(const options::variables_map& values) {
  const auto folder = option::folder.of(values);
  if (!folder) throw InputError("manual needs a folder, e.g. `tofn manual ~/.local/share`");
  const auto files = write_manual(program_manual(), *folder);
  return {.text = fmt::format("{}: {} files: man pages, completions of bash, zsh and fish\n",
                              *folder, files.size())};
}

}  // namespace app
}  // namespace tofn
