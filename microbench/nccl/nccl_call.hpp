#pragma once

#include <stdexcept>
#include <string>

#include <nccl.h>

namespace tofn::bench {

/// Throws std::runtime_error `ncclAllReduce: <the error>: <the library's last words on it>` if
/// `code` is an error. `comm` may be null.
void check_nccl(ncclResult_t code, ncclComm_t comm, const std::string& call);

}  // namespace tofn::bench
