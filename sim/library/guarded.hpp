#pragma once

#include <exception>

#include <fmt/format.h>

#include "sim/core/answer_of_no.hpp"
#include "sim/core/file.hpp"
#include "tofn/error.hpp"

namespace tofn {

/// Runs `work` and turns every exception into an Error with the command's words.
template <class Work>
auto guarded(const Work& work) {
  constexpr int failure_of_ours = 1;
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const InputError& error) {
    throw Error(error.what(), exit_code_of(error));
  } catch (const WriteError& error) {
    throw Error(error.what(), failure_of_ours);
  } catch (const std::exception& error) {
    throw Error(fmt::format("internal error: {}", error.what()), failure_of_ours);
  }
}

}  // namespace tofn
