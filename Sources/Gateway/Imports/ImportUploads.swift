import Dispatch
import Foundation
import Hummingbird
import Library
import Logging
import NIOCore
import Storage
import Synchronization

/// Receives files that people import: part by part into a file, one at a time for each person.
package final class ImportUploads: Sendable {
    package struct Limits: Sendable {
        /// The most bytes of one file.
        package var maximumBytes: Int
        /// The most bytes of all files in the folder.
        package var capacity: Int

        package init(maximumBytes: Int = 1 << 30, capacity: Int = 4 << 30) {
            (self.maximumBytes, self.capacity) = (maximumBytes, capacity)
        }
    }

    let folder: ImportFolder
    /// The bytes of a file after which the folder is looked at again.
    private static let lookingInterval = 16 << 20

    private let limits: Limits
    /// Waits for the disk.
    private let queue = DispatchQueue(label: "backline.import-uploads")
    private let state = Mutex(State())

    private struct State {
        var people: Set<String> = []
        /// Files that are being received, or whose import is being begun.
        var files: Set<String> = []
    }

    init(folder: ImportFolder, limits: Limits) {
        (self.folder, self.limits) = (folder, limits)
    }

    /// Receives a file and begins its import, which no other request of the person may do meanwhile. A file whose import
    /// does not begin is removed.
    ///
    /// - Throws: ``Problem``; what `begin` throws, or the body.
    func receive<Body: AsyncSequence & Sendable, Value: Sendable>(
        _ body: Body, from userID: String, logger: Logger,
        begin: @Sendable (_ file: String, _ bytes: Int) async throws -> Value
    ) async throws -> Value where Body.Element == ByteBuffer {
        guard state.withLock({ $0.people.insert(userID).inserted }) else { throw Problem.importRunning }
        defer { _ = state.withLock { $0.people.remove(userID) } }
        let (name, descriptor) = try await create(logger)
        defer { _ = state.withLock { $0.files.remove(name) } }
        do {
            let bytes: Int
            do {
                bytes = try await write(body, to: descriptor)
                await on(queue) { _ = close(descriptor) }
            } catch {
                await on(queue) { _ = close(descriptor) }
                throw error
            }
            guard bytes > 0 else { throw Problem.fileMissing }
            return try await begin(name, bytes)
        } catch {
            await on(queue) { [folder] in folder.remove(name) }
            throw error
        }
    }

    private func create(_ logger: Logger) async throws -> (name: String, descriptor: Int32) {
        let made = await on(queue) { [self] in
            Result {
                let made = try folder.create()
                state.withLock { _ = $0.files.insert(made.name) }
                return made
            }
        }
        do {
            return try made.get()
        } catch {
            logger.error("files cannot be imported: the folder cannot be written to", metadata: ["error": "\(error)"])
            throw Problem.importFolderUnusable
        }
    }

    private func write<Body: AsyncSequence & Sendable>(
        _ body: Body, to descriptor: Int32
    ) async throws -> Int where Body.Element == ByteBuffer {
        var (count, looked) = (0, 0)
        var others = await bytesInFolder()
        for try await part in body {
            count += part.readableBytes
            guard count <= limits.maximumBytes else { throw Problem.fileTooLarge(limits.maximumBytes) }
            if count - looked > Self.lookingInterval {
                // Other files have grown meanwhile, or were read. This one has what was written of it.
                others = await bytesInFolder() - (count - part.readableBytes)
                looked = count
            }
            guard others + count <= limits.capacity else { throw Problem.importFolderFull }
            guard await on(queue, { part.write(to: descriptor) }) else { throw Problem.importFolderUnusable }
        }
        return count
    }

    private func bytesInFolder() async -> Int {
        await on(queue) { [folder] in folder.files().reduce(0) { $0 + $1.bytes } }
    }

    /// Removes files that no import needs: of uploads that a crash ended, of imports that ended, and of people who have
    /// left.
    func removeLeftovers(in database: Database) async throws {
        for file in await on(queue, { [folder] in folder.files() }) {
            guard !state.withLock({ $0.files.contains(file.name) }) else { continue }
            guard try await !database.read({ try $0.imports.needs(file: file.name) }) else { continue }
            // An import may have begun since.
            guard !state.withLock({ $0.files.contains(file.name) }) else { continue }
            await on(queue) { [folder] in folder.remove(file.name) }
        }
    }

    private func on<Value: Sendable>(
        _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

extension ByteBuffer {
    /// - Returns: whether all bytes are written.
    fileprivate func write(to descriptor: Int32) -> Bool {
        withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

extension Problem {
    static let importRunning = Problem.conflict(
        code: .importRunning,
        "Another file of yours is being imported, or an import is being removed. Wait until it has ended, and send this "
            + "file again.")

    static let importFolderFull = Problem(
        .serviceUnavailable, code: .importFolderFull, title: "No room for another file",
        detail: "The files that wait to be imported have all of the room that this installation gives them "
            + "(imports.folderMegabytes). Try again in a few minutes.", retryAfter: 60)

    static let importFolderUnusable = Problem(
        .serviceUnavailable, code: .storageFailed, title: "The file cannot be stored",
        detail:
            "The folder of imported files cannot be written to, or its disk is full. Whoever runs this installation "
            + "finds the reason in the gateway's log (imports.folder).", retryAfter: 60)

    static let fileMissing = Problem.invalidRequest(
        code: .fileMissing, "The file is empty. Send it as the body of the request.")

    static func fileTooLarge(_ limit: Int) -> Problem {
        Problem(
            .contentTooLarge, code: .bodyTooLarge, title: "The file is too large",
            detail: "A file may have at most \(limit >> 20) MiB (imports.maximumMegabytes). Zip it, or send a part.")
    }
}
