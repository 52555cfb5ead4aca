# Builds Backline's image as Services/Dockerfile says, also where no registry answers. Sourced after containers.bash.
# shellcheck disable=SC2154 # That file sets debian_image.

# What Services/Dockerfile builds with.
readonly swift_image=docker.io/library/swift:6.3-bookworm
# Debian's packages that the image of Swift contains beside the toolchain.
readonly swift_packages=(
    binutils ca-certificates curl git libc6-dev libcurl4-openssl-dev libedit2 libgcc-12-dev libncurses-dev
    libpython3-dev libsqlite3-0 libstdc++-12-dev libxml2-dev pkg-config tzdata unzip zlib1g-dev)

# Pulls the image. Where no registry answers, makes one of Debian's image and this machine's toolchain. It stays for the
# next run, and is made anew when the toolchain is another.
make_swift_image() { # folder
    local toolchain version made_from container
    version=$(swift --version 2>/dev/null | head -n 1)
    if podman image exists "$swift_image"; then
        # An image that was pulled has no such label.
        made_from=$(podman image inspect --format '{{index .Labels "toolchain"}}' "$swift_image")
        [[ -n $made_from && $made_from != "$version" ]] || return 0
    elif timeout 1800 podman pull --quiet "$swift_image" >"$1/pull.log" 2>&1; then
        return 0
    fi
    [[ -n $version ]] || fail "no registry answers, and this machine has no Swift to make $swift_image of."
    toolchain=$(toolchain_folder)
    say "no registry answers; making $swift_image from $version"
    container=$(buildah from --pull-never "$debian_image")
    if ! { buildah run "$container" -- apt-get update -q \
        && buildah run "$container" -- apt-get install -qy --no-install-recommends "${swift_packages[@]}" \
        && buildah run "$container" -- rm -rf /var/lib/apt/lists \
        && cp -a "$toolchain/." "$(buildah mount "$container")/usr/" \
        && buildah umount "$container" \
        && buildah config --label "toolchain=$version" "$container" \
        && buildah commit --quiet "$container" "$swift_image"; } >"$1/swift-image.log" 2>&1; then
        tail -n 5 "$1/swift-image.log" >&2
        buildah rm "$container" >/dev/null
        fail "$swift_image could not be made."
    fi
    buildah rm "$container" >/dev/null
}

# The folder with bin/swift and lib/swift, which the command on the PATH may only lead to.
toolchain_folder() {
    local resources
    resources=$(swift -print-target-info | sed -nE 's/.*"runtimeResourcePath": "(.*)".*/\1/p')
    [[ $resources == */lib/swift ]] || fail "swift does not tell where its toolchain is."
    echo "${resources%/lib/swift}"
}

# Builds the image of a source tree under a name. The first stage is built on its own, with what this machine needs to
# find packages; it stays for the next run under NAME-build. The second build takes it from there, so that the image
# has no trace of the machine, and is what `docker build` makes.
build_image() { # folder, source tree, name
    local -a arguments
    local log=$1/build.log former target
    local -a stages=(build simulator-build)
    former=$(podman image inspect --format '{{.Id}}' "$3" "$3-simulator" "${stages[@]/#/$3-}" 2>/dev/null || true)
    mapfile -t arguments < <(package_arguments "$1")
    for target in "${stages[@]}"; do
        build_target "$2" "$3-$target" --target "$target" "${arguments[@]}"
    done
    build_target "$2" "$3"
    build_target "$2" "$3-simulator" --target simulator
    remove_former_images "$former"
}

build_target() { # source tree, name, arguments of podman
    podman build --file "$1/Services/Dockerfile" --tag "$2" "${@:3}" "$1" >>"$log" 2>&1 && return
    tail -n 30 "$log" >&2
    fail "the image $2 of $1 could not be built."
}

# Removes those that no name leads to any more: a build takes gigabytes.
remove_former_images() { # ids, one a line
    local id
    while read -r id; do
        [[ -n $id ]] || continue
        [[ $(podman image inspect --format '{{len .RepoTags}}' "$id" 2>/dev/null) != 0 ]] \
            || podman rmi "$id" >/dev/null 2>&1 || true
    done <<<"$1"
}

# Where git takes https://github.com/ from a local folder, the build does the same: the folder is mounted, and so is a
# configuration of git with the same rewriting.
package_arguments() { # folder
    local key value folder
    while read -r key value; do
        folder=${key#url.} folder=${folder%.insteadof}
        [[ $folder == /* && -d $folder ]] || continue
        git config --file "$1/gitconfig" --add "$key" "$value"
        printf -- '--volume\n%s:%s:ro\n' "${folder%/}" "${folder%/}"
    done < <(git config --get-regexp '^url\..*\.insteadof$' || true)
    [[ ! -e $1/gitconfig ]] || printf -- '--volume\n%s:/etc/gitconfig:ro\n' "$1/gitconfig"
}
