#include "sim/config/load_quote.hpp"

#include <algorithm>

#include "sim/config/load_parts.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

QuotedPhase read_phase(const YamlNode& node) {
  QuotedPhase phase;
  Fields fields = node.fields();
  fields.required("model", phase.model);
  fields.optional_choice("precision", phase.precision, precision_names);
  read_positive(fields, "batch", phase.batch);
  read_positive(fields, "steps", phase.steps);
  fields.done();
  return phase;
}

QuotedRun read_run(const YamlNode& node) {
  QuotedRun run;
  Fields fields = node.fields();
  read_in(range::at_least_one, fields, "accelerators", run.accelerators);
  read_positive(fields, "gradient_bucket", run.gradient_bucket);
  const YamlNode phases = fields.child("phases");
  for (const YamlNode& phase : phases.items()) run.phases.push_back(read_phase(phase));
  if (run.phases.empty()) phases.fail("needs at least one");
  read_positive(fields, "time", run.time);
  fields.done();
  return run;
}

/// An efficiency compares the times of all phases: each must say how many steps it has.
void require_steps(const YamlNode& root, const QuotedRun& run) {
  for (const QuotedPhase& phase : run.phases)
    if (!phase.steps) root.fail("has a reference, so each phase needs its steps");
}

}  // namespace

Quote load_quote(const fs::path& file) {
  Quote quote;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  fields.required("name", quote.name).required("title", quote.title);
  fields.required("cluster", quote.cluster).required("plan", quote.plan);
  fields.optional("from_memory", quote.is_from_memory);
  quote.run = read_run(fields.child("run"));
  if (const auto reference = fields.optional_child("reference")) {
    quote.reference = read_run(*reference);
    require_steps(root, quote.run);
    require_steps(root, *quote.reference);
  }
  Fields quoted = fields.child("quoted").fields();
  read_positive(quoted, "rate", quote.rate);
  quoted.optional("counts_recomputation", quote.counts_recomputation);
  read_positive(quoted, "total_rate", quote.total_rate);
  read_positive(quoted, "time", quote.time);
  read_positive(quoted, "work", quote.work);
  read_positive(quoted, "samples_per_second", quote.samples_per_second);
  read_positive(quoted, "share_of_peak", quote.share_of_peak);
  read_positive(quoted, "speedup", quote.speedup);
  read_positive(quoted, "efficiency", quote.efficiency);
  quoted.done();
  fields.done();
  return quote;
}

std::vector<Quote> load_quotes(const fs::path& place) {
  if (place.extension() == ".yaml") return {load_quote(place)};
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place, error))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  if (files.empty())
    throw InputError({place.string()}, "", "is no .yaml file, nor a folder of them");
  std::sort(files.begin(), files.end());
  std::vector<Quote> quotes;
  quotes.reserve(files.size());
  for (const fs::path& file : files) quotes.push_back(load_quote(file));
  return quotes;
}

}  // namespace config
}  // namespace tofn
