#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/plan_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/run_options.hpp"
#include "sim/config/library.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/report/plan_report.hpp"
#include "sim/report/sensitivity_report.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr const char* examples =
    "  tofn plan llama2-13b dgx-h100 --tokens 2T -N 8..256 --deadline 20d --by cost\n"
    "  tofn plan llama3-70b dgx-h100 dgx-h200:256 dgx-b200 -N 64..1024 --tokens 1T --budget 2M\n"
    "  tofn plan mixtral-8x7b -N 64..512 --tokens 500B --deadline 30d --confidence 0.8\n\n"
    "CLUSTER:N is a stock of N accelerators; without clusters all that have a price are tried.\n"
    "Between doublings quarter steps about the best are tried too.\n";

CommandLine command_line() {
  CommandLine line{.usage = "plan MODEL|RUN [CLUSTER[:N]...] --tokens T [OPTIONS]",
                   .examples = examples,
                   .description = options::options_description("Options"),
                   .positional = {}};
  const auto text = [] { return options::value<std::string>(); };
  line.description.add_options()  //
      ("model", text(),
       "a name of `tofn list models` or `tofn list runs`, or a file (.yaml, config.json)")  //
      ("cluster", options::value<std::vector<std::string>>(),
       "names of `tofn list clusters`, or files (.yaml)")                                //
      ("accelerators,N", text()->default_value("8..1024"), "e.g. 8..256, or 64,96")      //
      ("deadline", text(), "the run may take, e.g. 20d")                                 //
      ("budget", text(), "US dollars it may cost, e.g. 500k")                            //
      ("energy", text(), "kWh it may take, e.g. 2M")                                     //
      ("confidence", text()->default_value("0.9"), "with which it keeps these, 0 to 1")  //
      ("excess", text()->default_value("published"),
       "hours over the simulated ones: as published runs took, or none")                    //
      ("by", text()->default_value("cost"), "time, cost, energy or cost-x-time: least of")  //
      ("sensitivity", options::bool_switch(), sensitivity_help)                             //
      ("save-plan", text(), "write the best plan to this file (.yaml), for --plan");
  add_run_options(line.description);
  line.positional.add("model", 1).add("cluster", -1);
  return line;
}

Objective objective_of(const options::variables_map& values) {
  const auto& text = values["by"].as<std::string>();
  std::vector<std::string> names;
  for (const Objective& each : objectives) {
    if (each.name == text) return each;
    names.emplace_back(each.name);
  }
  throw InputError({}, "--by", unknown_name("objective", text, names));
}

constexpr std::array<std::pair<std::string_view, const UsualHours*>, 2> excesses{
    {{"published", &published_excess}, {"none", &no_excess}}};

double confidence_of(const options::variables_map& values) {
  const auto& text = values["confidence"].as<std::string>();
  double confidence = 0;
  if (!parse_number(text, confidence) || !(confidence > 0 && confidence < 1))
    throw InputError({}, "--confidence",
                     fmt::format("expected a number between 0 and 1, got '{}'", shortened(text)));
  return confidence;
}

std::vector<RunLimit> limits_of(const options::variables_map& values) {
  std::vector<RunLimit> limits;
  constexpr double day = 24 * 3600;
  if (const auto deadline = quantity_option<Seconds>(values, "deadline"))
    limits.push_back({"deadline", &JobFigures::days, deadline->base() / day});
  if (const auto usd = large_number(values, "budget"))
    limits.push_back({"budget", &JobFigures::usd, *usd});
  if (const auto energy = large_number(values, "energy"))
    limits.push_back({"energy", &JobFigures::kilowatt_hours, *energy});
  return limits;
}

/// `dgx-h100:256` -> the cluster, and how many of its accelerators there are.
std::pair<std::string, int> stock_of(const std::string& word, int most) {
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos) return {word, most};
  long long stock = 0;
  if (!parse_integer(word.substr(colon + 1), stock) || stock < 1)
    throw InputError({}, word, "expected CLUSTER:ACCELERATORS, e.g. dgx-h100:256");
  return {word.substr(0, colon), static_cast<int>(std::min<long long>(stock, most))};
}

std::vector<Offer> offers_of(const options::variables_map& values, Library& library,
                             const ExpenseOptions& expenses) {
  const auto& text = values["accelerators"].as<std::string>();
  const std::vector<int> sizes = counts_of(text, "-N");
  std::vector<Offer> offers;
  const auto add = [&](const Cluster& cluster, const std::string& asked_as, int stock) {
    Offer offer{.cluster = cluster,
                .sizes = {},
                .is_refined = text.find("..") != text.npos,
                .asked_as = asked_as};
    for (const int size : sizes)
      if (size <= stock && size >= cluster.accelerators_per_node.value) offer.sizes.push_back(size);
    if (!offer.sizes.empty()) offers.push_back(std::move(offer));
  };
  if (values.count("cluster") > 0) {
    for (const std::string& word : values["cluster"].as<std::vector<std::string>>()) {
      const auto [name, stock] = stock_of(word, sizes.back());
      const std::size_t before = offers.size();
      add(library.cluster(name), name, stock);
      if (offers.size() == before)
        throw InputError({}, word, fmt::format("has no size of -N {}: whole nodes of it", text));
    }
  } else {
    for (const Cluster& cluster : library.clusters())
      if (choose_price(cluster, expenses)) add(cluster, cluster.name, sizes.back());
  }
  return offers;
}

/// The words that predict the candidate: those of this command without what chose it.
std::string again(const std::vector<std::string>& words, const options::variables_map& values,
                  const RunSearch& asked, const RunChoice& choice) {
  static constexpr std::array of_choice{
      "--deadline", "--save-plan", "--budget",      "--energy",       "--confidence",
      "--by",       "--excess",    "--sensitivity", "--accelerators", "-N",
      "--format",   "-o",          "--output",      "--cluster"};
  const RunCandidate& shown = choice.candidates[choice.best.value_or(choice.nearest)];
  std::vector<std::string> kept{"tofn",
                                "predict",
                                values["model"].as<std::string>(),
                                asked.offers[shown.offer].asked_as,
                                "-N",
                                std::to_string(shown.point.accelerators)};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with('-')) continue;
    const bool takes_next = words[i].find('=') == std::string::npos && i + 1 < words.size() &&
                            !words[i + 1].starts_with('-');
    const bool is_left_out =
        std::any_of(of_choice.begin(), of_choice.end(), [&](std::string_view option) {
          return words[i] == option || words[i].starts_with(std::string(option) + "=");
        });
    if (!is_left_out) kept.push_back(words[i]);
    if (!is_left_out && takes_next) kept.push_back(words[i + 1]);
    if (takes_next) ++i;
  }
  const RunFile& run = asked.runs[shown.run];
  const double batch = main_phase(shown.point.estimate->job).step.plan.global_batch();
  if (run.has_usual_batch && batch != run.phases.front().last_batch())
    kept.push_back(fmt::format("--batch {:g}", batch));
  return fmt::format("{}", fmt::join(kept, " "));
}

}  // namespace

int run_plan(const std::vector<std::string>& words) {
  const auto parsed = parse(command_line(), words);
  if (!parsed) return 0;
  const options::variables_map& values = *parsed;
  const CommonOptions common = read_common(values);
  const auto subject = text_option(values, "model");
  if (!subject)
    throw InputError({}, "model",
                     "is needed, e.g. `tofn plan llama3-70b dgx-h100 --tokens 2T --deadline 30d`");
  const KernelProfile stack = stack_of(values, common, *subject);
  Library library = Library::load(common.configs);
  const RunSearch asked{.runs = {run_of(values, common, *subject, stack)},
                        .offers = offers_of(values, library, read_expense_options(values)),
                        .profile = stack,
                        .by = objective_of(values),
                        .limits = limits_of(values),
                        .confidence = confidence_of(values),
                        .excess = **choice_option(values, "excess", excesses),
                        .expenses = read_expense_options(values),
                        .grid_intensity = grid_of(values)};
  if (asked.runs.front().is_one_step)
    throw InputError({}, "--tokens", "is needed, or --samples: how much it trains");
  const RunChoice choice = run_choice(asked);
  const std::string command = again(words, values, asked, choice);
  if (const auto file = text_option(values, "save-plan")) {
    const RunCandidate& best = choice.candidates[choice.best.value_or(choice.nearest)];
    const Plan& plan = main_phase(best.point.estimate->job).step.plan;
    write_text_file_atomically(
        *file, plan_file_yaml(plan, std::filesystem::path(*file).stem().string(), command));
  }
  if (values["sensitivity"].as<bool>()) {
    const RunCandidate& shown = choice.candidates[choice.best.value_or(choice.nearest)];
    const Sensitivity sensitivity =
        job_sensitivity(*shown.point.estimate, asked.profile, asked.excess);
    write_answer(common,
                 plan_text(asked, choice, command) + break_even_text(break_evens(asked, choice)) +
                     sensitivity_text(sensitivity),
                 sensitivity_records(sensitivity));
    return choice.best ? 0 : 1;
  }
  write_answer(common, plan_text(asked, choice, command), plan_records(asked, choice));
  return choice.best ? 0 : 1;
}

}  // namespace app
}  // namespace tofn
