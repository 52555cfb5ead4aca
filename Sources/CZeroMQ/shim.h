#include <zmq.h>
// Not part of Swift's Glibc module; it wakes the thread that waits in zmq_poll.
#include <sys/eventfd.h>
