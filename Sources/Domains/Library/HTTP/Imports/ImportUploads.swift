import Dispatch
import Foundation
import Gateway
import Hummingbird
import LibraryImports
import Logging
import NIOCore
import Storage
import Synchronization

/// Receives files that people import: part by part into a file, one at a time for each person.
package final class ImportUploads: Sendable {
    let folder: ImportFolder
    /// The bytes of a file after which the folder's free space is checked again.
    private static let lookingInterval = 16 << 20

    private let settings: ImportSettings
    /// The queue on which calls wait for the disk.
    private let queue = DispatchQueue(label: "backline.import-uploads")
    private let state = Mutex(State())

    private struct State {
        var people: Set<String> = []
        /// Files that are being received, or whose import is being begun.
        var files: Set<String> = []
    }

    init(_ settings: ImportSettings) {
        self.settings = settings
        folder = ImportFolder(settings)
    }

    /// Receives a file and begins its import. Meanwhile, no other request of the person may do the same. A file whose
    /// import does not begin is removed.
    ///
    /// - Parameters:
    ///   - length: the length of the body, where the request gives it, so that a file that has no room is refused
    ///     before it is sent.
    ///   - own: the names of the person's files that may still be in the folder.
    /// - Throws: ``Problem``; what `begin` throws, or the body.
    func receive<Body: AsyncSequence & Sendable, Value: Sendable>(
        _ body: Body, length: Int? = nil, from userID: String, own: Set<String> = [], logger: Logger,
        begin: @Sendable (_ file: String, _ bytes: Int) async throws -> Value
    ) async throws -> Value where Body.Element == ByteBuffer {
        guard state.withLock({ $0.people.insert(userID).inserted }) else { throw Problem.importRunning }
        defer { _ = state.withLock { $0.people.remove(userID) } }
        let (name, descriptor) = try await create(logger)
        defer { _ = state.withLock { $0.files.remove(name) } }
        do {
            let bytes: Int
            do {
                bytes = try await write(body, length ?? 0, own, to: descriptor)
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
        _ body: Body, _ length: Int, _ own: Set<String>, to descriptor: Int32
    ) async throws -> Int where Body.Element == ByteBuffer {
        var (count, looked) = (0, 0)
        var room = await room(own)
        try check(length, room)
        for try await part in body {
            count += part.readableBytes
            if count - looked > Self.lookingInterval {
                // Other files may have grown or been removed. This one has the bytes that were written so far.
                let written = count - part.readableBytes
                room = await self.room(own)
                room.files -= written
                room.free? += written
                looked = count
            }
            try check(count, room)
            guard await on(queue, { part.write(to: descriptor) }) else { throw Problem.importFolderUnusable }
        }
        return count
    }

    /// The space for a file, as if nothing of it had been written.
    private struct Room: Sendable {
        /// The bytes of all other files, and of the person's other files.
        var files: Int
        var own: Int
        /// The free bytes of the disk; `nil` where the system does not report them.
        var free: Int?
    }

    private func room(_ own: Set<String>) async -> Room {
        await on(queue) { [folder] in
            let files = folder.files()
            return Room(
                files: files.reduce(0) { $0 + $1.bytes },
                own: files.reduce(0) { $0 + (own.contains($1.name) ? $1.bytes : 0) }, free: folder.freeBytes)
        }
    }

    /// - Throws: ``Problem`` when a file of `count` bytes is too large.
    private func check(_ count: Int, _ room: Room) throws {
        let most = min(settings.maximumBytes, settings.capacityOfPerson)
        guard count <= most else { throw Problem.fileTooLarge(most) }
        guard count <= settings.capacityOfPerson - room.own else { throw Problem.importFolderFullOfOwn }
        guard count <= settings.capacity - room.files else { throw Problem.importFolderFull }
        if let free = room.free, count > free - settings.reserve { throw Problem.diskFullForFiles }
    }

    /// Removes files that no import needs: those of uploads that a crash ended, of imports that have ended, and of
    /// people who have left.
    func removeLeftovers(in database: Database) async throws {
        for file in await on(queue, { [folder] in folder.files() }) {
            guard !state.withLock({ $0.files.contains(file.name) }) else { continue }
            guard try await !database.read({ try $0.imports.needs(file: file.name) }) else { continue }
            // An import may have begun in the meantime.
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
        "Another of your files is being imported, or an import is being removed. Wait until that has ended, then send "
            + "this file again.")

    static let importFolderFull = Problem(
        .serviceUnavailable, code: .importFolderFull, title: "No room for another file",
        detail: "The files that are waiting to be imported fill the space that this installation allows for them "
            + "(imports.folderMegabytes). Try again in a few minutes.", retryAfter: 60)

    static let importFolderFullOfOwn = Problem(
        .serviceUnavailable, code: .importFolderFull, title: "No room for another of your files",
        detail: "Your files that are waiting to be imported or removed fill half of the space for all files, the most "
            + "that one person may use. Try again in a few minutes.", retryAfter: 60)

    static let diskFullForFiles = Problem(
        .serviceUnavailable, code: .storageFull, title: "The disk has no room for the file",
        detail: "The file would use disk space that this installation keeps free (imports.reserveMegabytes). Send "
            + "a smaller file, or ask whoever runs this installation to make room.", retryAfter: 600)

    static let importFolderUnusable = Problem(
        .serviceUnavailable, code: .storageFailed, title: "The file cannot be stored",
        detail:
            "The folder for imported files cannot be written to, or its disk is full. The gateway's log states the "
            + "reason (imports.folder).", retryAfter: 60)

    static let fileMissing = Problem.invalidRequest(
        code: .fileMissing, "The file is empty. Send it as the body of the request.")

    static func fileTooLarge(_ limit: Int) -> Problem {
        Problem(
            .contentTooLarge, code: .bodyTooLarge, title: "The file is too large",
            detail: "A file may have at most \(limit >> 20) MiB (imports.maximumMegabytes, and half of "
                + "imports.folderMegabytes). Zip it, or send a part.")
    }
}
