#include "microbench/compute/processor.hpp"

namespace tofn::bench {

int buffers_of(MemoryPattern pattern) { return pattern == MemoryPattern::Copy ? 2 : 3; }

}  // namespace tofn::bench
