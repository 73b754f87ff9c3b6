#pragma once

#include <compare>

namespace tofn {

template <int Time, int Data, int Work, int Energy>
class Quantity;

namespace detail {

/// Type of an amount with these exponents; a pure ratio is a plain number.
template <int Time, int Data, int Work, int Energy>
struct Dimension {
  using type = Quantity<Time, Data, Work, Energy>;
};
template <>
struct Dimension<0, 0, 0, 0> {
  using type = double;
};

}  // namespace detail

/// An amount in base units (second, byte, FLOP, joule). The template arguments are the exponents of
/// its dimension, so `Bytes / BytesPerSecond` is `Seconds` and mixing dimensions does not compile.
template <int Time, int Data, int Work, int Energy>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double base) : base_(base) {}

  constexpr double base() const { return base_; }
  // clang-tidy 14 takes the 0 inside a defaulted comparison for a pointer.
  constexpr auto operator<=>(const Quantity&) const = default;  // NOLINT(modernize-use-nullptr)

  constexpr Quantity operator-() const { return Quantity{-base_}; }
  constexpr Quantity& operator+=(Quantity other) {
    base_ += other.base_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    base_ -= other.base_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    base_ *= factor;
    return *this;
  }
  constexpr Quantity& operator/=(double divisor) {
    base_ /= divisor;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return a *= factor; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a *= factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return a /= divisor; }
  friend constexpr auto operator/(double dividend, Quantity a) {
    return Quantity<-Time, -Data, -Work, -Energy>{dividend / a.base_};
  }

 private:
  double base_ = 0.0;
};

template <int T1, int D1, int W1, int E1, int T2, int D2, int W2, int E2>
constexpr auto operator*(Quantity<T1, D1, W1, E1> a, Quantity<T2, D2, W2, E2> b) {
  return typename detail::Dimension<T1 + T2, D1 + D2, W1 + W2, E1 + E2>::type{a.base() * b.base()};
}

template <int T1, int D1, int W1, int E1, int T2, int D2, int W2, int E2>
constexpr auto operator/(Quantity<T1, D1, W1, E1> a, Quantity<T2, D2, W2, E2> b) {
  return typename detail::Dimension<T1 - T2, D1 - D2, W1 - W2, E1 - E2>::type{a.base() / b.base()};
}

using Seconds = Quantity<1, 0, 0, 0>;
using Bytes = Quantity<0, 1, 0, 0>;
using Flops = Quantity<0, 0, 1, 0>;
using BytesPerSecond = Quantity<-1, 1, 0, 0>;
using FlopsPerSecond = Quantity<-1, 0, 1, 0>;
using Joules = Quantity<0, 0, 0, 1>;
using Watts = Quantity<-1, 0, 0, 1>;

namespace detail {

/// Scales in extended precision, so that `3.5_us` is the double nearest to 3.5e-6.
template <class Q>
constexpr Q scaled(long double value, long double multiplier, long double divisor = 1.0L) {
  return Q{static_cast<double>(value * multiplier / divisor)};
}
using Whole = unsigned long long;
using Real = long double;
constexpr Real wide(Whole value) { return static_cast<Real>(value); }

}  // namespace detail

inline namespace literals {

constexpr Seconds operator""_s(detail::Real v) { return detail::scaled<Seconds>(v, 1); }
constexpr Seconds operator""_s(detail::Whole v) { return operator""_s(detail::wide(v)); }
constexpr Seconds operator""_ms(detail::Real v) { return detail::scaled<Seconds>(v, 1, 1e3L); }
constexpr Seconds operator""_ms(detail::Whole v) { return operator""_ms(detail::wide(v)); }
constexpr Seconds operator""_us(detail::Real v) { return detail::scaled<Seconds>(v, 1, 1e6L); }
constexpr Seconds operator""_us(detail::Whole v) { return operator""_us(detail::wide(v)); }

constexpr Bytes operator""_B(detail::Real v) { return detail::scaled<Bytes>(v, 1); }
constexpr Bytes operator""_B(detail::Whole v) { return operator""_B(detail::wide(v)); }
constexpr Bytes operator""_KiB(detail::Real v) { return detail::scaled<Bytes>(v, 1024.0L); }
constexpr Bytes operator""_KiB(detail::Whole v) { return operator""_KiB(detail::wide(v)); }
constexpr Bytes operator""_MiB(detail::Real v) { return detail::scaled<Bytes>(v, 1048576.0L); }
constexpr Bytes operator""_MiB(detail::Whole v) { return operator""_MiB(detail::wide(v)); }
constexpr Bytes operator""_GiB(detail::Real v) { return detail::scaled<Bytes>(v, 1073741824.0L); }
constexpr Bytes operator""_GiB(detail::Whole v) { return operator""_GiB(detail::wide(v)); }
constexpr Bytes operator""_MB(detail::Real v) { return detail::scaled<Bytes>(v, 1e6L); }
constexpr Bytes operator""_MB(detail::Whole v) { return operator""_MB(detail::wide(v)); }
constexpr Bytes operator""_GB(detail::Real v) { return detail::scaled<Bytes>(v, 1e9L); }
constexpr Bytes operator""_GB(detail::Whole v) { return operator""_GB(detail::wide(v)); }

constexpr BytesPerSecond operator""_GBps(detail::Real v) {
  return detail::scaled<BytesPerSecond>(v, 1e9L);
}
constexpr BytesPerSecond operator""_GBps(detail::Whole v) {
  return operator""_GBps(detail::wide(v));
}
/// Gigabits (not bytes) per second, as network links are sold.
constexpr BytesPerSecond operator""_Gbps(detail::Real v) {
  return detail::scaled<BytesPerSecond>(v, 1e9L, 8);
}
constexpr BytesPerSecond operator""_Gbps(detail::Whole v) {
  return operator""_Gbps(detail::wide(v));
}

constexpr Flops operator""_TFLOP(detail::Real v) { return detail::scaled<Flops>(v, 1e12L); }
constexpr Flops operator""_TFLOP(detail::Whole v) { return operator""_TFLOP(detail::wide(v)); }
constexpr FlopsPerSecond operator""_TFLOPps(detail::Real v) {
  return detail::scaled<FlopsPerSecond>(v, 1e12L);
}
constexpr FlopsPerSecond operator""_TFLOPps(detail::Whole v) {
  return operator""_TFLOPps(detail::wide(v));
}

constexpr Watts operator""_W(detail::Real v) { return detail::scaled<Watts>(v, 1); }
constexpr Watts operator""_W(detail::Whole v) { return operator""_W(detail::wide(v)); }

}  // namespace literals

}  // namespace tofn
