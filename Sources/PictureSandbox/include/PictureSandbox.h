#ifndef BACKLINE_PICTURE_SANDBOX_H
#define BACKLINE_PICTURE_SANDBOX_H

/*
 * Takes from this process all that it does not need to turn one picture into another. Afterwards it can read standard
 * input, write to standard output, allocate memory and end; the kernel kills it for any other system call.
 *
 * The limits hold for what is allowed: 256 MiB of address space, 5 s of processor time and 10 s in all, no file that
 * grows, no process. Every descriptor beyond standard error is closed.
 *
 * Call it while the process has one thread, and before it reads a byte. Returns NULL, or the name of what the kernel
 * refused, with errno: the process must then end, since a part of its limits may be missing.
 */
const char *enter_picture_sandbox(void);

#endif
