/*
 * Makes writes fail as a broken disk does, in a process that preloads it (LD_PRELOAD).
 *
 * DISK_FAULT_PREFIX: files whose paths begin with it are concerned.
 * DISK_FAULT_ERROR:  a file that holds an errno as a number; while it exists, writes to those files fail with it.
 *
 * A real disk that the kernel has made read-only under its users, or that answers with errors, cannot be made and
 * mended again by a test.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The error that a write to the file must fail with; 0 lets it pass. */
static int fault(int file) {
    const char *prefix = getenv("DISK_FAULT_PREFIX"), *switch_path = getenv("DISK_FAULT_ERROR");
    char link[64], path[PATH_MAX], number[16];
    if (!prefix || !switch_path) return 0;
    int before = errno;
    int control = open(switch_path, O_RDONLY | O_CLOEXEC);
    if (control < 0) {
        errno = before;
        return 0;
    }
    ssize_t count = read(control, number, sizeof number - 1);
    close(control);
    errno = before;
    if (count <= 0) return 0;
    number[count] = 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    count = readlink(link, path, sizeof path - 1);
    errno = before;
    if (count <= 0) return 0;
    path[count] = 0;
    return strncmp(path, prefix, strlen(prefix)) == 0 ? atoi(number) : 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_IF_BROKEN(file)         \
    do {                             \
        int code = fault(file);      \
        if (code) {                  \
            errno = code;            \
            return -1;               \
        }                            \
    } while (0)

ssize_t write(int file, const void *bytes, size_t count) {
    FAIL_IF_BROKEN(file);
    return REAL(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    FAIL_IF_BROKEN(file);
    return REAL(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    FAIL_IF_BROKEN(file);
    return REAL(pwrite64)(file, bytes, count, offset);
}

int ftruncate64(int file, off64_t length) {
    FAIL_IF_BROKEN(file);
    return REAL(ftruncate64)(file, length);
}
