#pragma once

#include <pybind11/pybind11.h>

#include "tofn/question.hpp"

namespace tofn {
inline namespace python {

/// Options as Python's keyword arguments have them: numbers (numpy's too), texts, paths, True,
/// False and what holds several of these. One that is None is not given. TypeError of anything
/// else.
Options options_of(const pybind11::dict& keywords);

}  // namespace python
}  // namespace tofn
