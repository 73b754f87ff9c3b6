// A user's program that prints the length of a run, its 90 % interval, and an error message.
#include <cstdio>

#include <tofn/tofn.hpp>

int main() try {
  const tofn::Answer run =
      tofn::predict("llama3-70b", "dgx-h100", {{"accelerators", 512}, {"tokens", "2T"}});
  const tofn::Figure days = run.figure("days");
  std::printf("%.3g %s expected, 90 %% interval %.3g to %.3g; %.3g simulated, %s\n",
              run.number("days_as_runs_went"), days.unit.c_str(), *days.low90, *days.high90,
              run.number("days"), days.basis.c_str());
  for (const std::string& notice : run.notices()) std::puts(notice.c_str());
  return run.exit_code();
} catch (const tofn::Error& error) {
  std::puts(error.what());
  return error.exit_code();
}
