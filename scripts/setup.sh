#!/usr/bin/env bash
# Installs what the build needs where it is missing (Debian, Ubuntu).
#   setup.sh             to build and run
#   setup.sh --tests     to build and run the tests too
#   setup.sh --fuzz      to build the fuzzers
#   setup.sh --release   for every check of release_check.sh
#   setup.sh --wasm      to build a page with the program inside (build_wasm.sh): almost a gigabyte on the disk
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case "${1:-}" in
  "" | --tests | --fuzz | --release | --wasm) ;;
  *)
    echo "setup.sh: $1: expected nothing, --tests, --fuzz, --release or --wasm" >&2
    exit 2
    ;;
esac
packages=(cmake g++ libyaml-cpp-dev libboost-program-options-dev libfmt-dev nlohmann-json3-dev libeigen3-dev libmuparser-dev libsqlite3-dev libtomlplusplus-dev libjs-chart.js libcpp-httplib-dev pkg-config)
if ! command -v ninja >/dev/null; then packages+=(make); fi
if [[ "${1:-}" =~ ^--(tests|release)$ ]]; then
  packages+=(catch2 python3 libopenmpi-dev openmpi-bin libopenblas-dev clang-format-14)
  packages+=(pybind11-dev python3-dev python3-pandas jupyter-nbconvert python3-ipykernel)  # import tofn
fi
if [[ "${1:-}" =~ ^--(fuzz|release)$ ]]; then packages+=(catch2 python3 clang); fi
if [ "${1:-}" = --release ]; then packages+=(ninja-build clang-tidy gcovr dpkg-dev debootstrap lintian); fi
if [ "${1:-}" = --wasm ]; then packages+=(emscripten dpkg-dev); fi

step "look for missing packages"
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "not Debian or Ubuntu: needed are a C++20 compiler, CMake 3.25, yaml-cpp, fmt, nlohmann-json, Eigen 3.4, muParser, SQLite 3, toml++ and" \
    "Boost.Program_options 1.74 (for the charts of tofn report Chart.js 3, for tofn explore cpp-httplib; for the tests also Catch2 2.13 or 3, Python 3, clang-format 14; for sweeps over several nodes MPI; for the microbenchmarks MPI, OpenBLAS, CUDA 12 and NCCL 2.18, each optional)"
  exit 0
fi
# Newer systems do not offer the version that the sources are formatted with; they skip that test.
offers() { ! compgen -G "/var/lib/apt/lists/*_Packages*" >/dev/null || apt-cache show "$1" >/dev/null 2>&1; }
missing=()
for package in "${packages[@]}"; do
  # Another compiler or a CMake from elsewhere serves as well as the package.
  case "$package" in
    cmake | make | python3 | pkg-config) if command -v "$package" >/dev/null; then continue; fi ;;
    libopenmpi-dev) if command -v mpicxx >/dev/null; then continue; fi ;;
    openmpi-bin) if command -v mpirun >/dev/null; then continue; fi ;;
    clang-format-14) if command -v "$package" >/dev/null || ! offers "$package"; then continue; fi ;;
    clang) if command -v clang++ >/dev/null; then continue; fi ;;
    g++) if command -v c++ >/dev/null; then continue; fi ;;
  esac
  status="$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)"
  if [ "$status" != "install ok installed" ]; then missing+=("$package"); fi
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "nothing is missing"
  exit 0
fi

step "install ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo --preserve-env=DEBIAN_FRONTEND); fi
${as_root[@]+"${as_root[@]}"} apt-get update -q
offered=()
for package in "${missing[@]}"; do
  if [ "$package" != clang-format-14 ] || offers "$package"; then offered+=("$package"); fi
done
${as_root[@]+"${as_root[@]}"} apt-get install -y -q --no-install-recommends ${offered[@]+"${offered[@]}"}
