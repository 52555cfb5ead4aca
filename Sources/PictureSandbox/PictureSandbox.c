#define _GNU_SOURCE
#include "PictureSandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
/* Calls of the x32 ABI have the same architecture and this bit. */
#define FIRST_FOREIGN_CALL 0x40000000u
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define FIRST_FOREIGN_CALL 0xffffffffu
#else
#error "the filter of system calls knows the numbers of x86-64 and 64-bit ARM only"
#endif

/* MARK: The filter */

/* Both processors are little-endian, so an argument begins with its lower half, and no argument below needs more. */
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
#define KILL RETURN(SECCOMP_RET_KILL_PROCESS)
/* The numbers of instructions to skip when the comparison holds, and when it does not. */
#define IF_EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define IF_AT_LEAST(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, yes, no)
#define IF_ANY_BIT(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)

#define ALLOW_CALL(name) IF_EQUAL(SYS_##name, 0, 1), ALLOW
#define ALLOW_CALL_ON(name, descriptor) \
    IF_EQUAL(SYS_##name, 0, 4), LOAD(args[0]), IF_EQUAL(descriptor, 0, 1), ALLOW, KILL
/* Memory of the process itself, in which nothing can be executed. */
#define ALLOW_ANONYMOUS_MMAP                                                                                 \
    IF_EQUAL(SYS_mmap, 0, 6), LOAD(args[2]), IF_ANY_BIT(PROT_EXEC, 3, 0), LOAD(args[3]),                     \
        IF_ANY_BIT(MAP_ANONYMOUS, 0, 1), ALLOW, KILL

static const char *install_filter(void) {
    struct sock_filter instructions[] = {
        LOAD(arch),
        IF_EQUAL(ARCHITECTURE, 1, 0),
        KILL,
        LOAD(nr),
        IF_AT_LEAST(FIRST_FOREIGN_CALL, 0, 1),
        KILL,
        ALLOW_CALL_ON(read, STDIN_FILENO),
        ALLOW_CALL_ON(write, STDOUT_FILENO),
        ALLOW_ANONYMOUS_MMAP,
        ALLOW_CALL(brk),
        ALLOW_CALL(munmap),
        ALLOW_CALL(mremap),
        ALLOW_CALL(madvise),
        ALLOW_CALL(futex),
        ALLOW_CALL(rt_sigreturn),
        ALLOW_CALL(exit),
        ALLOW_CALL(exit_group),
        KILL,
    };
    const struct sock_fprog program = {sizeof instructions / sizeof *instructions, instructions};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) return "PR_SET_SECCOMP";
    return NULL;
}

/* MARK: The limits */

static const struct {
    int resource;
    rlim_t most;
    const char *name;
} limits[] = {
    {RLIMIT_AS, 256u << 20, "RLIMIT_AS"}, {RLIMIT_CPU, 5, "RLIMIT_CPU"},       {RLIMIT_FSIZE, 0, "RLIMIT_FSIZE"},
    {RLIMIT_NOFILE, 4, "RLIMIT_NOFILE"},  {RLIMIT_NPROC, 0, "RLIMIT_NPROC"}, {RLIMIT_CORE, 0, "RLIMIT_CORE"},
};
static const unsigned most_seconds = 10;

/* Whoever started the process may have had files open that a program is not meant to inherit. */
static void close_other_files(void) {
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0) == 0) return;
    /* Linux before 5.9 has no such call. */
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_cur = 65536;
    for (rlim_t file = STDERR_FILENO + 1; file < files.rlim_cur && file < 1u << 20; file++) close((int)file);
}

const char *enter_picture_sandbox(void) {
    /* The allocator asks for random bytes when it is first used. A compiler leaves out an unused allocation. */
    void *volatile memory = malloc(1);
    free(memory);
    close_other_files();
    for (size_t index = 0; index < sizeof limits / sizeof *limits; index++) {
        const struct rlimit limit = {limits[index].most, limits[index].most};
        if (setrlimit(limits[index].resource, &limit) != 0) return limits[index].name;
    }
    /* Whoever started the process ends it as well; this is for one that no longer can. */
    alarm(most_seconds);
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return "PR_SET_DUMPABLE";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "PR_SET_NO_NEW_PRIVS";
    return install_filter();
}
