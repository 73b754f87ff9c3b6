#include "sim/report/collective_report.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "sim/cluster/measured_machine.hpp"
#include "sim/core/records.hpp"
#include "sim/report/figure_text.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/curves/known_tables.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// Answer on two nodes of eight with a table of 5 ms for every size.
CollectiveAnswer answer_of(CollectiveKind kind) {
  Cluster toy = toy_machine();
  const std::vector<CollectiveTable> tables{
      table_of(rows_of([](double) { return 5000.0; }, 10, 30, 1), 2, 16)};
  toy.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{"links", MeasuredCollectives(tables), {}});
  return collective_answer({.kind = kind,
                            .size = 1_MiB,
                            .communicator = place({.stride = 1, .count = 16}, toy, 16),
                            .calibration = "links"});
}

std::string csv_of(CollectiveKind kind) { return to_csv(collective_records(answer_of(kind))); }

}  // namespace

TEST_CASE("what a calibration has measured leads, formulas stand below it") {
  const std::string text = collective_text(answer_of(CollectiveKind::AllReduce)).screen;
  INFO(text);
  CHECK(text.starts_with("all-reduce of 1.05 MB over 16 ranks in 2 scale-up domains: 5.00 ms ("));
  CHECK_THAT(text, ContainsText("\nbasis         measured: links\nby formula    "));
  const std::string csv = csv_of(CollectiveKind::AllReduce);
  INFO(csv);
  const std::string first = csv.substr(csv.find('\n') + 1);
  CHECK(first.starts_with("calibration,,NCCL,5000,"));
  CHECK_THAT(first.substr(0, first.find('\n')), ContainsText(",measured,links,5000"));
}

TEST_CASE("what a calibration lacks is answered by formula, and said") {
  const std::string text = collective_text(answer_of(CollectiveKind::AllToAll)).screen;
  CHECK_THAT(text, ContainsText("\nbasis         formula: "));
  CHECK_THAT(text,
             ContainsText("\ncalibration   links holds no table for all-to-all over 16 ranks: "
                          "formulas alone\n"));
  CHECK(csv_of(CollectiveKind::AllToAll).find("\ncalibration,") == std::string::npos);
}

namespace {

/// Answer on two nodes of eight without measurements, estimated from `tables` of such nodes.
CollectiveAnswer answer_by(int tables, Seconds time = Seconds{1e-3}) {
  return collective_answer(
      {.kind = CollectiveKind::AllReduce,
       .size = 1_MiB,
       .communicator = place({.stride = 1, .count = 16}, toy_machine(), 16)},
      LearnedTime{.time = time, .reach = std::log(2.0), .tables = tables, .machine = "toy"});
}

}  // namespace

TEST_CASE("what nobody measured has the interval of what tables teach of such links") {
  const CollectiveAnswer by_own = answer_by(3);
  const std::string text = collective_text(by_own).screen;
  CHECK(
      text.starts_with("all-reduce of 1.05 MB over 16 ranks in 2 scale-up domains: 1.00 ms (0.50 "
                       "to 2.00 ms), "));
  CHECK_THAT(text,
             ContainsText("\nbasis         formula, fitted to 3 tables of toy\nby datasheet  "));
  CHECK(to_csv(collective_records(by_own)).find("\nlearnt,,NCCL,1000,500,2000,") !=
        std::string::npos);

  // The unit changes where three digits would round up to it.
  const auto screen = [](double us) {
    return collective_text(answer_by(3, Seconds{us * 1e-6})).screen;
  };
  CHECK_THAT(screen(999.4), ContainsText(": 999 us (500 to 1999 us)"));
  CHECK_THAT(screen(999.6), ContainsText(": 1.00 ms (0.50 to 2.00 ms)"));

  const CollectiveAnswer by_others = answer_by(0);
  const double time = by_others.chosen().time.base() * 1e6;
  REQUIRE(time < 999);
  const std::string interval =
      fmt::format(" ({} to {} us), ", short_figure(time / 2), short_figure(time * 2));
  CHECK_THAT(collective_text(by_others).screen, ContainsText(interval));
  const Records records = collective_records(by_others);
  int with_interval = 0;
  for (const auto& row : records.rows) with_interval += row.at(4) != Value{};
  CHECK(with_interval == 1);  // that of the chosen algorithm
}

TEST_CASE("what is carried over has the interval of the links that it is carried by") {
  CollectiveRequest request = answer_of(CollectiveKind::AllGather).request;
  CHECK_FALSE(collective_answer(request).seconds().has_value());
  const auto seconds =
      collective_answer(request, LearnedTime{.time = {}, .reach = std::log(2.0)}).seconds();
  REQUIRE(seconds.has_value());
  CHECK_THAT(seconds->high / seconds->low, WithinRel(4.0, 1e-12));
}

namespace {

/// Answer on the same machine under MPI, where NCCL's rows are those of another library.
CollectiveAnswer answer_under_mpi(CollectiveKind kind = CollectiveKind::ReduceScatter,
                                  Bytes size = 1_MiB) {
  Cluster toy = toy_machine();
  toy.library = CollectiveLibrary::Mpi;
  return collective_answer(
      {.kind = kind, .size = size, .communicator = place({.stride = 1, .count = 16}, toy, 16)});
}

}  // namespace

TEST_CASE("what another library could do is told with its protocol") {
  const std::string text = collective_text(answer_under_mpi()).details;
  INFO(text);
  for (const char* protocol : {"LL", "LL128", "Simple"})
    CHECK_THAT(text, ContainsText(fmt::format("\nring      {:8} NCCL ", protocol)));
}

TEST_CASE("one row of a collective is chosen: the fastest of the cluster's own library") {
  const Records records = collective_records(answer_under_mpi());
  const auto column = [&](const char* name) {
    const auto at = std::find(records.columns.begin(), records.columns.end(), name);
    REQUIRE(at != records.columns.end());
    return static_cast<std::size_t>(at - records.columns.begin());
  };
  int chosen = 0;
  for (const auto& row : records.rows) {
    if (row[column("is_chosen")] != Value{1LL}) continue;
    ++chosen;
    CHECK(row[column("library")] == Value{"MPI"});
    CHECK(row[column("over_fastest")] == Value{1.0});
  }
  CHECK(chosen == 1);
}

TEST_CASE("the algorithm that a library chooses is told, though another is faster") {
  for (const Bytes size : {1_KiB, 8_KiB, 1_MiB, 64_MiB}) {
    const CollectiveAnswer answer = answer_under_mpi(CollectiveKind::AllReduce, size);
    const Algorithm& chosen =
        chosen_algorithm(CollectiveKind::AllReduce, size, answer.request.communicator, false);
    CHECK(answer.chosen().algorithm == &chosen);
    CHECK(answer.chosen().over >= 1);
    CHECK_THAT(collective_text(answer).screen, ContainsText(fmt::format(" by {}\n", chosen.name)));
  }
}
