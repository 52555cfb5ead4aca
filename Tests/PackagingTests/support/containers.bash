# Containers for tests of the packaging, with Debian's podman and buildah. A script sources this file from the
# repository's folder:
#
#   source Tests/PackagingTests/support/containers.bash
#   prepare_containers test-image "$temporary_folder"
#   podman run --rm "$debian_image" true
#
# After that, `podman` and `buildah` need no further arguments on machines where their defaults fail, in child processes
# too: the settings are in files below the temporary folder, which environment variables name. Where containers cannot
# run, prepare_containers prints why and ends the script with 77, which means skipped.

# The names that Services/Dockerfile uses, in full.
readonly debian_image=docker.io/library/debian:bookworm-slim
readonly debian_release=bookworm
readonly debian_mirror=http://deb.debian.org/debian
# The exit status of a test that could not run, as in automake and Meson.
readonly skipped=77

say() { printf '%s: %s\n' "$script_name" "$*"; }
fail() {
    printf '%s: %s\n' "$script_name" "$*" >&2
    exit 1
}
skip() {
    printf '%s: SKIPPED: %s\n' "$script_name" "$*" >&2
    exit "$skipped"
}

# Makes containers work here and $debian_image exist, or ends the script.
prepare_containers() { # the script's name for its messages, a folder that the caller removes
    script_name=$1
    ((EUID == 0)) || skip "the containers need root; run it with sudo."
    install_engine
    write_settings "$2"
    podman info >"$2/info.log" 2>&1 || skip "podman cannot work here: $(tail -n 1 "$2/info.log")"
    make_debian_image "$2"
    try_container "$2"
}

# MARK: The engine

# A command and Debian's package that has it, for each that is missing.
install_engine() {
    local command package
    local -a missing=()
    while read -r command package; do
        command -v "$command" >/dev/null || missing+=("$package")
    done <<'COMMANDS'
podman podman
buildah buildah
runc runc
debootstrap debootstrap
iptables iptables
COMMANDS
    # What gives containers a network of their own, with names for each other as Docker's networks have; it has no
    # command on the PATH.
    if [[ ! -x /usr/lib/podman/netavark ]]; then
        [[ -x /usr/lib/cni/bridge ]] || missing+=(containernetworking-plugins)
        [[ -x /usr/lib/cni/dnsname ]] || missing+=(golang-github-containernetworking-plugin-dnsname)
    fi
    ((${#missing[@]} == 0)) || scripts/apt-install "${missing[@]}" \
        || skip "podman and its tools are missing, and cannot be installed."
}

# Settings that also work without systemd, with mixed control groups, and where root may not raise its limits:
# - crun, the default, refuses a machine that mounts both versions of control groups. runc takes them.
# - Without systemd as process 1 the engine makes control groups itself.
# - podman's default limits are above the hard limits of such a root, who lacks CAP_SYS_RESOURCE.
# - Builds need no container of their own: `chroot` works wherever root does.
# - `debian` means Docker's image, as it does with Docker.
write_settings() { # folder
    cat >"$1/containers.conf" <<SETTINGS
[containers]
default_ulimits = ["nofile=$(limit_within 20000 "$(ulimit -Hn)")", "nproc=$(limit_within 16384 "$(ulimit -Hu)")"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
SETTINGS
    echo 'unqualified-search-registries = ["docker.io"]' >"$1/registries.conf"
    export CONTAINERS_CONF=$1/containers.conf CONTAINERS_REGISTRIES_CONF=$1/registries.conf BUILDAH_ISOLATION=chroot
}

# "LIMIT:LIMIT" for the lower of a wanted limit and a hard limit.
limit_within() { # wanted, hard limit or "unlimited"
    local limit=$1
    if [[ $2 != unlimited ]] && (($2 < limit)); then limit=$2; fi
    echo "$limit:$limit"
}

try_container() { # folder
    local log=$1/trial.log
    podman run --rm "$debian_image" true >"$log" 2>&1 && return
    # Some machines can run containers and give them no network.
    if podman run --rm --network none "$debian_image" true >/dev/null 2>&1; then
        skip "containers get no network of their own here: $(tail -n 1 "$log")"
    fi
    skip "no container can run here: $(tail -n 1 "$log")"
}

# MARK: Debian

# Pulls the image. Where no registry answers, makes an equal one from Debian's packages, which stays for the next run.
make_debian_image() { # folder
    ! podman image exists "$debian_image" || return 0
    ! timeout 300 podman pull --quiet "$debian_image" >"$1/pull.log" 2>&1 || return 0
    say "no registry answers; making $debian_image from Debian's packages"
    debootstrap --variant=minbase --include=ca-certificates "$debian_release" "$1/debian" "$debian_mirror" \
        >"$1/debootstrap.log" 2>&1 \
        || skip "Debian's packages cannot be fetched: $(tail -n 1 "$1/debootstrap.log")"
    slim_debian "$1/debian"
    tar --create --directory "$1/debian" . \
        | podman import --quiet --change 'CMD ["bash"]' - "$debian_image" >/dev/null
    rm -rf "$1/debian"
}

# Removes what Docker's image lacks, and keeps packages that are installed later from bringing it back.
slim_debian() { # folder
    local etc=$1/etc
    rm -rf "$1"/usr/share/{man,locale,info,lintian,groff} "$1"/var/{lib/apt/lists,cache/apt,log}/*
    find "$1/usr/share/doc" -mindepth 2 ! -name copyright ! -type d -delete
    # Nothing in a container's build may start a service.
    printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
    chmod 0755 "$1/usr/sbin/policy-rc.d"
    printf 'path-exclude %s\n' '/usr/share/man/*' '/usr/share/locale/*' '/usr/share/info/*' '/usr/share/doc/*' \
        >"$etc/dpkg/dpkg.cfg.d/docker"
    echo 'path-include /usr/share/doc/*/copyright' >>"$etc/dpkg/dpkg.cfg.d/docker"
    printf 'Apt::AutoRemove::SuggestsImportant "false";\nAcquire::Languages "none";\n' >"$etc/apt/apt.conf.d/docker"
    echo 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };' \
        >>"$etc/apt/apt.conf.d/docker"
    cat >"$etc/apt/sources.list" <<SOURCES
deb $debian_mirror $debian_release main
deb $debian_mirror $debian_release-updates main
deb ${debian_mirror}-security $debian_release-security main
SOURCES
    echo >"$etc/resolv.conf"
    rm -f "$etc/hostname"
}
