#include <algorithm>
#include <sstream>

#include "sim/answers/check_log.hpp"
#include "sim/answers/repeat_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/report/repeat_report.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr Text repeated_file{{"file", "answer that tofn wrote with --format json"}};
}  // namespace option

CommandLine repeat_command_line() {
  return {"repeat FILE.json [OPTIONS]",
          "  tofn predict bert dgx-h100 -N 64 -o bert.json\n"
          "  tofn repeat bert.json\n\n"
          "Exit code: 0 the answer is as it was, 1 a figure changed.\n",
          {{.option = &option::repeated_file, .words = 1}}};
}

namespace {

/// Returns the words without the options for the file and the format of the answer.
std::vector<std::string> without_output(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string output = option::output.flag();
    const std::string format = option::format.flag();
    const bool takes_next = word == "-o" || word == output || word == format;
    if (takes_next) ++i;
    if (takes_next || word.starts_with(output + '=') || word.starts_with(format + '=')) continue;
    kept.push_back(word);
  }
  return kept;
}

AnswerFile answered_again(const AnswerFile& before, const std::string& file) {
  const std::vector<std::string>& words = before.from.command;
  const Command* command = words.empty() ? nullptr : find_command(words.front());
  if (command == nullptr || command->name == "repeat")
    throw InputError({file}, "command", "names no command of tofn that answers");
  if (std::ranges::any_of(words, is_standard_input))
    throw InputError({file}, "command",
                     "has read standard input, which is gone: an answer can be repeated whose "
                     "input was a file");
  set_invocation(words);
  std::vector<std::string> request = without_output({words.begin() + 1, words.end()});
  request.insert(request.end(), {option::format.flag(), "json"});
  const CommandAnswer now = command->run(parse_command(*command, request));
  return read_answer(json_of(now), "the answer now");
}

}  // namespace

CommandAnswer run_repeat(const options::variables_map& values) {
  if (!option::repeated_file.is_given(values))
    throw InputError("repeat needs an answer, e.g. `tofn repeat bert.json`");
  const CommonOptions common = read_common(values);
  const std::string file = option::repeated_file.value(values);
  const AnswerFile before =
      unless_log(file, [&] { return read_answer(read_text_file(file), file); });
  forget_files_read();
  const ReadOnce one_answer;
  const RepeatAnswer answer = repeat_answer(before, answered_again(before, file));
  set_invocation({"repeat", file});
  return {.text = repeat_text(answer),
          .records = repeat_records(answer),
          .exit_code = answer.changed.empty() && answer.rows_before == answer.rows_now ? 0 : 1};
}

}  // namespace app
}  // namespace tofn
