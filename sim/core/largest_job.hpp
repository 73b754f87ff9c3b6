#pragma once

namespace tofn {

/// Largest number of accelerators of a job. It is far above any system, and products of sizes fit
/// an int.
inline constexpr int largest_job = 1 << 20;

}  // namespace tofn
