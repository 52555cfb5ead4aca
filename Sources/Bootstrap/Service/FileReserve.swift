import Glibc
import Model
import Platform
import Synchronization

/// A reserve of file descriptors that is freed when few others are left, and the check of how many are left.
///
/// libdispatch terminates a process that cannot open a file (``OpenFileLimit/minimum``). A worker that runs short
/// therefore frees the reserve, and accepts no work until it holds the reserve again. The reserve is made before
/// anything else is opened, so that it has the lowest descriptors: these are still usable when somebody lowers the
/// limit of the running process (`prlimit`).
package final class FileReserve: Sendable {
    package enum Change: Equatable, Sendable {
        /// Too few descriptors are left; the reserve was freed.
        case short
        /// The reserve is held again, with at least ``FileReserve/margin`` others free.
        case enough
    }

    /// The number of descriptors in the reserve: more than a worker's jobs open at once by default.
    static let count = 32
    /// The fewest free descriptors, besides the reserve, that count as enough.
    static let margin = 16
    /// The time between two checks.
    static let interval = Duration.milliseconds(100)

    private let files: FileTable
    private let held: Mutex<DescriptorReserve>
    private let isEnded = Atomic(false)

    package convenience init() {
        self.init(files: .system)
    }

    init(files: FileTable) {
        self.files = files
        var reserve = DescriptorReserve(count: Self.count, open: files.open, close: files.close)
        _ = reserve.acquire()
        held = Mutex(reserve)
    }

    deinit {
        held.withLock { $0.free() }
    }

    /// Checks how many descriptors are left, and frees or takes the reserve.
    ///
    /// - Returns: what changed since the last check, if anything.
    func check() -> Change? {
        held.withLock { held in
            if held.isHeld {
                guard !files.hasRoom(Self.margin) else { return nil }
                held.free()
                return .short
            }
            guard held.acquire() else { return nil }
            if files.hasRoom(Self.margin) { return .enough }
            held.free()
            return nil
        }
    }

    /// Checks every ``interval`` on its own thread, until ``end()``.
    ///
    /// - Parameter onChange: called on that thread with every change, and on the caller's thread if the reserve could
    ///   not be taken at all.
    package func watch(onChange: @escaping @Sendable (Change) -> Void) {
        if !held.withLock(\.isHeld) { onChange(.short) }
        NamedThread.start("open-files") { [weak self] in
            while let self, !self.isEnded.load(ordering: .relaxed) {
                if let change = self.check() { onChange(change) }
                usleep(useconds_t(Self.interval.microseconds))
            }
        }
    }

    package func end() {
        isEnded.store(true, ordering: .relaxed)
    }
}

/// The process's file descriptors, as ``FileReserve`` uses them.
struct FileTable: Sendable {
    /// Opens a descriptor of /dev/null; `nil` when it cannot be opened.
    var open: @Sendable () -> Int32?
    var close: @Sendable (Int32) -> Void
    /// Whether `count` more descriptors can be opened.
    var hasRoom: @Sendable (_ count: Int) -> Bool

    static let system = FileTable(
        open: DescriptorReserve.openNull,
        close: { _ = Glibc.close($0) },
        hasRoom: { wanted in
            // Opens one as a probe, since the whole machine may have none left, which this process's limit does not
            // show.
            guard let probe = DescriptorReserve.openNull() else { return errno != EMFILE && errno != ENFILE }
            defer { Glibc.close(probe) }
            guard let folder = opendir("/proc/self/fd") else { return errno != EMFILE && errno != ENFILE }
            defer { closedir(folder) }
            // ".", "..", the probe and the folder itself do not count.
            var count = -4
            while readdir(folder) != nil { count += 1 }
            return OpenFileLimit.current - count >= wanted
        })
}
