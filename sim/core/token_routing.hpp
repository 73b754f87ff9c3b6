#pragma once

namespace tofn {

/// Routing of a token to experts: `groups_per_token` of `groups` equal groups, and in those
/// `experts_per_token` experts, with all choices equally likely (DeepSeek-V3's node-limited
/// routing, arXiv 2412.19437, section 2.1.2; one group: all experts).
struct TokenRouting {
  int experts = 1;
  int experts_per_token = 1;
  int groups = 1;
  int groups_per_token = 1;

  friend bool operator==(const TokenRouting&, const TokenRouting&) = default;
};

/// Mean number of blocks that have an expert of a token, if neighbouring experts form `blocks`
/// equal blocks (ranks, nodes). Groups and blocks that do not divide each other are treated as if
/// they did.
double expected_blocks(const TokenRouting&, double blocks);

}  // namespace tofn
