#include "microbench/nccl/nccl_call.hpp"

namespace tofn::bench {

void check_nccl(ncclResult_t code, ncclComm_t comm, const std::string& call) {
  if (code == ncclSuccess) return;
  std::string text = call + ": " + ncclGetErrorString(code);
  const char* last = ncclGetLastError(comm);
  if (last != nullptr && *last != '\0') text += std::string(": ") + last;
  throw std::runtime_error(text);
}

}  // namespace tofn::bench
