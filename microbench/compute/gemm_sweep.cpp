#include "microbench/compute/gemm_sweep.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "microbench/compute/operands.hpp"
#include "microbench/compute/repeated.hpp"
#include "microbench/harness/rounds.hpp"
#include "microbench/harness/row_text.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"

namespace tofn::bench {
namespace {

RecordPoint identity(const Lab& lab, const Processor& processor, const std::string& type,
                     const GemmShape& shape) {
  RecordPoint point;
  point.kind = "gemm";
  point.parameters = {
      {"device", processor.device()},         {"model", processor.model()},
      {"library", processor.library()},       {"type", type},
      {"m", static_cast<long long>(shape.m)}, {"n", static_cast<long long>(shape.n)},
      {"k", static_cast<long long>(shape.k)}, {"ranks", static_cast<long long>(lab.team.size())}};
  if (processor.has_replays()) point.parameters.emplace_back("cuda_graph", true);
  return point;
}

constexpr double share_of_memory = 0.25;  // limit of the largest operands' sum

/// True if the product fits the memory of every rank. Collective.
bool has_room(Lab& lab, Processor& processor, const std::string& type, const GemmShape& shape) {
  const double memory = processor.free_memory() * share_of_memory;
  double is_out = Operands::bytes_needed(processor, type, shape) > memory ? 1 : 0;
  lab.team.maximum({&is_out, 1});
  return is_out == 0;
}

/// Seconds of one product on the slowest rank. Collective.
double rough_time(Lab& lab, Processor& processor, const std::string& type, const GemmShape& shape) {
  double seconds = 0;
  lab.on_each_rank(fmt::format("gemm {} {}", type, to_text(shape)), [&] {
    const Operands operands(processor, type, {shape});
    Repeated repeated(processor, operands.gemm(shape));
    repeated.run(1);  // loads the library
    seconds = repeated.run(4).host / 4;
  });
  lab.team.maximum({&seconds, 1});
  return seconds;
}

/// FLOP/s of a cube that is large enough to show them, not the time of a launch.
double rough_speed(Lab& lab, Processor& processor, const std::string& type) {
  constexpr double long_enough = 1e-3;  // seconds
  double speed = 0;
  for (int edge = 256; edge <= 8192; edge *= 2) {
    const GemmShape cube{.m = edge, .n = edge, .k = edge};
    if (speed > 0 && !has_room(lab, processor, type, cube)) break;
    const double seconds = rough_time(lab, processor, type, cube);
    speed = std::max(speed, cube.flops() / seconds);
    if (seconds >= long_enough) break;
  }
  return speed;
}

void leave_out(Lab& lab, const std::string& type, const GemmShape& shape, const std::string& why) {
  lab.progress.add_done(1);
  lab.progress.print(fmt::format("# gemm {} {}: left out: {}\n", type, to_text(shape), why));
}

/// The shapes that fit the memory and finish in time, by rising work.
std::vector<GemmShape> possible(Lab& lab, Processor& processor, const std::string& type,
                                std::vector<GemmShape> shapes) {
  const double speed = rough_speed(lab, processor, type);
  std::sort(shapes.begin(), shapes.end(), [](const GemmShape& a, const GemmShape& b) {
    return a.flops() != b.flops() ? a.flops() < b.flops() : a < b;
  });
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  std::erase_if(shapes, [&](const GemmShape& shape) {
    const double seconds = shape.flops() / speed;  // equal on all ranks
    const bool has_time = seconds <= lab.rule.most_time;
    if (has_time && has_room(lab, processor, type, shape)) return false;
    leave_out(lab, type, shape,
              has_time
                  ? "no room in memory"
                  : fmt::format("one takes about {}, and a point has {}", to_text(Seconds(seconds)),
                                to_text(Seconds(lab.rule.most_time))));
    return true;
  });
  return shapes;
}

struct PreparedShape {
  GemmShape shape;
  std::unique_ptr<Replayed> product;
};

int whole(const RecordPoint& point, std::string_view name) {
  return static_cast<int>(std::get<long long>(*parameter(point, name)));
}

void print(Lab& lab, const Processor& processor, const std::string& type,
           const std::vector<RecordPoint>& points) {
  std::string text = fmt::format("# gemm, {}, {}, {}, {}\n", type, processor.model(),
                                 processor.library(), counted(lab.team.size(), "rank"));
  text += fmt::format("# {:>20} {} {:>10}  {}\n", "m x n x k", time_headings(), "TFLOP/s", "notes");
  text += fmt::format("# {:>20} {}\n", "", time_units());
  for (const RecordPoint& point : points)
    text += fmt::format(
        "{:>22} {} {:>10}  {}\n",
        to_text({.m = whole(point, "m"), .n = whole(point, "n"), .k = whole(point, "k")}),
        time_columns(point), figure(point, "tflop_s"), notes(point));
  lab.progress.print(text + '\n');
}

/// Kernels of the shapes that the library supports on every rank; prints the others.
std::vector<PreparedShape> prepared(Lab& lab, Processor& processor, const Operands& operands,
                                    const std::string& type, const std::vector<GemmShape>& shapes) {
  std::vector<PreparedShape> all;
  for (const GemmShape& shape : shapes) {
    PreparedShape made{.shape = shape, .product = {}};
    std::string why = "another rank has no kernel for it";
    try {
      made.product = std::make_unique<Replayed>(processor, operands.gemm(shape));
    } catch (const std::exception& error) {
      why = error.what();
    }
    double is_missing = made.product ? 0 : 1;
    lab.team.maximum({&is_missing, 1});
    if (is_missing > 0)
      leave_out(lab, type, shape, why);
    else
      all.push_back(std::move(made));
  }
  return all;
}

void verify(Lab& lab, const Operands& operands, const std::string& type,
            const PreparedShape& prepared) {
  lab.on_each_rank(fmt::format("gemm {} {}", type, to_text(prepared.shape)), [&] {
    prepared.product->run(1);
    operands.check_product(prepared.shape);
  });
}

void run_type(Lab& lab, Processor& processor, const std::string& type,
              const std::vector<GemmShape>& all) {
  const auto shapes = possible(lab, processor, type, all);
  if (shapes.empty()) return;
  std::unique_ptr<Operands> operands;
  lab.on_each_rank("gemm " + type,
                   [&] { operands = std::make_unique<Operands>(processor, type, shapes); });
  const auto products = prepared(lab, processor, *operands, type, shapes);
  std::vector<Case> cases;
  for (const PreparedShape& each : products)
    cases.push_back({.point = identity(lab, processor, type, each.shape),
                     .title = fmt::format("gemm {} {}", type, to_text(each.shape)),
                     .timed = each.product.get(),
                     .prepare = [&] { verify(lab, *operands, type, each); },
                     .check = {},
                     .figures =
                         [flops = each.shape.flops()](double seconds) {
                           return RecordFigures{{"tflop_s", flops / seconds / 1e12}};
                         }});
  if (!cases.empty()) print(lab, processor, type, measure_in_rounds(lab, cases));
}

}  // namespace

void run_gemms(Lab& lab, Processor& processor, const std::vector<std::string>& types,
               const std::vector<GemmShape>& shapes) {
  for (const std::string& type : types) run_type(lab, processor, type, shapes);
}

}  // namespace tofn::bench
