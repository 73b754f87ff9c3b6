#include "sim/validation/link_fit.hpp"

#include <cmath>

#include "sim/config/library.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Cluster& two_dgx() {
  static const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  return *library.find_cluster("dgx-h100");
}

/// All-reduces on two nodes, at sizes eight times apart: the time of the formula times `factor`,
/// and times `eighth` for the eighth.
CollectiveTable as_formula(std::size_t rows, double factor, double eighth = 1) {
  CollectiveTable table;
  table.collective = CollectiveKind::AllReduce;
  table.ranks = 16;
  table.nodes = 2;
  const LinkTable nominal = link_table(table, two_dgx());
  for (std::size_t i = 0; i < rows; ++i) {
    const Bytes size{std::exp2(10 + 3 * static_cast<double>(i))};
    const double time = std::exp(log_time(CollectiveKind::AllReduce, size, nominal.nominal, {}));
    table.rows.push_back({.size = size,
                          .out_of_place = Seconds{factor * time * (i == 7 ? eighth : 1)},
                          .in_place = {}});
  }
  return table;
}

/// Mean and variance of the logarithm of the time of 64 KB, when one table predicts another of its
/// system.
struct Reported {
  double mean = 0;
  double variance = 0;
};
Reported reported_by(const CollectiveTable& table, const LinkSpreads& spreads) {
  const LinkTable known = link_table(table, two_dgx());
  const LinkTable request = known;
  const LinkPosterior posterior =
      LinkFit({known}, spreads).posterior(request, true, [](const LinkTable&) { return true; });
  const Bytes size{std::exp2(16)};
  const auto log_of = [&](const TableEffects& effects) {
    return log_time(CollectiveKind::AllReduce, size, request.nominal, effects);
  };
  return {log_of(posterior.mean) - log_of({}),
          posterior.variance(
              responses(CollectiveKind::AllReduce, size, request.nominal, posterior.mean))};
}

}  // namespace

TEST_CASE("a row far off its table says next to nothing of other tables") {
  const LinkSpreads& spreads = shipped_spreads();
  const Reported without = reported_by(as_formula(7, 1.5), spreads);
  const Reported far_off = reported_by(as_formula(8, 1.5, 100), spreads);
  CHECK(without.mean > 0.2);
  CHECK_THAT(far_off.mean, WithinRel(without.mean, 0.02));
  CHECK_THAT(far_off.variance, WithinRel(without.variance, 0.05));
}

TEST_CASE("tables that do not count tell nothing") {
  const CollectiveTable rows = as_formula(8, 1.5);
  const LinkTable table = link_table(rows, two_dgx());
  const LinkFit fit({table}, shipped_spreads());
  const LinkFit nothing({}, shipped_spreads());
  const auto never = [](const LinkTable&) { return false; };
  for (const bool system_is_known : {false, true}) {
    const LinkPosterior posterior = fit.posterior(table, system_is_known, never);
    CHECK(posterior.mean == nothing.posterior(table, system_is_known, never).mean);
    CHECK(posterior.covariance == nothing.posterior(table, system_is_known, never).covariance);
  }
  // A table of another system that counts adds information.
  CHECK(fit.posterior(table, false, [](const LinkTable&) { return true; }).mean != TableEffects{});
}

TEST_CASE(
    "what shares all that sets tables apart is known as well as the table that was measured") {
  LinkSpreads spreads = shipped_spreads();
  spreads.row_inside = spreads.row_between = 1e-3;
  const double apart = reported_by(as_formula(8, 1.5), spreads).variance;
  spreads.apart_table = spreads.apart_laboratory = 0;
  const Reported alike = reported_by(as_formula(8, 1.5), spreads);
  CHECK(alike.variance < 0.01 * apart);
  CHECK_THAT(alike.mean, WithinAbs(std::log(1.5), 0.01));
}

TEST_CASE("of few rows each that is measured twice tells as much as one of half the variance") {
  LinkSpreads exact = shipped_spreads();
  exact.row_inside /= std::sqrt(2.0);
  exact.row_between /= std::sqrt(2.0);
  const CollectiveTable once = as_formula(5, 1.5);
  CollectiveTable twice = once;
  twice.rows.clear();
  for (const CollectiveRow& row : once.rows) twice.rows.insert(twice.rows.end(), 2, row);
  const Reported by_twice = reported_by(twice, shipped_spreads());
  const Reported by_exact = reported_by(once, exact);
  CHECK_THAT(by_twice.mean, WithinRel(by_exact.mean, 0.01));
  CHECK_THAT(by_twice.variance, WithinRel(by_exact.variance, 0.01));
}
