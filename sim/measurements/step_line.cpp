#include "sim/measurements/step_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

using L = StepLine;
constexpr double milli = 1e-3;
constexpr double tera = 1e12;
constexpr double percent = 1e-2;

/// Megatron-LM, Megatron-DeepSpeed and GPT-NeoX.
constexpr std::array megatron{LineFigure{"iteration", &L::iteration},
                              LineFigure{"elapsed time per iteration (ms)", &L::seconds, milli},
                              LineFigure{"elapsed time per iteration (s)", &L::seconds},
                              LineFigure{"consumed samples", &L::samples},
                              LineFigure{"global batch size", &L::global_batch},
                              LineFigure{"samples/sec", &L::samples_rate},
                              LineFigure{"samples per second", &L::samples_rate},
                              LineFigure{"tokens per gpu per second (tgs)", &L::tokens_rate_each},
                              LineFigure{"tokens per GPU (tokens/s/GPU)", &L::tokens_rate_each},
                              LineFigure{"throughput per GPU (TFLOP/s/GPU)", &L::flops_each, tera},
                              LineFigure{"approx flops per GPU", &L::flops_each, tera},
                              LineFigure{"TFLOPs", &L::flops_each, tera}};
constexpr std::array nemo{LineFigure{"global_step", &L::iteration},
                          LineFigure{"iteration", &L::iteration},
                          LineFigure{"train_step_timing in s", &L::seconds},
                          LineFigure{"consumed_samples", &L::samples},
                          LineFigure{"global_batch_size", &L::global_batch},
                          LineFigure{"tokens_per_sec_per_gpu", &L::tokens_rate_each},
                          LineFigure{"TFLOPS_per_GPU", &L::flops_each, tera}};
constexpr std::array nanotron{LineFigure{"iteration", &L::iteration},
                              LineFigure{"elapsed_time_per_iteration_ms", &L::seconds, milli},
                              LineFigure{"time_per_iteration_ms", &L::seconds, milli},
                              LineFigure{"tokens_per_sec", &L::tokens_rate},
                              LineFigure{"tokens_per_sec_per_gpu", &L::tokens_rate_each},
                              LineFigure{"global_batch_size", &L::global_batch},
                              LineFigure{"model_tflops_per_gpu", &L::flops_each, tera}};
constexpr std::array maxtext{
    LineFigure{"completed step", &L::iteration}, LineFigure{"seconds", &L::seconds},
    LineFigure{"TFLOP/s/device", &L::flops_each, tera},
    LineFigure{"Tokens/s/device", &L::tokens_rate_each}, LineFigure{"total_weights", &L::tokens}};
constexpr std::array torchtitan{
    LineFigure{"step", &L::iteration}, LineFigure{"tps", &L::tokens_rate_each},
    LineFigure{"wps", &L::tokens_rate_each},  // until the end of 2024
    LineFigure{"tflops", &L::flops_each, tera}, LineFigure{"mfu", &L::utilisation, percent}};
constexpr std::array deepspeed{LineFigure{"global_step", &L::iteration},
                               LineFigure{"CurrSamplesPerSec", &L::samples_rate}};
constexpr std::array deepspeed_pipeline{LineFigure{"steps", &L::iteration},
                                        LineFigure{"iter time (s)", &L::seconds},
                                        LineFigure{"samples/sec", &L::samples_rate}};
constexpr std::array nano_gpt{LineFigure{"iter", &L::iteration},
                              LineFigure{"time", &L::seconds, milli},
                              LineFigure{"mfu", &L::utilisation, percent}};
constexpr std::array modded_nano_gpt{LineFigure{"step", &L::iteration},
                                     LineFigure{"step_avg", &L::seconds, milli}};
/// Figures of llm.c, in C and in Python.
constexpr std::array llm_c{LineFigure{"step", &L::iteration},
                           LineFigure{" ms |", &L::seconds, milli, true},
                           LineFigure{" tok/s", &L::tokens_rate, 1, true}};
/// Figures of `dt: 330.12ms | tok/sec: 1588`; nanochat also prints the multiplier of its learning
/// rate.
constexpr std::array nanochat{
    LineFigure{"step", &L::iteration}, LineFigure{"dt", &L::seconds, milli},
    LineFigure{"tok/sec", &L::tokens_rate}, LineFigure{"mfu", &L::utilisation, percent}};
/// Figures of `iter 128 step 8`, whose time is of one micro-batch.
constexpr std::array litgpt{LineFigure{"step", &L::iteration}, LineFigure{"iter", &L::passes},
                            LineFigure{"iter time", &L::seconds, milli}};
constexpr std::array torchtune{LineFigure{"Step", &L::iteration},
                               LineFigure{"tokens_per_second_per_gpu", &L::tokens_rate_each}};
/// Figures of `tps 98765.43(12345.68/gpu)`.
constexpr std::array automodel{LineFigure{"step", &L::iteration},
                               LineFigure{"tps", &L::tokens_rate},
                               LineFigure{"/gpu)", &L::tokens_rate_each, 1, true}};
constexpr std::array lingua{LineFigure{"step", &L::iteration},
                            LineFigure{"wps", &L::tokens_rate_each}};
constexpr std::array picotron{
    LineFigure{"Step", &L::iteration}, LineFigure{"Tokens/s:", &L::tokens_rate},
    LineFigure{"Tokens/s/GPU", &L::tokens_rate_each}, LineFigure{"MFU", &L::utilisation, percent}};
/// Figures of fairseq and metaseq (OPT), whose lines are JSON. `ups` has two decimals, too few for
/// a step's time.
constexpr std::array fairseq{LineFigure{"num_updates", &L::iteration},
                             LineFigure{"wps", &L::tokens_rate}, LineFigure{"wpb", &L::tokens},
                             LineFigure{"bsz", &L::global_batch}};
constexpr std::array internevo{LineFigure{"step", &L::iteration},
                               LineFigure{"tgs (tokens/gpu/second)", &L::tokens_rate_each},
                               LineFigure{"num_consumed_tokens", &L::tokens_trained},
                               LineFigure{"tflops", &L::flops_each, tera}};
constexpr std::array swift{LineFigure{"global_step/max_steps", &L::iteration},
                           LineFigure{"train_speed(iter/s)", &L::steps_rate},
                           LineFigure{"train_speed(s/it)", &L::seconds}};
constexpr std::array paddle{
    LineFigure{"global_step", &L::iteration},
    LineFigure{"interval_steps_per_second", &L::steps_rate},
    LineFigure{"interval_samples_per_second", &L::samples_rate},
    LineFigure{"interval_tokens_per_second_per_device", &L::tokens_rate_each}};
constexpr std::array mindformers{LineFigure{"step:[", &L::iteration},
                                 LineFigure{"per_step_time", &L::seconds, milli},
                                 LineFigure{"train_throughput_per_npu", &L::flops_each, tera}};
constexpr std::array fms_fsdp{LineFigure{"step", &L::iteration},
                              LineFigure{"tokens seen", &L::tokens_trained},
                              LineFigure{"current step time", &L::seconds},
                              LineFigure{"current token per gpu per sec", &L::tokens_rate_each}};
/// Figures of Composer; the batch counts within its epoch if the run's length is in epochs.
constexpr std::array composer{
    LineFigure{"batch=", &L::iteration},
    LineFigure{"Train time/sample", &L::samples},
    LineFigure{"Train time/token", &L::tokens_trained},
    LineFigure{"Train throughput/batches_per_sec", &L::steps_rate},
    LineFigure{"Train throughput/samples_per_sec", &L::samples_rate},
    LineFigure{"Train throughput/tokens_per_sec", &L::tokens_rate},
    LineFigure{"Train throughput/device/tokens_per_sec", &L::tokens_rate_each},
    LineFigure{"Train throughput/device/flops_per_sec", &L::flops_each},
    LineFigure{"Train throughput/device/mfu", &L::utilisation}};
constexpr std::array olmo{LineFigure{"[step=", &L::iteration},
                          LineFigure{"throughput/total_tokens", &L::tokens_trained},
                          LineFigure{"throughput/total tokens", &L::tokens_trained},
                          LineFigure{"throughput/device/batches_per_second", &L::steps_rate},
                          LineFigure{"throughput/device/BPS", &L::steps_rate},
                          LineFigure{"throughput/device/tokens_per_second", &L::tokens_rate_each},
                          LineFigure{"throughput/device/TPS", &L::tokens_rate_each},
                          LineFigure{"throughput/device/MFU", &L::utilisation, percent}};

/// Keys of custom programs that print a line per step, and of wandb and TensorBoard, after any
/// prefix that ends in a slash. Python prints them in single quotes. A `throughput` has no unit and
/// is not read.
constexpr std::array json_lines{LineFigure{"step\":", &L::iteration},
                                LineFigure{"global_step\":", &L::iteration},
                                LineFigure{"_step\":", &L::iteration},
                                LineFigure{"iteration\":", &L::iteration},
                                LineFigure{"iter\":", &L::iteration},
                                LineFigure{"max_steps\":", &L::iterations},
                                LineFigure{"total_steps\":", &L::iterations},
                                LineFigure{"step_time\":", &L::seconds},
                                LineFigure{"step_time_s\":", &L::seconds},
                                LineFigure{"step_time_sec\":", &L::seconds},
                                LineFigure{"step_time_ms\":", &L::seconds, milli},
                                LineFigure{"iter_time\":", &L::seconds},
                                LineFigure{"iter_time_s\":", &L::seconds},
                                LineFigure{"iter_time_ms\":", &L::seconds, milli},
                                LineFigure{"iteration_time\":", &L::seconds},
                                LineFigure{"iteration_time_ms\":", &L::seconds, milli},
                                LineFigure{"time_per_step\":", &L::seconds},
                                LineFigure{"time_per_iteration\":", &L::seconds},
                                LineFigure{"time_per_iteration_ms\":", &L::seconds, milli},
                                LineFigure{"seconds_per_step\":", &L::seconds},
                                LineFigure{"ms_per_step\":", &L::seconds, milli},
                                LineFigure{"steps_per_second\":", &L::steps_rate},
                                LineFigure{"steps_per_sec\":", &L::steps_rate},
                                LineFigure{"samples_per_second\":", &L::samples_rate},
                                LineFigure{"samples_per_sec\":", &L::samples_rate},
                                LineFigure{"tokens_per_second\":", &L::tokens_rate},
                                LineFigure{"tokens_per_sec\":", &L::tokens_rate},
                                LineFigure{"tokens_per_second_per_gpu\":", &L::tokens_rate_each},
                                LineFigure{"tokens_per_sec_per_gpu\":", &L::tokens_rate_each},
                                LineFigure{"consumed_samples\":", &L::samples},
                                LineFigure{"consumed_tokens\":", &L::tokens_trained},
                                LineFigure{"global_batch_size\":", &L::global_batch}};

constexpr std::array dialects{
    StepDialect{"Megatron-LM", "elapsed time per iteration (", megatron},
    StepDialect{"NeMo", "train_step_timing in s", nemo, true},
    StepDialect{"nanotron", "time_per_iteration_ms:", nanotron},
    StepDialect{"MaxText", "completed step:", maxtext},
    StepDialect{"lingua", "  wps: ", lingua},
    StepDialect{"torchtitan", "tps:", torchtitan},
    StepDialect{"torchtitan", "wps:", torchtitan},
    StepDialect{"DeepSpeed's pipeline", "iter time (s):", deepspeed_pipeline},
    StepDialect{"DeepSpeed", "CurrSamplesPerSec=", deepspeed},
    StepDialect{"modded-nanogpt", "step_avg:", modded_nano_gpt},
    StepDialect{"nanochat", "| lrm:", nanochat},
    StepDialect{"build-nanogpt", "tok/sec:", nanochat},
    StepDialect{"llm.c", " tok/s", llm_c},
    StepDialect{"nanoGPT", ", time ", nano_gpt},
    StepDialect{"LitGPT", "iter time:", litgpt},
    StepDialect{"torchtune", "tokens_per_second_per_gpu:", torchtune},
    StepDialect{"NeMo AutoModel", "/gpu)", automodel},
    StepDialect{"picotron", "Tokens/s/GPU:", picotron},
    StepDialect{"fairseq", "num_updates", fairseq},
    StepDialect{"InternEvo", "tgs (tokens/gpu/second)=", internevo},
    StepDialect{"ms-swift", "train_speed(", swift},
    StepDialect{"PaddleNLP", "interval_steps_per_second:", paddle},
    StepDialect{"MindFormers", "per_step_time:", mindformers},
    StepDialect{"FMS-FSDP", "current step time:", fms_fsdp, false, "step:"},
    StepDialect{"Composer", "Train throughput/", composer, false, "batch="},
    StepDialect{"OLMo", "throughput/device/", olmo, false, "[step="},
    StepDialect{"JSON or Python dicts with step_time", "{", json_lines, false, {}, true}};

/// Index of the words as separate words. A JSON key, `step":`, also matches a key of a Python dict.
std::size_t place_of(std::string_view text, std::string_view words) {
  constexpr std::string_view key_end = "\":";
  const bool is_key = words.ends_with(key_end);
  const std::string_view name = is_key ? words.substr(0, words.size() - key_end.size()) : words;
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + words.size();
    const std::string_view behind = text.substr(at + name.size()).substr(0, key_end.size());
    if (is_key && behind != key_end && behind != "':") continue;
    const bool begins = at == 0 || !is_of_a_word(words.front()) || !is_of_a_word(text[at - 1]);
    const bool ends = end >= text.size() || !is_of_a_word(words.back()) || !is_of_a_word(text[end]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

/// Splits `6,785` off `6,785  mfu`, or `11.5` off `11.5K |`: `digits` has no thousands' commas, and
/// the rest is returned.
std::string_view take_number(std::string_view text, std::string& digits) {
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    const bool is_comma = c == ',' && end > 0 && end + 3 < text.size() && is_digit(text[end - 1]) &&
                          is_digit(text[end + 1]) && is_digit(text[end + 2]) &&
                          is_digit(text[end + 3]) &&
                          (end + 4 == text.size() || !is_digit(text[end + 4]));
    const bool is_sign =
        (c == '-' || c == '+') && (end == 0 || text[end - 1] == 'e' || text[end - 1] == 'E');
    const bool is_exponent =
        (c == 'e' || c == 'E') && end > 0 && end + 1 < text.size() &&
        (is_digit(text[end + 1]) || text[end + 1] == '-' || text[end + 1] == '+');
    if (!is_digit(c) && c != '.' && !is_comma && !is_sign && !is_exponent) break;
    if (!is_comma) digits += c;
    ++end;
  }
  return text.substr(end);
}

/// Multiplier of `11.5K |`; 1 if a unit follows (`59.65GB`).
double multiplier_of(std::string_view rest) {
  constexpr std::array<std::pair<char, double>, 4> letters{
      {{'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'G', 1e9}}};
  if (rest.empty() || (rest.size() > 1 && is_of_a_word(rest[1]))) return 1;
  for (const auto& [letter, factor] : letters)
    if (rest.front() == letter) return factor;
  return 1;
}

std::string_view value_text(std::string_view text, std::size_t end_of_words) {
  const std::size_t start = text.find_first_not_of(" :=\t\"'", end_of_words);
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

/// Half a unit of the last digit, of `3.50` or `3.5e2`. Figures with a multiplier (nanotron's
/// `1.02K`, `2K`) have three digits, of which trailing zeros are not printed.
double rounding_of(std::string_view digits, double value, double multiplier) {
  constexpr double half = 0.5;
  if (multiplier > 1 && value > 0)
    return half * std::pow(10, std::floor(std::log10(value)) - 2) * multiplier;
  const std::string_view mantissa = digits.substr(0, digits.find_first_of("eE"));
  const std::size_t point = mantissa.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : mantissa.size() - point - 1;
  double exponent = 0;
  if (mantissa.size() < digits.size()) parse_number(digits.substr(mantissa.size() + 1), exponent);
  return half * std::pow(10, exponent - static_cast<double>(decimals));
}

struct PrintedNumber {
  double value = 0;
  double rounding = 0;  ///< half a unit of its last digit
};

std::optional<PrintedNumber> number_in(std::string_view text) {
  std::string digits;
  const std::string_view rest = take_number(text, digits);
  double value = 0;
  if (!parse_number(digits, value)) return {};
  const double multiplier = multiplier_of(rest);
  return PrintedNumber{value * multiplier, rounding_of(digits, value, multiplier)};
}

std::optional<PrintedNumber> number_after(std::string_view text, std::string_view words) {
  const std::size_t at = place_of(text, words);
  if (at == std::string_view::npos) return {};
  return number_in(value_text(text, at + words.size()));
}

/// Seconds per unit in `330.12ms |` or `5.62 s,`; absent if the number has no unit.
std::optional<double> unit_after(std::string_view text, std::string_view words) {
  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"ms", 1e-3}, {"us", 1e-6}, {"\u00b5s", 1e-6}, {"sec", 1}, {"s", 1}}};
  const std::size_t at = place_of(text, words);
  if (at == std::string_view::npos) return {};
  std::string digits;
  std::string_view rest = take_number(value_text(text, at + words.size()), digits);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const auto& [unit, seconds] : units) {
    if (!rest.starts_with(unit)) continue;
    const char next = rest.size() > unit.size() ? rest[unit.size()] : ' ';
    if (!is_of_a_word(next) && next != '/') return seconds;
  }
  return {};
}

/// Total in `step 12/18865`.
std::optional<double> total_after(std::string_view text, std::string_view words) {
  const std::size_t at = place_of(text, words);
  if (at == std::string_view::npos) return {};
  std::string digits;
  const std::string_view rest = trimmed(take_number(value_text(text, at + words.size()), digits));
  if (!rest.starts_with('/')) return {};
  const auto total = number_in(trimmed(rest.substr(1)));
  return total ? std::optional(total->value) : std::nullopt;
}

/// Total of a bar such as `| 12/100 [00:31<04:02, ...`.
std::optional<double> bar_total(std::string_view text) {
  const std::size_t open = text.find(" [", std::min(text.find("%|"), text.size()));
  if (open == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, open);
  const std::size_t slash = before.rfind('/');
  if (slash == std::string_view::npos) return {};
  const auto total = parse_count(std::string(before.substr(slash + 1)));
  return total && *total > 0 ? std::optional<double>(*total) : std::nullopt;
}

/// Number before the words, as in `| 3056.36 ms |` and `(330.12 ms |`.
std::optional<PrintedNumber> figure_before(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return {};
  const std::string_view before = trimmed(text.substr(0, at));
  const std::size_t start = before.find_last_of(" |(\t");
  return number_in(before.substr(start == std::string_view::npos ? 0 : start + 1));
}

/// InputError unless the time of a step is valid.
void check_seconds(const LogText& log, const LogLine& line, const LineFigure& figure, double scale,
                   std::optional<PrintedNumber> read) {
  constexpr double longest = 1e6;
  if (read && read->value > 0 && read->value * scale <= longest) return;
  const std::size_t at = place_of(line.text, figure.words);
  const std::string_view rest = value_text(line.text, at + figure.words.size());
  if (rest.starts_with("nan")) return;  // printed before the first step
  const LogWord word{rest.substr(0, std::min(rest.find_first_of(" ,|]\t\r"), rest.size())),
                     line.column + static_cast<int>(line.text.size() - rest.size())};
  throw InputError(
      log.location(line, word), figure.words,
      "must be a time above 0 and at most a million seconds, is '" + shortened(word.text) + "'");
}

}  // namespace

std::span<const StepDialect> step_dialects() { return dialects; }

bool is_step_line(const LogLine& line, const StepDialect& dialect) {
  const std::string_view words = dialect.begins.empty() ? dialect.mark : dialect.begins;
  if (line.text.find(words) == std::string_view::npos) return false;
  const auto says = [&](const auto& is_one) {
    return std::any_of(dialect.figures.begin(), dialect.figures.end(), [&](const LineFigure& each) {
      return is_one(each.figure) && figure_after(line.text, each.words);
    });
  };
  if (dialect.is_measured) {
    if (!says([](auto figure) { return figure == &L::iteration; }))
      return trimmed(line.text).starts_with('{') &&
             says([](auto figure) { return figure == &L::seconds; });
    return says([](auto figure) {
      return figure == &L::seconds || figure == &L::steps_rate || figure == &L::samples_rate ||
             figure == &L::tokens_rate || figure == &L::tokens_rate_each;
    });
  }
  return figure_after(line.text, dialect.figures.front().words).has_value() ||
         (dialect.has_loose_lines && figure_after(line.text, dialect.mark).has_value());
}

const StepDialect* step_dialect_of(const LogText& log) {
  const auto* const found = std::find_if(dialects.begin(), dialects.end(), [&](const auto& each) {
    if (log.whole.find(each.mark) == std::string_view::npos) return false;
    const auto is_step = [&](const LogLine& line) { return is_step_line(line, each); };
    const auto first = std::find_if(log.lines.begin(), log.lines.end(), is_step);
    if (first == log.lines.end()) return false;
    // A single object with a time and no iteration is a file of settings, not a log.
    StepLine said;
    StepLine rounding;
    if (each.is_measured) take_figures(log, *first, each, said, rounding);
    return !each.is_measured || said.iteration ||
           std::any_of(std::next(first), log.lines.end(), is_step);
  });
  return found == dialects.end() ? nullptr : found;
}

std::optional<double> figure_after(std::string_view text, std::string_view words) {
  const auto number = number_after(text, words);
  return number ? std::optional(number->value) : std::nullopt;
}

void take_figures(const LogText& log, const LogLine& line, const StepDialect& dialect,
                  StepLine& read, StepLine& rounding) {
  for (const LineFigure& each : dialect.figures) {
    const auto number = each.words_follow ? figure_before(line.text, each.words)
                                          : number_after(line.text, each.words);
    const bool is_there = place_of(line.text, each.words) != std::string_view::npos;
    const bool is_time = each.figure == &L::seconds && is_there && !each.words_follow;
    // A printed unit overrides the program's default one.
    const double scale =
        is_time ? unit_after(line.text, each.words).value_or(each.scale) : each.scale;
    if (is_time) check_seconds(log, line, each, scale, number);
    // NeMo 2 prints `iteration 5/99` before its global_step.
    if (each.figure == &L::iteration && !read.iterations)
      read.iterations = total_after(line.text, each.words);
    if (!number || number->value < 0 || read.*each.figure) continue;
    read.*each.figure = number->value * scale;
    rounding.*each.figure = number->rounding * scale;
  }
  const auto total = dialect.has_loose_lines ? bar_total(line.text) : std::nullopt;
  if (!read.iterations && total && *total >= read.iteration.value_or(0)) read.iterations = total;
}

}  // namespace measurements
}  // namespace tofn
