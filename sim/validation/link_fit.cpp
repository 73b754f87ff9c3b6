#include "sim/validation/link_fit.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "sim/collectives/algorithm.hpp"

namespace tofn {
inline namespace validation {
namespace {

constexpr int count = table_effect_count;
constexpr int links = link_effect_count;  // the first of them
using Vector = Eigen::Matrix<double, count, 1>;
using Matrix = Eigen::Matrix<double, count, count>;

Vector vector_of(const TableEffects& effects) { return Vector(effects.data()); }
TableEffects effects_of(const Vector& vector) {
  TableEffects effects;
  std::copy(vector.data(), vector.data() + count, effects.begin());
  return effects;
}
Matrix matrix_of(const LinkBelief& belief) { return Matrix(belief.covariance.data()); }

enum class Level { All, Family, Make, Table };
constexpr std::size_t scatter = link_effect_count;
constexpr std::size_t pairs = scatter + 1;
constexpr std::size_t crowd = pairs + 1;
constexpr std::size_t shape_inside = crowd + 1;
constexpr std::size_t shape_between = shape_inside + shape_points;

TableEffects deviations(const LinkSpreads& spreads, Level level) {
  TableEffects all{};
  const LinkEffects& of_links = level == Level::All      ? spreads.all
                                : level == Level::Family ? spreads.family
                                : level == Level::Make   ? spreads.make
                                                         : spreads.table;
  std::copy(of_links.begin(), of_links.end(), all.begin());
  if (level == Level::All || level == Level::Family) return all;
  const bool of_make = level == Level::Make;
  all[scatter] = of_make ? spreads.scatter_make : spreads.scatter_table;
  all[pairs] = of_make ? spreads.pairs_make : spreads.pairs_table;
  all[crowd] = of_make ? spreads.crowd_make : spreads.crowd_table;
  std::fill(all.begin() + shape_inside, all.end(),
            of_make ? spreads.shape_make : spreads.shape_table);
  return all;
}

Matrix variance_of(const LinkSpreads& spreads, Level level) {
  return vector_of(deviations(spreads, level)).array().square().matrix().asDiagonal();
}

/// Weights of the effects that are none of the links'.
TableEffects other_weights(CollectiveKind kind, Bytes size, const Communicator& c) {
  TableEffects weights{};
  const bool is_half = kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllGather;
  if (!c.one_domain() && kind != CollectiveKind::AllReduce) weights[is_half ? scatter : pairs] = 1;
  constexpr double crowded = 256;
  if (!c.one_domain()) weights[crowd] = std::max(0.0, std::log2(c.ranks / crowded));
  constexpr double first_octave = 6;
  constexpr double octaves_apart = 3;
  constexpr double last = shape_points - 1;
  const double place =
      std::clamp((std::log2(size.base()) - first_octave) / octaves_apart, 0.0, last);
  const auto below = static_cast<std::size_t>(std::min(place, last - 1));
  const std::size_t point = (c.one_domain() ? shape_inside : shape_between) + below;
  weights[point + 1] = place - static_cast<double>(below);
  weights[point] = 1 - weights[point + 1];
  return weights;
}

LinkBelief belief_of(const Vector& mean, const Matrix& covariance) {
  LinkBelief belief{.mean = effects_of(mean), .covariance = {}};
  std::copy(covariance.data(), covariance.data() + count * count, belief.covariance.begin());
  return belief;
}

/// Normal evidence on effects u: log p = -u'Pu/2 + u's.
struct Evidence {
  Matrix precision = Matrix::Zero();
  Vector sum = Vector::Zero();

  void add(const Evidence& other) {
    precision += other.precision;
    sum += other.sum;
  }
  /// On u where these are evidence on u plus a deviation of that variance.
  Evidence blurred(const Matrix& variance) const {
    const Matrix by = (Matrix::Identity() + precision * variance).inverse();
    return {by * precision, by * sum};
  }
  /// The belief in u of one who believed N(mean, variance).
  LinkBelief with_prior(const Vector& mean, const Matrix& variance) const {
    const Matrix covariance = (Matrix::Identity() + variance * precision).inverse() * variance;
    return belief_of(covariance * sum + mean - covariance * precision * mean, covariance);
  }
};

LinkEffects links_of(const TableEffects& effects) {
  LinkEffects first;
  std::copy_n(effects.begin(), link_effect_count, first.begin());
  return first;
}

double log_formula(CollectiveKind kind, Bytes size, const Communicator& c,
                   const Ramps& ramps = fitted_ramps()) {
  return std::log(collective_cost(kind, size, c, false, ramps).time.base());
}

/// Rows next to each other share what bends a curve: a table says no more than so many.
double weight_of_row(std::size_t rows) {
  constexpr double most = 10;
  return std::min(1.0, most / static_cast<double>(rows));
}

double student_weight(double deviations) {
  return (row_freedom + 1) / (row_freedom + deviations * deviations);
}

/// What the rows say, linear about `effects`.
Evidence evidence_at(const LinkTable& table, const Vector& effects, double deviation) {
  const TableEffects about = effects_of(effects);
  const CollectiveKind kind = table.table->collective;
  const double weight = weight_of_row(table.table->rows.size()) / (deviation * deviation);
  Evidence evidence;
  for (const CollectiveRow& row : table.table->rows) {
    const double error =
        std::log(row.time().base()) - log_time(kind, row.size, table.nominal, about);
    const Vector response = vector_of(responses(kind, row.size, table.nominal, about));
    const double w = weight * student_weight(error / deviation);
    evidence.precision += w * response * response.transpose();
    evidence.sum += w * response * (error + response.dot(effects));
  }
  return evidence;
}

/// Linear about what the table by itself makes of the prior, so that no other table matters.
Evidence evidence_of(const LinkTable& table, const Vector& mean, const Matrix& variance,
                     const LinkSpreads& spreads) {
  const double deviation = row_deviation(table.nominal, spreads);
  constexpr int iterations = 8;
  Vector effects = mean;
  Evidence evidence;
  for (int i = 0; i < iterations; ++i) {
    evidence = evidence_at(table, effects, deviation);
    effects = 0.5 * (effects + vector_of(evidence.with_prior(mean, variance).mean));
  }
  return evidence;
}

bool is_of_network(int effect) { return effect >= static_cast<int>(LinkEffect::NetworkLatency); }

/// Effects of all links, and of the families of each tier, by index.
class Shared {
 public:
  int family(const std::string& name, bool network) {
    if (name.empty()) return -1;
    const auto [found, is_new] = index_.emplace(std::pair(network, name), size());
    return found->second;
  }
  int size() const { return static_cast<int>(index_.size()) + 1; }
  /// Selects what a machine's links' effects are sums of: rows effects, columns blocks x effects.
  static Eigen::MatrixXd selector(int scale_up, int network, int blocks) {
    Eigen::MatrixXd select = Eigen::MatrixXd::Zero(links, blocks * links);
    select.leftCols(links).setIdentity();
    for (int effect = 1; effect < links; ++effect) {
      const int block = is_of_network(effect) ? network : scale_up;
      if (block > 0) select(effect, block * links + effect) = 1;
    }
    return select;
  }

 private:
  std::map<std::pair<bool, std::string>, int> index_;
};

}  // namespace

struct LinkFit::Information : Evidence {};

LinkEffects LinkBelief::of_links() const { return links_of(mean); }

double LinkBelief::variance(const TableEffects& weights) const {
  const Vector w = vector_of(weights);
  return w.dot(matrix_of(*this) * w);
}

double log_time(CollectiveKind kind, Bytes size, const Communicator& nominal,
                const TableEffects& effects, const Ramps& ramps) {
  return log_formula(kind, size, with_effects(nominal, links_of(effects)), ramps) +
         vector_of(other_weights(kind, size, nominal)).dot(vector_of(effects));
}

double row_deviation(const Communicator& c, const LinkSpreads& spreads) {
  return c.one_domain() ? spreads.row_inside : spreads.row_between;
}

TableEffects responses(CollectiveKind kind, Bytes size, const Communicator& nominal,
                       const TableEffects& effects) {
  constexpr double step = 0.02;
  const Communicator c = with_effects(nominal, links_of(effects));
  TableEffects result = other_weights(kind, size, nominal);
  for (std::size_t i = 0; i < link_effect_count; ++i) {
    LinkEffects up{};
    LinkEffects down{};
    up[i] = step;
    down[i] = -step;
    result[i] = (log_formula(kind, size, with_effects(c, up)) -
                 log_formula(kind, size, with_effects(c, down))) /
                (2 * step);
  }
  return result;
}

LinkFit::LinkFit(std::vector<LinkTable> tables, const LinkSpreads& spreads)
    : tables_(std::move(tables)), spreads_(spreads) {
  const Matrix variance = variance_of(spreads, Level::All) + variance_of(spreads, Level::Family) +
                          variance_of(spreads, Level::Make) + variance_of(spreads, Level::Table);
  for (const LinkTable& table : tables_)
    seen_.push_back({evidence_of(table, Vector::Zero(), variance, spreads)
                         .blurred(variance_of(spreads, Level::Table))});
}

LinkFit::~LinkFit() = default;

LinkBelief LinkFit::of_families(const std::string& scale_up, const std::string& network,
                                const std::function<bool(const LinkTable&)>& counts) const {
  struct Make {
    Evidence evidence;
    int scale_up = -1, network = -1;
  };
  Shared shared;
  const int asked_scale_up = shared.family(scale_up, false);
  const int asked_network = shared.family(network, true);
  // A make's tables on other links are another make's.
  std::map<std::array<std::string, 3>, Make> makes;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const LinkTable& table = tables_[i];
    if (!counts(table)) continue;
    Make& own = makes[{table.make, table.scale_up, table.network}];
    own.scale_up = shared.family(table.scale_up, false);
    own.network = shared.family(table.network, true);
    own.evidence.add(seen_[i]);
  }
  const int blocks = shared.size();
  Eigen::VectorXd prior(blocks * links);
  for (int block = 0; block < blocks; ++block)
    prior.segment(block * links, links) =
        vector_of(deviations(spreads_, block == 0 ? Level::All : Level::Family))
            .head(links)
            .array()
            .max(1e-6)
            .square()
            .inverse();
  Eigen::MatrixXd precision = prior.asDiagonal();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(blocks * links);
  for (const auto& [name, own] : makes) {
    // Other effects than the links' are nothing beyond a make.
    const Evidence evidence = own.evidence.blurred(variance_of(spreads_, Level::Make));
    const Eigen::MatrixXd select = Shared::selector(own.scale_up, own.network, blocks);
    precision += select.transpose() * evidence.precision.topLeftCorner(links, links) * select;
    sum += select.transpose() * evidence.sum.head(links);
  }
  const Eigen::LDLT<Eigen::MatrixXd> solved(precision);
  const Eigen::MatrixXd select = Shared::selector(asked_scale_up, asked_network, blocks);
  Vector mean = Vector::Zero();
  Matrix covariance = Matrix::Zero();
  mean.head(links) = select * solved.solve(sum);
  covariance.topLeftCorner(links, links) =
      select * solved.solve(Eigen::MatrixXd(select.transpose()));
  return belief_of(mean, covariance);
}

LinkBelief LinkFit::belief(const std::string& scale_up, const std::string& network,
                           const std::string& make,
                           const std::function<bool(const LinkTable&)>& counts) const {
  const auto is_own = [&](const LinkTable& table) {
    return !make.empty() && table.make == make && table.scale_up == scale_up &&
           table.network == network;
  };
  const LinkBelief others = of_families(
      scale_up, network, [&](const LinkTable& table) { return !is_own(table) && counts(table); });
  Evidence own;
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (is_own(tables_[i]) && counts(tables_[i])) own.add(seen_[i]);
  const LinkBelief known = own.with_prior(vector_of(others.mean),
                                          matrix_of(others) + variance_of(spreads_, Level::Make));
  return belief_of(vector_of(known.mean), matrix_of(known) + variance_of(spreads_, Level::Table));
}

LinkBelief LinkFit::updated(const LinkBelief& prior, const LinkTable& table,
                            const LinkSpreads& spreads) {
  const Vector mean = vector_of(prior.mean);
  const Matrix variance = matrix_of(prior);
  return evidence_of(table, mean, variance, spreads).with_prior(mean, variance);
}

}  // namespace validation
}  // namespace tofn
