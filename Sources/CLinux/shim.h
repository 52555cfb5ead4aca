#ifndef BACKLINE_CLINUX_SHIM_H
#define BACKLINE_CLINUX_SHIM_H

#include <fcntl.h>
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Debian 12's C library has no function for sched_setattr(2), and syscall(2) is variadic, which Swift cannot call. */

/*
 * Gives the calling thread a niceness (-20...19); threads that it starts begin at 0 when it is negative.
 * Returns 0, or -1 with errno (EPERM: neither RLIMIT_NICE nor CAP_SYS_NICE allows it).
 */
static inline int clinux_set_thread_niceness(int niceness) {
    struct sched_attr attributes = {0};
    attributes.size = sizeof attributes;
    attributes.sched_policy = SCHED_NORMAL;
    attributes.sched_flags = SCHED_FLAG_RESET_ON_FORK;
    attributes.sched_nice = niceness;
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

/* glibc declares these with _GNU_SOURCE alone; the numbers are those of linux/fcntl.h. */
#ifndef F_OFD_SETLK
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#endif

/*
 * Takes (F_WRLCK) or releases (F_UNLCK) the first byte of a file for this open file description; fcntl(2) is variadic.
 * Such locks and those of flock(2) do not affect each other. Returns 0, or -1 with errno.
 */
static inline int clinux_lock_first_byte(int descriptor, short type, int waits) {
    struct flock lock = {0};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    return fcntl(descriptor, waits ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
}

/* glibc declares memmem(3) only with _GNU_SOURCE, which Swift's module of the C library does not set. */
extern void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

/* Finds bytes in others; NULL when they are not there. */
static inline const void *_Nullable clinux_find(
    const void *_Nonnull bytes, size_t length, const void *_Nonnull sought, size_t sought_length) {
    return memmem(bytes, length, sought, sought_length);
}

/*
 * Has glibc's allocator use so many arenas at most; Swift's module of the C library leaves out malloc.h. Threads that
 * run already keep theirs.
 */
static inline void clinux_limit_arenas(int count) {
    mallopt(M_ARENA_MAX, count);
}

#endif
