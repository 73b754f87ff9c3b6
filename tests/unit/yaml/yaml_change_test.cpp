#include "sim/yaml/yaml_change.hpp"

#include <string>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

YamlNode document() {
  return YamlNode::parse(
      "name: x\n"
      "network:\n"
      "  latency: 5 us [assumed]\n"
      "parts:\n"
      "  - transformer: {layers: 80, heads: 64}\n"
      "  - vocabulary: {size: 1000}\n"
      "layers:\n"
      "  - name: encoder\n"
      "    count: 24\n"
      "  - name: head\n"
      "    count: 1\n",
      "file.yaml");
}

}  // namespace

TEST_CASE("a value is found by its path, without its sources") {
  CHECK(text_at(document(), "network.latency") == "5 us");
  CHECK(text_at(document(), "parts.transformer.layers") == "80");
  CHECK(text_at(document(), "parts[1].vocabulary.size") == "1000");
  CHECK(text_at(document(), "layers.encoder.count") == "24");
  CHECK(text_at(document(), "layers[1].count") == "1");
}

TEST_CASE("a changed value is assumed, the rest stays, and so does the document itself") {
  const YamlNode before = document();
  const YamlNode after = with_text(before, "network.latency", "10 us");
  CHECK(text_at(after, "network.latency") == "10 us");
  CHECK(text_at(before, "network.latency") == "5 us");
  CHECK(text_at(after, "parts.transformer.heads") == "64");
  Seconds latency;
  after.entries()[1].second.entries()[0].second.read(latency);
  CHECK_THAT(latency.base(), WithinRel(10e-6, 1e-12));
}

TEST_CASE("a key that a map lacks is added, for its reader to judge") {
  CHECK(text_at(with_text(document(), "network.bandwidth", "1 GB/s"), "network.bandwidth") ==
        "1 GB/s");
}

TEST_CASE("a path that leads nowhere is refused with what there is") {
  CHECK_THAT(refusal([] { text_at(document(), "network.latenzy"); }),
             Equals("unknown key 'latenzy', did you mean 'latency'? valid keys: latency"));
  CHECK_THAT(refusal([] { with_text(document(), "name.first", "a"); }),
             Equals("'name' is a single value"));
  CHECK_THAT(refusal([] { with_text(document(), "network", "a"); }),
             Equals("is a map: choose one of latency"));
  CHECK_THAT(refusal([] { with_text(document(), "layers", "a"); }),
             Equals("is a list: choose one item, e.g. [0]"));
  CHECK_THAT(refusal([] { with_text(document(), "layers[2].count", "a"); }),
             Equals("there is no item [2]: the list has 2, from [0]"));
  CHECK_THAT(refusal([] { with_text(document(), "layers.decoder.count", "a"); }),
             Equals("unknown item 'decoder', did you mean 'encoder'? valid items: encoder, head"));
}
