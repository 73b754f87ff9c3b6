#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace tofn {
inline namespace validation {

/// A figure of a cluster's file that changes the time of no collective.
struct IdleFigure {
  std::string key;          ///< dotted
  std::string_view excuse;  ///< reason why that may be; empty: there is none
};

/// Figures whose value can be doubled or halved without changing the time of any collective, from 8
/// B to 1 GiB, over two ranks, a node, a domain, the smallest closed torus, two domains and two
/// leaves. Switches (true or false) are left out.
std::vector<IdleFigure> idle_figures(const Cluster&);

}  // namespace validation
}  // namespace tofn
