#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace tofn {
inline namespace validation {

/// A figure of a cluster's file on which the time of no collective depends.
struct IdleFigure {
  std::string key;          ///< dotted
  std::string_view excuse;  ///< why that may be; empty: it may not
};

/// The figures of which neither twice nor half the value changes the time of any collective, from
/// 8 B to 1 GiB, over two ranks, a node, a domain, the smallest closed torus, two domains and two
/// leaves. Switches are not asked after.
std::vector<IdleFigure> idle_figures(const Cluster&);

}  // namespace validation
}  // namespace tofn
