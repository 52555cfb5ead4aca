#ifndef BACKLINE_CLINUX_SHIM_H
#define BACKLINE_CLINUX_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/sched/types.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
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
static inline int clinux_lock_first_byte(int descriptor, short type) {
    struct flock lock = {0};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

static inline void clinux_ignore(int signal) { (void)signal; }

/*
 * Waits for the first byte of a file, in the kernel's queue, for a time at most. Returns 0, or -1 with errno
 * (ETIMEDOUT).
 *
 * fcntl(2) has no time limit of its own. A timer interrupts it with a signal to this thread, again and again, so that
 * one that comes before the call begins does no harm. The signal, SIGRTMAX - 3, ends no other call of the process: it is
 * sent to this thread alone, and only until this function returns.
 */
static inline int clinux_lock_first_byte_within(int descriptor, unsigned milliseconds) {
    const int number = SIGRTMAX - 3;
    /* Without SA_RESTART. It is the same for all threads, so that it may be set more than once. */
    struct sigaction action = {0};
    action.sa_handler = clinux_ignore;
    if (sigaction(number, &action, NULL) != 0) return -1;
    /* Threads inherit their mask, and those of libdispatch block most signals. */
    sigset_t own, before;
    sigemptyset(&own);
    sigaddset(&own, number);
    pthread_sigmask(SIG_UNBLOCK, &own, &before);
    struct sigevent event = {0};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = number;
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        return -1;
    }
    struct itimerspec interval = {0};
    interval.it_value.tv_sec = milliseconds / 1000;
    interval.it_value.tv_nsec = (long)(milliseconds % 1000) * 1000000;
    interval.it_interval = interval.it_value;
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    int result = timer_settime(timer, 0, &interval, NULL);
    while (result == 0) {
        struct flock lock = {0};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_len = 1;
        result = fcntl(descriptor, F_OFD_SETLKW, &lock);
        if (result == 0 || errno != EINTR) break;
        clock_gettime(CLOCK_MONOTONIC, &now);
        long waited = (now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000;
        if (waited >= (long)milliseconds) {
            errno = ETIMEDOUT;
            break;
        }
        result = 0;
    }
    int code = errno;
    timer_delete(timer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return result;
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
