#include "sim/config/load_quote.hpp"

#include "sim/config/file_keys.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/yaml/field_rows.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

template <class Walk>
void phase_rows(Walk& walk, QuotedPhase& of) {
  walk({"model", "name in models/ of the model", true}, of.model);
  walk({"precision", "precision of the matrix products (default: the model's)"}, of.precision);
  walk({"batch", "samples of a step", true, range::positive}, of.batch);
  walk({"steps", "steps of the phase (absent for a quoted rate)", false, range::positive},
       of.steps);
}

template <class Walk>
void run_rows(Walk& walk, QuotedRun& of) {
  walk({"accelerators", "accelerators of the run", true, range::at_least_one}, of.accelerators);
  walk({"gradient_bucket", "gradient bucket of its software (default: the stack's)", false,
        range::positive},
       of.gradient_bucket);
  walk.list({"phases", "steps of one batch and one kind of sample", true}, "needs at least one",
            of.phases, [](auto& inner, QuotedPhase& phase) { phase_rows(inner, phase); });
  walk({"time", "time of all phases", false, range::positive}, of.time);
}

template <class Walk>
void figure_rows(Walk& walk, Quote& of) {
  walk({"rate", "FLOP/s of one accelerator", false, range::positive}, of.rate);
  walk({"counts_recomputation", "the rate counts recomputed work twice"}, of.counts_recomputation);
  walk({"total_rate", "FLOP/s of all accelerators", false, range::positive}, of.total_rate);
  walk({"time", "time of all the work", false, range::positive}, of.time);
  walk({"work", "FLOPs of the whole run", false, range::positive}, of.work);
  walk({"samples_per_second", "samples per second of the whole run", false, range::positive},
       of.samples_per_second);
  walk({"share_of_peak", "share of the peak that the rate reaches", false, range::positive},
       of.share_of_peak);
  walk({"speedup", "speedup over the reference", false, range::positive}, of.speedup);
  walk({"efficiency", "efficiency of the speedup", false, range::positive}, of.efficiency);
}

/// An efficiency compares the times of all phases, so each must state its number of steps.
void require_steps(const YamlNode& root, const QuotedRun& run) {
  for (const QuotedPhase& phase : run.phases)
    if (!phase.steps) root.fail("has a reference, so each phase needs its steps");
}

/// Rows of a file of quotes/.
template <class Walk>
void quote_rows(Walk& walk, Quote& of) {
  walk({"name", "name of the quote", true}, of.name);
  walk({"title", "a line for people", true}, of.title);
  walk({"cluster", "name in clusters/ of the machine", true}, of.cluster);
  walk({"plan", "name in plans/ of the plan", true}, of.plan);
  walk({"from_memory", "the figures were not checked against the documents that it names"},
       of.is_from_memory);
  walk.map({"run", "run that is quoted", true}, [&](auto& inner) { run_rows(inner, of.run); });
  walk.map({"reference", "run that speedup and efficiency are relative to"},
           [&](auto& inner) { run_rows(inner, of.reference.emplace()); });
  walk.map({"quoted", "figures as they are quoted", true},
           [&](auto& inner) { figure_rows(inner, of); });
}

}  // namespace

Quote load_quote(const fs::path& file) {
  Quote quote;
  const YamlNode root = YamlNode::load(file);
  FieldReader::read_map(root, [&](auto& walk) { quote_rows(walk, quote); });
  if (quote.reference) {
    require_steps(root, quote.run);
    require_steps(root, *quote.reference);
  }
  return quote;
}

void list_quote_keys(std::vector<FileKey>& keys) {
  FieldLister lister("quote", keys);
  Quote quote;
  quote_rows(lister, quote);
}

std::vector<Quote> load_quotes(const fs::path& place) {
  if (is_file_name(place.string())) return {load_quote(place)};
  std::vector<fs::path> files;
  for (const auto& entry : sorted_entries(place))
    if (entry.extension() == ".yaml") files.push_back(entry);
  if (files.empty())
    throw InputError({place.string()}, "", "is no .yaml file, nor a folder of them");
  std::vector<Quote> quotes;
  quotes.reserve(files.size());
  for (const fs::path& file : files) quotes.push_back(load_quote(file));
  return quotes;
}

}  // namespace config
}  // namespace tofn
