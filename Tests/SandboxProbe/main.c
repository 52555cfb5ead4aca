/*
 * Enters the sandbox of picture-helper and then does what it must not do: sandbox-probe ACT.
 *
 * It exits with 0 when it has done it, with 1 when the kernel or a limit refused it, and with 7 when there is no
 * sandbox. The filter of system calls kills it instead.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "PictureSandbox.h"

static int done(long result) { return result < 0; }

/* The process must not end in _exit for a call that the filter lets through: the test then sees status 0 or 1. */
static int act(const char *name) {
    static char byte;
    if (strcmp(name, "nothing") == 0) return 0;
    if (strcmp(name, "write") == 0) return done(write(STDOUT_FILENO, "x", 1));
    if (strcmp(name, "memory") == 0) return malloc(300u << 20) == NULL;
    if (strcmp(name, "open") == 0) return done(open("/dev/null", O_RDONLY));
    if (strcmp(name, "socket") == 0) return done(socket(AF_INET, SOCK_STREAM, 0));
    if (strcmp(name, "fork") == 0) return done(fork());
    if (strcmp(name, "exec") == 0) return done(execl("/bin/true", "true", (char *)NULL));
    if (strcmp(name, "kill") == 0) return done(kill(1, 0));
    if (strcmp(name, "duplicate") == 0) return done(dup(STDOUT_FILENO));
    if (strcmp(name, "writeError") == 0) return done(write(STDERR_FILENO, "x", 1));
    if (strcmp(name, "readOutput") == 0) return done(read(STDOUT_FILENO, &byte, 1));
    if (strcmp(name, "executableMemory") == 0)
        return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
    if (strcmp(name, "mappedFile") == 0) return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 0, 0) == MAP_FAILED;
    if (strcmp(name, "protection") == 0)
        return mprotect((void *)((unsigned long)&byte & ~4095ul), 4096, PROT_READ | PROT_WRITE) != 0;
    if (strcmp(name, "trace") == 0) return done(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
    if (strcmp(name, "foreignCall") == 0) return done(syscall(SYS_exit_group | 0x40000000, 0));
    return 64;
}

int main(int count, char **words) {
    if (enter_picture_sandbox()) return 7;
    _exit(count == 2 ? act(words[1]) : 64);
}
