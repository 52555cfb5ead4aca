import CLinux

/// The arenas of glibc's allocator. Each keeps what was freed in it, and a thread takes one of its own as long as there
/// are fewer than eight for each processor.
package enum AllocatorArenas {
    /// Has all threads share one arena.
    ///
    /// For processes whose work goes from thread to thread, and allocates much for a short time: the memory of such
    /// work is kept once, and not once for each thread. To be called before the process starts a thread.
    package static func share() {
        clinux_limit_arenas(1)
    }
}
