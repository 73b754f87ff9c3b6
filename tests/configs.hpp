#pragma once

#include <filesystem>

/// Folder of the shipped configs.
inline const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";
