#pragma once

/// tofn predicts how long distributed training takes on N accelerators, and why.
#include "tofn/answer.hpp"    // IWYU pragma: export
#include "tofn/commands.hpp"  // IWYU pragma: export
#include "tofn/error.hpp"     // IWYU pragma: export
#include "tofn/help.hpp"      // IWYU pragma: export
#include "tofn/question.hpp"  // IWYU pragma: export
