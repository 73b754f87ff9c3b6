#include "sim/curves/forms.hpp"

#include <array>

namespace tofn {
inline namespace curves {

namespace {

template <std::size_t Count>
std::vector<double> regimes(std::span<const Sample> samples, std::span<const double> sizes) {
  return predict_regimes(samples, sizes, Count);
}

}  // namespace

std::span<const CurveForm> curve_forms() {
  static constexpr std::array<CurveForm, 5> forms{{{"interpolation", predict_interpolation},
                                                   {"smooth", predict_smooth},
                                                   {"2 regimes", regimes<2>},
                                                   {"3 regimes", regimes<3>},
                                                   {"4 regimes", regimes<4>}}};
  return forms;
}

}  // namespace curves
}  // namespace tofn
