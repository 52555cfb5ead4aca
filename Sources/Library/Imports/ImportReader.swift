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

    /// Goes past items that were read before, at most `count`. It may be called again for more.
    ///
    /// - Throws: ``LibraryFileError``, also for a task that was cancelled meanwhile.
    func skip(_ count: Int) throws(LibraryFileError) {
        let file = try openFile()
        for _ in 0..<count where try file.next() == nil { return }
    }

    private func openFile() throws(LibraryFileError) -> LibraryFile {
        if let file { return file }
        let opened = try LibraryFile(path: path)
        file = opened
        return opened
    }

    /// Reads the next items, at most `limit`. A task that was cancelled ends it within one part of the file.
    ///
    /// - Throws: ``LibraryFileError`` for a file of no known kind.
    func read(_ limit: Int) throws(LibraryFileError) -> Part {
        let file = try openFile()
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
