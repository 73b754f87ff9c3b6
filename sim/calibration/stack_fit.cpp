#include "sim/calibration/stack_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "sim/simulation/stack_doubt.hpp"

namespace tofn {
inline namespace calibration {
namespace {

constexpr std::size_t count = stack_figures.size();

Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

std::string family_of(const KernelProfile& profile) {
  return profile.family.empty() ? profile.name : profile.family;
}

void set_figures(KernelProfile& profile, const std::array<double, count>& logarithms) {
  for (std::size_t i = 0; i < count; ++i)
    stack_figures[i].set(profile, stack_figures[i].usual * std::exp(logarithms[i]));
}

/// A step with the effects that its figures are sums of.
struct Row {
  const ObservedStep* observed = nullptr;
  const KernelProfile* profile = nullptr;
  std::array<std::size_t, 3> blocks{};  ///< first effect of the mean, the family, the stack
  std::size_t model = 0;                ///< the effect of its model

  std::array<double, count> figures(const Eigen::VectorXd& effects) const {
    std::array<double, count> sum{};
    for (const std::size_t block : blocks)
      for (std::size_t i = 0; i < count; ++i) sum[i] += effects[at(block + i)];
    return sum;
  }
};

struct Evaluated {
  double error = 0;  ///< log(measured / predicted), that of the model left out
  StackResponse response{};
};

Evaluated evaluated(const Row& row, const Eigen::VectorXd& effects) {
  KernelProfile profile = *row.profile;
  set_figures(profile, row.figures(effects));
  const StepCase& step = row.observed->step;
  const auto seconds = [&](const KernelProfile& by) { return closed_step(step, by).base(); };
  return {std::log(step.measured->base() / seconds(profile)) - effects[at(row.model)],
          stack_response(profile, seconds)};
}

/// On two threads: a fit over 400 steps takes a second of one core.
std::vector<Evaluated> evaluated(const std::vector<Row>& rows, const Eigen::VectorXd& effects) {
  std::vector<Evaluated> all(rows.size());
  constexpr std::size_t threads = 2;
  const auto part = [&](std::size_t first) {
    for (std::size_t i = first; i < rows.size(); i += threads) all[i] = evaluated(rows[i], effects);
  };
  std::thread other(part, 1);
  part(0);
  other.join();
  return all;
}

/// Weight of an error of so many deviations.
double student_weight(double deviations) {
  constexpr double freedom = 5;
  return (freedom + 1) / (freedom + deviations * deviations);
}

}  // namespace

/// The normal equations of one iteration.
class StackFit::Normal {
 public:
  Normal(const std::vector<Row>& rows, const std::vector<double>& priors) : rows_(rows) {
    precision_.resize(at(priors.size()));
    // An effect without spread is held at nothing.
    for (std::size_t i = 0; i < priors.size(); ++i)
      precision_[at(i)] = 1 / std::max(1e-12, priors[i] * priors[i]);
  }

  /// The change of the effects that the errors ask for; leaves the equations solved.
  Eigen::VectorXd change(const Eigen::VectorXd& effects, bool is_first) {
    const Eigen::Index size = effects.size();
    Eigen::MatrixXd squares = precision_.asDiagonal();
    Eigen::VectorXd sums = -precision_.cwiseProduct(effects);
    const std::vector<Evaluated> all = evaluated(rows_, effects);
    Eigen::VectorXd gradient(size);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      gradient.setZero();
      for (const std::size_t block : rows_[i].blocks)
        for (std::size_t k = 0; k < count; ++k) gradient[at(block + k)] = all[i].response[k];
      gradient[at(rows_[i].model)] = 1;
      const double deviation = step_noise * rows_[i].observed->noise;
      const double weight =
          (is_first ? 1 : student_weight(all[i].error / deviation)) / (deviation * deviation);
      squares.selfadjointView<Eigen::Lower>().rankUpdate(gradient, weight);
      sums += weight * all[i].error * gradient;
    }
    solved_.compute(squares.selfadjointView<Eigen::Lower>());
    return solved_.solve(sums);
  }

  Eigen::MatrixXd covariance() const {
    return solved_.solve(Eigen::MatrixXd::Identity(precision_.size(), precision_.size()));
  }

 private:
  const std::vector<Row>& rows_;
  Eigen::VectorXd precision_;
  Eigen::LLT<Eigen::MatrixXd> solved_;
};

StackFit::StackFit(std::span<const ObservedStep> steps, std::span<const KernelProfile> stacks) {
  std::vector<double> priors;
  const auto add_block = [&](double StackFigure::*spread) {
    for (const StackFigure& figure : stack_figures) priors.push_back(figure.*spread);
    return priors.size() - count;
  };
  add_block(&StackFigure::all);
  for (const KernelProfile& stack : stacks)
    if (!families_.contains(family_of(stack)))
      families_[family_of(stack)] = add_block(&StackFigure::family);
  for (const KernelProfile& stack : stacks) stacks_[stack.name] = add_block(&StackFigure::stack);
  const std::size_t figures = priors.size();

  std::map<std::string, std::size_t> models;
  std::vector<Row> rows;
  for (const ObservedStep& step : steps) {
    const auto stack = std::find_if(stacks.begin(), stacks.end(),
                                    [&](const auto& each) { return each.name == step.stack; });
    const std::string own =
        fmt::format("{}|{}|{}", step.stack, step.model, step.step.cluster.accelerator.name);
    const auto [model, is_new] = models.emplace(own, priors.size());
    if (is_new) priors.push_back(model_deviation);
    ++steps_[step.stack];
    rows.push_back({.observed = &step,
                    .profile = &*stack,
                    .blocks = {0, families_.at(family_of(*stack)), stacks_.at(stack->name)},
                    .model = model->second});
  }

  Eigen::VectorXd effects = Eigen::VectorXd::Zero(at(priors.size()));
  Normal normal(rows, priors);
  constexpr int iterations = 5;
  for (int i = 0; i < iterations; ++i) {
    Eigen::VectorXd change = normal.change(effects, i == 0);
    constexpr double longest = 0.7;  // responses hold about as far
    change *= std::min(1.0, longest / std::max(longest, change.cwiseAbs().maxCoeff()));
    effects += change;
  }
  const Eigen::MatrixXd all = normal.covariance();
  centre_.assign(effects.data(), effects.data() + figures);
  covariance_.resize(figures * figures);
  for (std::size_t i = 0; i < figures; ++i)
    for (std::size_t j = 0; j < figures; ++j) covariance_[i * figures + j] = all(at(i), at(j));
}

KernelProfile StackFit::learnt(KernelProfile profile, Kinship kinship) const {
  const std::string own = kinship == Kinship::Own ? profile.name : std::string{};
  std::vector<std::size_t> blocks{0};
  std::vector<double StackFigure::*> unseen;
  const auto add = [&](const auto& known, const std::string& name, double StackFigure::*spread) {
    if (const auto found = known.find(name); found != known.end())
      blocks.push_back(found->second);
    else
      unseen.push_back(spread);
  };
  add(families_, family_of(profile), &StackFigure::family);
  add(stacks_, own, &StackFigure::stack);
  const std::size_t size = centre_.size();
  std::array<double, count> logarithms{};
  profile.doubt.covariance.assign(count * count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t block : blocks) logarithms[i] += centre_[block + i];
    for (std::size_t j = 0; j < count; ++j)
      for (const std::size_t a : blocks)
        for (const std::size_t b : blocks)
          profile.doubt.covariance[i * count + j] += covariance_[(a + i) * size + b + j];
    for (double StackFigure::*spread : unseen)
      profile.doubt.covariance[i * count + i] += std::pow(stack_figures[i].*spread, 2);
  }
  set_figures(profile, logarithms);
  for (const StackFigure& figure : stack_figures)
    figure.set(profile, std::min(figure.most, figure.value(profile)));
  profile.doubt.discrepancy = std::hypot(step_noise, model_deviation);
  const auto steps = steps_.find(own);
  profile.steps = steps == steps_.end() ? 0 : steps->second;
  return profile;
}

}  // namespace calibration
}  // namespace tofn
