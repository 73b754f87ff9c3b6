#include <algorithm>
#include <array>

#include "sim/page/page.hpp"

namespace tofn {
inline namespace page {
namespace {

using ChartColumns = std::array<std::string_view, 4>;

constexpr ChartColumns compare_columns{"published_time_to_train_min", "time_to_train_min",
                                       "error_percent", "role"};
constexpr std::array compare_charts{
    Chart{"agreement", "Predicted against published time to train",
          "On the diagonal a prediction is right; the shaded band is within 10 %. Bars are 90 % "
          "intervals. Hollow points calibrate and are not scored."},
    Chart{"errors", "Error against size",
          "Signed error of the predicted time. Small crosses: what linear scaling from 8 "
          "accelerators would have said of the same run."}};

constexpr ChartColumns worst_columns_of_rounds{"round", "largest_term", "step_error_percent",
                                               "samples_error_percent"};

constexpr ChartColumns study_columns{"relative_efficiency", "own_efficiency", "speedup", "cluster"};
constexpr std::array study_charts{
    Chart{"efficiency", "Efficiency against size",
          "Own efficiency compares a run with the smallest systems of the same accelerator; E' is "
          "the study's, relative to its reference system, whatever accelerators the two have."},
    Chart{"pareto", "Time against cost",
          "The line joins the runs that no other run beats both in time and in cost."},
    Chart{"clusters", "Clusters of systems",
          "K-means of (log2 N, E'), as the study does. A cross marks the centre of a cluster."}};

constexpr ChartColumns cluster_columns{"rows_of", "silhouette", "centre_accelerators",
                                       "centre_relative_efficiency"};
constexpr ChartColumns claim_columns{"benchmark", "claim", "verdict", "figures"};

constexpr ChartColumns loss_columns{"base_system", "granularity", "start_up", "communication"};
constexpr std::array loss_charts{Chart{
    "waterfall", "Where the efficiency goes",
    "From a run on 8 accelerators to a larger one: each step multiplies what is left, down to "
    "the efficiency that is kept. Measured and predicted side by side; the step is taken "
    "apart where it was predicted."}};

constexpr Chart figures_chart{
    "figures", "Other figures against size",
    "Choose one: rates, energy, money, memory, each as it is expected, with its 90 % "
    "interval. Crosses show the simulated figure, without the overrun of published runs.",
    Sizes::Several};
constexpr Chart cost_chart{"pareto", "Time against cost",
                           "The line is the Pareto front of expected time and expected cost, of "
                           "the sizes that fit the memory.",
                           Sizes::Several};
constexpr Chart scaling_chart{
    "scaling", "Time against size",
    "Expected time with its 90 % interval; crosses show the simulated time, without the overrun of "
    "published runs. Dashed: ideal scaling from the smallest size that fits.",
    Sizes::Several};
constexpr Chart terms_chart{
    "terms", "What a step is made of",
    "Exposed time of each part, the mean over all steps. Switch between shares and milliseconds.",
    Sizes::Several};
constexpr Chart step_bar{"step_bar", "What a step is made of",
                         "Exposed time of each part; the parts sum to the step.", Sizes::One};
constexpr Chart memory_bar{"memory_bar", "Memory of the most loaded rank",
                           "What the rank with the least room holds at its peak. The red line is "
                           "the memory of an accelerator.",
                           Sizes::One};

constexpr ChartColumns plan_columns{"question", "keeps_limits", "is_on_frontier", "days"};
constexpr std::array plan_charts{
    Chart{"plans", "Time against cost",
          "A point is a size of a machine with its shortest plan; bars are 90 % intervals. Filled "
          "points meet the limits with the requested confidence, hollow ones do not. Dashed lines "
          "are the "
          "limits; the thin line is the Pareto front of time and cost."}};

constexpr ChartColumns run_columns{"run", "days", "goodput", "accelerator_hours"};
constexpr std::array run_charts{
    scaling_chart,
    Chart{
        "efficiency", "Efficiency against size",
        "Speedup of the simulated times over the growth in accelerators, relative to the smallest "
        "size that fits. A hollow point does not fit the memory.",
        Sizes::Several},
    cost_chart,
    terms_chart,
    figures_chart,
    step_bar,
    memory_bar,
    Chart{"money_bar", "Where the money goes",
          "The expected cost by what the accelerators do; the part below the chips' peak is "
          "kernels that use less of it than they could, and work that is done again.",
          Sizes::One}};

constexpr ChartColumns sensitivity_columns{"input", "time_elasticity", "time_factor_low5",
                                           "variance_share"};
constexpr std::array sensitivity_charts{Chart{"tornado", "What moves the time",
                                              "Each bar: the time with one uncertain input at its "
                                              "5 and 95 % points, all others at their means; or "
                                              "with a tenth more of one figure of a file."}};

constexpr ChartColumns scale_columns{"series", "accelerators", "efficiency", "gain_per_doubling"};
constexpr std::array scale_charts{
    scaling_chart,
    Chart{
        "efficiency", "Efficiency against size",
        "Speedup of the simulated times over the growth in accelerators, relative to the smallest "
        "size that fits. Diamonds are the knees of the table of knees that follows, where there is "
        "one."},
    cost_chart, terms_chart, figures_chart};

constexpr ChartColumns knee_columns{"knee", "definition", "accelerators", "is_last"};
constexpr ChartColumns law_columns{"law", "formula", "parameter", "value"};

constexpr ChartColumns step_columns{"model", "step_s", "mfu", "bottleneck"};
constexpr std::array step_charts{terms_chart, step_bar, memory_bar};

constexpr ChartColumns span_columns{"stage", "stream", "part", "length_ms"};
constexpr std::array span_charts{
    Chart{"timeline", "One training step",
          "A row per pipeline stage and stream. Narrow the range of time to look closer."}};

constexpr ChartColumns collective_columns{"collective", "size", "measured_us", "predicted_us"};
constexpr std::array collective_charts{
    Chart{"collectives", "Collectives: predicted curve over measured points",
          "Points are measured; the line is what is predicted of them, with its 90 % interval."}};

constexpr ChartColumns check_columns{"collective", "size", "verdict", "is_slow"};
constexpr std::array check_charts{
    Chart{"collectives", "Collectives: what healthy links would take over measured points",
          "The line is what healthy links would take, with its 90 % interval. Large red points are "
          "slow: beyond that interval."}};

constexpr ChartColumns algorithm_columns{"algorithm", "protocol", "time_us", "bus_bandwidth_gb_s"};
constexpr std::array algorithm_charts{
    Chart{"algorithms", "One collective by each algorithm",
          "The fastest that the library has is what it chooses; others are shown beside it."}};

constexpr std::array<std::string_view, 1> sweep_columns{"point"};
constexpr std::array sweep_charts{
    Chart{"ranked", "The best points", "Points that fit the memory, the best first."},
    Chart{
        "sweep", "One figure along one axis",
        "The other axes stay at the best point's values, unless others are chosen. A hollow point "
        "does not fit the memory."}};

constexpr std::array any_charts{
    Chart{"explore", "Any two columns",
          "Choose what is drawn. With two goals chosen, the rows that no other row beats in both "
          "are marked and joined: the Pareto front."}};

constexpr std::array kinds{
    OutputKind{"compare", "Predictions beside published results", "tofn compare", compare_columns,
               compare_charts, true},
    OutputKind{"worst",
               "Largest errors of all rounds, and their largest terms",
               "tofn report mlperf",
               worst_columns_of_rounds,
               {}},
    OutputKind{"study", "Scaling of published systems", "tofn study", study_columns, study_charts,
               true},
    OutputKind{"losses", "Losses of efficiency", "tofn study --table losses", loss_columns,
               loss_charts, true},
    OutputKind{
        "clusters", "Clusters of the study", "tofn study --table clusters", cluster_columns, {}},
    OutputKind{"claims", "Claims of the study", "tofn study --table claims", claim_columns, {}},
    OutputKind{"plan", "Plans of a run", "tofn plan", plan_columns, plan_charts},
    OutputKind{"predict", "Predicted runs", "tofn predict", run_columns, run_charts, true},
    OutputKind{"sensitivity", "Sensitivity of a prediction",
               "tofn predict, tofn plan --sensitivity", sensitivity_columns, sensitivity_charts},
    OutputKind{"scale", "Scaling analysis", "tofn scale", scale_columns, scale_charts, true},
    OutputKind{"knees", "Knees", "tofn scale --table knees", knee_columns, {}, true},
    OutputKind{"laws", "Laws of scaling", "tofn scale --table laws", law_columns, {}},
    OutputKind{"step", "Simulated steps", "tofn step", step_columns, step_charts, true},
    OutputKind{"timeline", "Timeline of a step", "tofn step --trace", span_columns, span_charts},
    OutputKind{"check", "Check of measured collectives", "tofn collective --check", check_columns,
               check_charts, true},
    OutputKind{"collectives", "Measured collectives", "tofn validate collectives",
               collective_columns, collective_charts, true},
    OutputKind{"algorithms", "Algorithms of a collective", "tofn collective", algorithm_columns,
               algorithm_charts},
    OutputKind{"sweep", "Points of a sweep", "tofn sweep", sweep_columns, sweep_charts},
    OutputKind{"any", "Table", "any command", {}, any_charts},
};

}  // namespace

std::span<const OutputKind> output_kinds() { return kinds; }

const OutputKind& kind_of(std::span<const std::string> columns) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(columns, name) != columns.end();
  };
  return *std::ranges::find_if(
      kinds, [&](const OutputKind& kind) { return std::ranges::all_of(kind.columns, has); });
}

}  // namespace page
}  // namespace tofn
