import Foundation

/// The memory that this process uses.
enum MemoryUsage {
    /// Runs a read and measures its memory.
    ///
    /// - Returns: the most memory that was used during it, in bytes, beyond what remains; `nil` if the process used
    ///   more before.
    static func taken(by reading: () -> Void) -> Int? {
        let before = peak
        reading()
        guard peak > before else { return nil }
        _ = giveFreedMemoryBack(keeping: 0)
        return max(0, peak - resident)
    }

    /// The most memory that was ever used, in bytes.
    private static var peak: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int(usage.ru_maxrss) << 10
    }

    /// The memory that is used now, in bytes.
    private static var resident: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        guard let pages else { fatalError("/proc/self/statm does not say how much memory is used") }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// `malloc_trim`, which Swift's module of the C library lacks: freed memory counts as used until it is returned to the
/// system.
@_silgen_name("malloc_trim")
private func giveFreedMemoryBack(keeping bytes: Int) -> CInt
