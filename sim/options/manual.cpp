#include "sim/options/manual.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/file.hpp"

namespace tofn {
inline namespace options {

ManualCommand manual_command(std::string_view name, std::string_view summary,
                             const std::vector<CommandLine>& lines) {
  ManualCommand command{.name = std::string(name),
                        .summary = std::string(summary),
                        .usages = {},
                        .examples = {},
                        .rows = {}};
  for (const CommandLine& line : lines) {
    command.usages.emplace_back(line.usage);
    command.examples.emplace_back(line.examples);
    for (OptionRow& row : option_rows(line.rows)) {
      const auto same = std::ranges::find(command.rows, row.name, &OptionRow::name);
      if (same == command.rows.end()) command.rows.push_back(std::move(row));
    }
  }
  return command;
}

std::vector<std::filesystem::path> write_manual(const Manual& manual,
                                                const std::filesystem::path& folder) {
  std::vector<std::pair<std::filesystem::path, std::string>> files{
      {"man/man1/" + manual.program + ".1", man_page(manual)},
      {"bash-completion/completions/" + manual.program, bash_completion(manual)},
      {"zsh/site-functions/_" + manual.program, zsh_completion(manual)},
      {"fish/vendor_completions.d/" + manual.program + ".fish", fish_completion(manual)}};
  for (const ManualCommand& each : manual.commands)
    files.emplace_back(fmt::format("man/man1/{}-{}.1", manual.program, each.name),
                       man_page(manual, each));
  std::vector<std::filesystem::path> written;
  for (const auto& [name, text] : files) {
    const auto path = folder / name;
    write_into_folder(path, text);
    written.push_back(path);
  }
  return written;
}

}  // namespace options
}  // namespace tofn
