#pragma once

#include <filesystem>

/// The folder of the files that ship.
inline const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";
