#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "sim/options/option.hpp"
#include "sim/options/option_values.hpp"

// Options of all commands.

namespace tofn {
inline namespace app {

enum class Format { Table, Csv, Json };
inline constexpr std::array<std::pair<std::string_view, Format>, 3> answer_formats{
    {{"table", Format::Table}, {"csv", Format::Csv}, {"json", Format::Json}}};

namespace option {

inline constexpr OptionOf<std::string> configs{
    {.name = "configs",
     .help = "folder of accelerators/, clusters/, workloads/ (default: $TOFN_CONFIGS, else that "
             "installed or built with this program)",
     .is_for_pages = false}};
inline constexpr OptionOf<Format> format{{.name = "format",
                                          .help = "table, csv or json",
                                          .default_text = "table",
                                          .is_for_pages = false},
                                         [](const std::string& text, const std::string& flag) {
                                           return choice_in(answer_formats, text, flag, "format");
                                         }};
inline constexpr OptionOf<std::string> output{
    {.name = "output",
     .help = "write to this file; .csv and .json say the format",
     .letter = 'o',
     .is_for_pages = false,
     .writes_file = true}};
inline constexpr AnyOption details{.name = "details",
                                   .help = "show what stands behind the answer, too",
                                   .takes = Takes::Nothing,
                                   .is_for_pages = false};
inline constexpr AnyOption wide{.name = "wide",
                                .help = "tables as wide as they are: lines are not broken",
                                .takes = Takes::Nothing,
                                .is_for_pages = false};
inline constexpr AnyOption quiet{.name = "quiet",
                                 .help = "neither notes nor progress on standard error",
                                 .takes = Takes::Nothing,
                                 .letter = 'q',
                                 .is_for_pages = false};
inline constexpr AnyOption help{
    .name = "help", .help = "show this", .takes = Takes::Nothing, .letter = 'h'};

}  // namespace option

/// Rows of the options above.
CommandOptions common_rows();

}  // namespace app
}  // namespace tofn
