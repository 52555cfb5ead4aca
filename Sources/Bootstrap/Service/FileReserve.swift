import Glibc
import Model
import Synchronization

/// File descriptors that are held for nothing but to be given back when few others are left, and the look at how many
/// those are.
///
/// A process that can open nothing at all does not only fail at what it opens: libdispatch ends it
/// (``OpenFileLimit/minimum``). So one that runs short gives these back, and takes on nothing until it can hold them
/// again. Made before anything else is opened it has the lowest numbers, which count when somebody lowers the limit of
/// a running process.
package final class FileReserve: Sendable {
    package enum Change: Equatable, Sendable {
        /// Too few can be opened; what was held has been given back.
        case short
        /// It is held again, and there is room beside it.
        case enough
    }

    /// More than the jobs of a worker open at once by default.
    static let count = 32
    /// As few as these, beside what is held, are too few.
    static let margin = 16
    /// How often it is looked at.
    static let interval = Duration.milliseconds(100)

    private let files: FileTable
    private let held: Mutex<[Int32]>
    private let isEnded = Atomic(false)

    package convenience init() {
        self.init(files: .system)
    }

    init(files: FileTable) {
        self.files = files
        held = Mutex(Self.take(from: files) ?? [])
    }

    deinit {
        for descriptor in held.withLock({ $0 }) { files.close(descriptor) }
    }

    /// Looks how many descriptors are left; what has changed since the last look, if anything has.
    func look() -> Change? {
        held.withLock { held in
            if held.isEmpty {
                guard let taken = Self.take(from: files) else { return nil }
                if files.hasRoom(Self.margin) {
                    held = taken
                    return .enough
                }
                for descriptor in taken { files.close(descriptor) }
                return nil
            }
            guard !files.hasRoom(Self.margin) else { return nil }
            for descriptor in held { files.close(descriptor) }
            held = []
            return .short
        }
    }

    /// All of them, or none.
    private static func take(from files: FileTable) -> [Int32]? {
        var taken: [Int32] = []
        while taken.count < count {
            guard let descriptor = files.open() else {
                for descriptor in taken { files.close(descriptor) }
                return nil
            }
            taken.append(descriptor)
        }
        return taken
    }

    /// Looks every ``interval`` on a thread of its own, until ``end()``.
    ///
    /// - Parameter onChange: is told what has changed, on that thread.
    package func watch(onChange: @escaping @Sendable (Change) -> Void) {
        if held.withLock(\.isEmpty) { onChange(.short) }
        NamedThread.start("open-files") { [weak self] in
            while let self, !self.isEnded.load(ordering: .relaxed) {
                if let change = self.look() { onChange(change) }
                usleep(useconds_t(Self.interval.microseconds))
            }
        }
    }

    package func end() {
        isEnded.store(true, ordering: .relaxed)
    }
}

/// This process's open files, as far as ``FileReserve`` asks.
struct FileTable: Sendable {
    /// Opens something that does nothing; `nil` when that is refused.
    var open: @Sendable () -> Int32?
    var close: @Sendable (Int32) -> Void
    /// Whether so many more can be opened.
    var hasRoom: @Sendable (_ count: Int) -> Bool

    static let system = FileTable(
        open: {
            let descriptor = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
            return descriptor < 0 ? nil : descriptor
        },
        close: { _ = Glibc.close($0) },
        hasRoom: { wanted in
            // The machine may have none left, too, which no limit of this process tells.
            let probe = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
            if probe < 0 { return errno != EMFILE && errno != ENFILE }
            defer { Glibc.close(probe) }
            guard let folder = opendir("/proc/self/fd") else { return errno != EMFILE && errno != ENFILE }
            defer { closedir(folder) }
            // Two are "." and "..", and two are the probe and the folder itself.
            var count = -4
            while readdir(folder) != nil { count += 1 }
            return OpenFileLimit.current - count >= wanted
        })
}
