#!/usr/bin/env bash
# Builds one HTML file that answers as `tofn explore` does, without a server: the page with the program inside.
#   build_wasm.sh [PAGE.html]     (default: build-wasm/tofn-explore.html)
# Needs emscripten and the sources of four libraries' packages (scripts/setup.sh --wasm).
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build="$root/build-wasm"
sources="$build/sources"

refuse() {
  echo "build_wasm.sh: $1" >&2
  trap - EXIT
  exit 2
}

# What lies beside the package's own headers is of its version, so that the sources must be.
package_of() { dpkg-query -S "$1" 2>/dev/null | sed -n 's/: .*//p' | head -n 1 | sed 's/,.*//'; }

# Debian's sources for the packages installed here, by lists of their own: the system's stay as they are.
apt_sources() {
  local lists="$build/apt" file
  mkdir -p "$lists/parts" "$lists/lists/partial" "$lists/cache/archives/partial"
  # shellcheck disable=SC2016  # names of apt
  apt-get indextargets --format '$(SOURCESENTRY) $(ORIGIN)' 'Created-By: Packages' |
    sed -nE 's/:[0-9]+ (Debian|Ubuntu)$//p' | sort -u | while read -r file; do
    case "$file" in
      *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$lists/parts/$(basename "$file")" ;;
      *) sed -n 's/^deb /deb-src /p' "$file" >"$lists/parts/$(basename "$file" .list).list" ;;
    esac
  done
  apt_options=(-q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$lists/parts"
    -o "Dir::State::lists=$lists/lists" -o "Dir::Cache=$lists/cache" -o APT::Sandbox::User=root)
}

# fetch NAME HEADER [PATTERN]: into $sources/NAME the sources (those below PATTERN alone) of what installed HEADER.
fetch() {
  local name="$1" header="$2" pattern="${3:-}" package source archive
  if [ -d "$sources/$name" ]; then return; fi
  package="$(package_of "$header")"
  if [ -z "$package" ]; then refuse "no package has $header: scripts/setup.sh installs it"; fi
  source="$(dpkg-query -W -f '${source:Package}=${source:Version}' "$package")"
  step "fetch the sources $source"
  mkdir -p "$build/archives/$name"
  if [ ! -d "$build/apt" ]; then
    apt_sources
    apt-get "${apt_options[@]}" update
  fi
  (cd "$build/archives/$name" && apt-get "${apt_options[@]}" source --download-only "$source")
  rm -rf "${sources:?}/$name.new"
  if [ -z "$pattern" ]; then
    dpkg-source -x "$build/archives/$name/"*.dsc "$sources/$name.new"
  else
    mkdir -p "$sources/$name.new"
    archive="$(ls "$build/archives/$name/"*.orig.tar.*)"
    tar -xf "$archive" -C "$sources/$name.new" --strip-components=1 --wildcards "*/$pattern"
  fi
  mv "$sources/$name.new" "$sources/$name"
}

page="${1:-$build/tofn-explore.html}"
case "$page" in
  -*) refuse "usage: build_wasm.sh [PAGE.html]" ;;
  *.html) ;;
  *) refuse "'$page' is no name of a page: expected PAGE.html" ;;
esac
if ! command -v em++ >/dev/null; then refuse "emscripten is not installed: scripts/setup.sh --wasm installs it"; fi
for program in cmake node; do
  if ! command -v "$program" >/dev/null; then refuse "$program is not installed: scripts/setup.sh --wasm installs it"; fi
done

mkdir -p "$sources"
if [ -z "${TOFN_WASM_SOURCES:-}" ]; then
  if ! command -v dpkg-source >/dev/null; then
    refuse "dpkg-dev is not installed: scripts/setup.sh --wasm installs it; elsewhere TOFN_WASM_SOURCES names a folder with boost, fmtlib, muparser and yaml-cpp"
  fi
  apt_options=()
  fetch yaml-cpp /usr/include/yaml-cpp/yaml.h
  fetch fmtlib /usr/include/fmt/format.h
  fetch muparser /usr/include/muParser.h
  fetch boost /usr/include/boost/program_options.hpp 'libs/program_options/src/*'
  TOFN_WASM_SOURCES="$sources"
fi

# Debian's emscripten needs modules of Debian's node, whichever node comes first.
export NODE_PATH="${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs"
if command -v ccache >/dev/null; then export EM_COMPILER_WRAPPER=ccache; fi
configure_and_build "$build" tofn_wasm_page -DCMAKE_TOOLCHAIN_FILE="$(em-config EMSCRIPTEN_ROOT)/cmake/Modules/Platform/Emscripten.cmake" \
  -DTOFN_WASM_SOURCES="$TOFN_WASM_SOURCES"
if [ "$(realpath -m "$page")" != "$(realpath -m "$build/tofn-explore.html")" ]; then
  cp "$build/tofn-explore.html" "$page"
fi
echo "$page: open it in a browser"
