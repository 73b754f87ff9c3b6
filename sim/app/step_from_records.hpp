#pragma once

#include "sim/app/command.hpp"

namespace tofn {

/// Adds the options of `tofn step --record`.
void add_record_options(options::options_description&);

/// Predicts steps of several ranks from records of one and measured all-reduces, beside what was
/// measured where that is given; returns the exit code.
int step_from_records(const options::variables_map&, const CommonOptions&);

}  // namespace tofn
