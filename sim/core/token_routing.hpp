#pragma once

namespace tofn {

/// How a token chooses its experts: `groups_per_token` of so many equal groups, and in those
/// `experts_per_token` experts, all choices equally likely (DeepSeek-V3's node-limited routing,
/// arXiv 2412.19437, section 2.1.2; one group: of all experts).
struct TokenRouting {
  int experts = 1;
  int experts_per_token = 1;
  int groups = 1;
  int groups_per_token = 1;

  friend bool operator==(const TokenRouting&, const TokenRouting&) = default;
};

/// Of `blocks` equal runs of neighbouring experts (a rank's, a node's), how many hold an expert of
/// a token, in the mean. Groups and blocks that do not divide each other are taken as if they did.
double expected_blocks(const TokenRouting&, double blocks);

}  // namespace tofn
