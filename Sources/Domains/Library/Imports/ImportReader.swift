import Dispatch
import LibraryFiles
import Model

/// Reads a file on its own thread, because reading blocks on disk I/O and parsing takes long.
actor ImportReader {
    /// A part of a file.
    struct Part: Sendable {
        var items: [Item] = []
        var kind: LibraryFileKind
        var isLast = false
        /// Why reading ends here before the end of the file.
        var failure: LibraryFileError?
    }

    struct Item: Sendable {
        var content: LibraryFileItem
        /// The kind of the file that contains the item; in a zip archive, the kind of the archive's entry.
        var kind: LibraryFileKind
    }

    private let executor = QueueExecutor(label: "backline.import-reader")
    private let path: String
    private var file: LibraryFile?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String) {
        self.path = path
    }

    /// Skips items that were read before, at most `count`. May be called repeatedly.
    ///
    /// - Throws: ``LibraryFileError``, also if the task is cancelled meanwhile.
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

    /// Reads the next items, at most `limit`. If the task is cancelled, reading stops within one part of the file.
    ///
    /// - Throws: ``LibraryFileError`` if the kind of the file is unknown.
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
                // A playlist may be long.
                if case .playlist = content { break }
            }
        } catch {
            part.isLast = true
            part.failure = error
        }
        return part
    }
}

/// Runs an actor on its own queue instead of the cooperative thread pool.
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
