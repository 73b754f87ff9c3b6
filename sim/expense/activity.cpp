#include "sim/expense/activity.hpp"

namespace tofn {
inline namespace expense {

double utilisation(const Activity& activity) {
  const Seconds total = activity.total();
  if (!(total > Seconds{})) return 0;
  return (computing_draw * activity.computing + launching_draw * activity.launching +
          communicating_draw * activity.communicating) /
         total;
}

}  // namespace expense
}  // namespace tofn
