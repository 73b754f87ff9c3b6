#include <cmath>
#include <string>
#include <type_traits>

#include "sim/config/read_run_phases.hpp"
#include "sim/core/count_text.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {
namespace {

void require_whole(const YamlNode& node, double number) {
  if (std::floor(number) != number) node.fail("must be a whole number");
}

/// Reads tokens of a text as options do, such as `4k`; lists them as a number.
template <class Walk, class T>
void length_row(Walk& walk, const FileField& field, T& tokens) {
  if constexpr (std::is_same_v<Walk, FieldReader>) {
    walk.with(field, "", [&](const YamlNode& node) {
      std::string text;
      node.read(text);
      try {
        tokens = length_in_tokens(text);
      } catch (const InputError& error) {
        node.mistaken(error.what());
      }
    });
  } else {
    walk(field, tokens);
  }
}

/// Rows of RL post-training.
template <class Walk>
void rl_rows(Walk& walk, RlJob& rl) {
  constexpr auto least = range::at_least_one;
  walk({"algorithm", rl_words::algorithm, true}, rl.algorithm);
  walk({"steps", rl_words::steps, true, least}, rl.steps,
       [&](const YamlNode& node) { require_whole(node, *rl.steps); });
  walk({"prompts", rl_words::prompts, true, least}, rl.prompts,
       [&](const YamlNode& node) { require_whole(node, rl.prompts); });
  walk({"generations", rl_words::generations, true, least}, rl.generations,
       [&](const YamlNode& node) { require_whole(node, rl.generations); });
  length_row(walk, {"prompt_length", rl_words::prompt, false}, rl.stated_prompt_tokens);
  length_row(walk, {"response_length", rl_words::response, true}, rl.response_tokens);
  length_row(walk, {"max_length", rl_words::longest, true}, rl.longest_tokens);
  walk({"length_spread", rl_words::spread, false, {0, 3, false, "must be from 0 to 3"}},
       rl.stated_spread);
  walk({"updates", rl_words::updates, false, least}, rl.updates);
  walk({"steps_off", rl_words::steps_off, false, range::not_negative}, rl.steps_off);
  walk({"generators", rl_words::generators, false, least}, rl.generators);
  walk({"engine_tp", rl_words::engine_ranks, false, least}, rl.engine_ranks);
  walk({"engine_attention", rl_words::engine_attention}, rl.engine_attention);
  walk({"engine_precision", rl_words::engine_precision}, rl.stated_engine_weights);
  walk({"max_sequences", rl_words::most_sequences, false, least}, rl.stated_sequences);
  walk({"reference", rl_words::reference}, rl.has_reference);
}

}  // namespace

RlJob read_rl_job(const YamlNode& node) {
  RlJob rl;
  Fields fields = node.fields();
  FieldReader reader(fields);
  rl_rows(reader, rl);
  fields.done();
  at_node(fields.child("max_length"), [&] { return rl.lengths(); });
  if (rl.updates > 1) at_node(fields.child("updates"), [&] { return rl.responses_of_update(); });
  return rl;
}

void list_rl_keys(FieldLister& lister) {
  RlJob rl{.stated_prompt_tokens = default_prompt_tokens,
           .stated_spread = default_length_spread,
           .stated_engine_weights = Precision::Bf16,
           .stated_sequences = default_most_sequences};
  rl_rows(lister, rl);
}

}  // namespace config
}  // namespace tofn
