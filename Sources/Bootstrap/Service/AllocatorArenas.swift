import CLinux

/// The arenas of glibc's allocator. Each arena retains the memory that was freed in it, and a new thread gets its own
/// arena while there are fewer than eight per processor.
package enum AllocatorArenas {
    /// Makes all threads share one arena.
    ///
    /// This is for processes whose work moves from thread to thread and briefly allocates a lot: the memory of such
    /// work is retained once, not once per thread. Call it before the process starts a thread.
    package static func share() {
        clinux_limit_arenas(1)
    }
}
