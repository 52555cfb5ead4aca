import Dispatch
import LibraryFiles
import Model

/// Reads a file on a thread of its own: reading waits for the disk, and parsing takes long.
actor ImportReader {
    /// A part of a file.
    struct Part: Sendable {
        var items: [Item] = []
        var kind: LibraryFileKind
        var isLast = false
        /// Why the file ends here, although it goes on.
        var failure: LibraryFileError?
    }

    struct Item: Sendable {
        var content: LibraryFileItem
        /// The kind of the file that has it: of a zip archive, the entry's.
        var kind: LibraryFileKind
    }

    private let executor = QueueExecutor(label: "backline.import-reader")
    private let path: String
    private var file: LibraryFile?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String) {
        self.path = path
    }

    /// Reads the next items, at most `limit`.
    ///
    /// - Parameter count: how many items are left out before, the first time.
    /// - Throws: ``LibraryFileError`` for a file of no known kind.
    func read(_ limit: Int, skipping count: Int = 0) throws(LibraryFileError) -> Part {
        let file: LibraryFile
        if let known = self.file {
            file = known
        } else {
            file = try LibraryFile(path: path)
            self.file = file
            for _ in 0..<count { _ = try file.next() }
        }
        var part = Part(kind: file.kind)
        do throws(LibraryFileError) {
            while part.items.count < limit {
                guard let content = try file.next() else {
                    part.isLast = true
                    break
                }
                part.items.append(Item(content: content, kind: file.itemKind))
                // It may be long.
                if case .playlist = content { break }
            }
        } catch {
            part.isLast = true
            part.failure = error
        }
        return part
    }
}

/// Runs an actor on a queue of its own instead of the cooperative pool.
private final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
