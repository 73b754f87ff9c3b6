#!/usr/bin/env bash
# Installs the Debian packages of a build folder in a clean Debian root and uses them there; needs root and debootstrap.
#   check_package.sh [BUILD_FOLDER]     (default: build-package)
# The root is of the release and mirror that this machine's own apt names. Where it cannot be made it says why, with
# exit code 77.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build="$(realpath "${1:-$root/build-package}")"
skip() {
  echo "not checked: $1"
  exit 77
}

packages=("$build"/*.deb)
[ -e "${packages[0]}" ] || skip "no package in $build: scripts/package.sh makes them"
[ "$(id -u)" -eq 0 ] || skip "a root for chroot needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
# What is mounted below goes away with this process.
if [ -z "${TOFN_OWN_MOUNTS:-}" ]; then
  unshare --mount true 2>/dev/null || skip "unshare --mount fails"
  TOFN_OWN_MOUNTS=1 exec unshare --mount "$(realpath "$0")" "$build"
fi
codename="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
mirror="$(apt-get indextargets --format '$(CODENAME) $(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
  awk -v codename="$codename" '$1 == codename && $2 == "Debian" { print $3; exit }')"
[ -n "$mirror" ] || skip "apt has no Debian mirror of this release ($codename)"
# debootstrap fetches by itself, and knows nothing of apt's proxy.
proxy=
eval "$(apt-config shell proxy Acquire::http::Proxy)"
if [ -n "$proxy" ]; then export http_proxy="$proxy"; fi

clean="$(mktemp -d)"
trap 'umount -l "$clean/proc" 2>/dev/null || true; rm -rf --one-file-system "$clean"' EXIT
step "a clean root of Debian $codename from $mirror"
debootstrap --variant=minbase "$codename" "$clean" "$mirror" >"$build/debootstrap.log" 2>&1 ||
  skip "debootstrap failed: $(tail -1 "$build/debootstrap.log")"
mount -t proc proc "$clean/proc"
mkdir "$clean/packages"
cp "${packages[@]}" "$clean/packages"
cp -r "$root/tests/library_user" "$clean/packages/"
if [ -n "$proxy" ]; then echo "Acquire::http::Proxy \"$proxy\";" >"$clean/etc/apt/apt.conf.d/proxy"; fi

# Prints a command and what it says in the clean root.
there() {
  echo "\$ $1"
  chroot "$clean" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
    bash -o pipefail -ec "$1"
}

step "install"
there 'apt-get update -q=2'
there 'apt-get install -y -q=2 --no-install-recommends /packages/*.deb >/install.log 2>&1 || { tail /install.log; exit 1; }'
there 'dpkg -l "*tofn*" | grep ^ii'

step "the program"
there 'tofn --version'
there 'tofn compare >/answer; head -3 /answer'
there 'tofn predict llama3-70b dgx-h100 -N 512 --tokens 2T >/answer; head -1 /answer'
there 'tofn predict llama3-8b - -N 16 --tokens 1T </usr/share/tofn/configs/clusters/dgx-h100.yaml >/answer; head -1 /answer'
there 'tofn-bench --help >/answer; head -1 /answer'

step "pages and completions"
there 'apt-get install -y -q=2 --no-install-recommends man-db bash-completion zsh fish >/install.log 2>&1'
there 'man -w tofn tofn-plan'
there 'man tofn-plan >/page; head -4 /page'
there 'source /usr/share/bash-completion/bash_completion; _completion_loader tofn || true; complete -p tofn
  COMP_WORDS=(tofn predict llama3-8b dgx-h1); COMP_CWORD=3; _tofn; [ "${COMPREPLY[*]}" = dgx-h100 ]; echo "${COMPREPLY[@]}"'
there 'zsh -fc "autoload -Uz compinit; compinit -u -D; [[ \$_comps[tofn] == _tofn ]] && echo \$_comps[tofn]"'
there 'fish -c "complete -C\"tofn predict llama3-8b dgx-h1\"" | grep dgx-h100'

if compgen -G "$build/libtofn-dev_*.deb" >/dev/null; then
  step "the library"
  there 'apt-get install -y -q=2 --no-install-recommends g++ cmake make pkg-config >/install.log 2>&1'
  there 'cmake -S /packages/library_user -B /user >/user.log; cmake --build /user >>/user.log; /user/days'
  there 'g++ /packages/library_user/days.cpp -o /days $(pkg-config --cflags --libs tofn); /days'
fi
if compgen -G "$build/python3-tofn_*.deb" >/dev/null; then
  step "the module"
  there 'python3 -c "import tofn; print(tofn.predict(\"llama3-70b\", \"dgx-h100\", accelerators=512, tokens=\"2T\"))" >/answer; head -1 /answer'
fi

step "remove"
there 'apt-get purge -y -q=2 "*tofn*" >/install.log 2>&1; ! find / -xdev -path /packages -prune -o -name "*tofn*" -print | grep .'
echo "the packages install, work and go away in a clean Debian $codename"
