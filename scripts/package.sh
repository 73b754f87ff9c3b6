#!/usr/bin/env bash
# Makes the Debian packages into a build folder.
#   package.sh [BUILD_FOLDER [CMAKE_ARGUMENT...]]     (default: build-package)
# Without CUDA and NCCL, which are in no Debian package that others could install with these: -DTOFN_NCCL=AUTO
# takes what this machine has.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build="$(realpath -m "${1:-$root/build-package}")"
shift $(($# > 0 ? 1 : 0))
umask 022
rm -f "$build"/*.deb
configure_and_build "$build" package -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_TESTING=OFF \
  -DTOFN_NCCL=OFF "$@"

step "look at the packages"
# Nobody answers for a package whose maker is not named (DEBFULLNAME, DEBEMAIL).
without_maker=()
if [ -z "${DEBEMAIL:-}" ]; then without_maker=(--suppress-tags "bogus-mail-host,bogus-mail-host-in-debian-changelog"); fi
for package in "$build"/*.deb; do
  dpkg-deb --field "$package" Package Version Depends Installed-Size
  if command -v lintian >/dev/null; then lintian --fail-on error,warning ${without_maker[@]+"${without_maker[@]}"} "$package"; fi
done
