import Dispatch
import Foundation
import Synchronization

/// The pictures that were fetched, as files. The processes of an installation share the folder: workers write it, and
/// the gateway reads it.
///
/// A file appears as a whole, or not at all. Those that were used longest ago are removed when the folder has its
/// capacity.
package final class PictureFolder: Sendable {
    package let path: String
    /// In bytes.
    package let capacity: Int
    /// How long an unused picture is kept.
    package static let unusedLifetime = Duration.seconds(30 * 86_400)
    /// How long a picture that could not be shown is not asked for again.
    package static let refusalLifetime = Duration.seconds(3_600)

    /// How exactly the time of a picture's last use is kept.
    private static let useResolution = Duration.seconds(3_600)

    /// Files are read and written here, never on a thread of the cooperative pool.
    private let files = DispatchQueue(label: "backline.picture-files")
    /// Long walks through the folder do not hold up the files.
    private let walks = DispatchQueue(label: "backline.picture-walks")
    /// The bytes of all files as far as this process knows; `nil` before it has looked.
    private let known = Mutex<Int?>(nil)
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - path: made when the first picture is written.
    ///   - now: the wall clock, which files are dated by.
    package init(path: String, capacity: Int, now: @escaping @Sendable () -> Date = { Date() }) {
        self.path = path
        self.capacity = capacity
        self.now = now
    }

    // MARK: Reading

    package enum Entry: Sendable, Equatable {
        case picture(CheckedPicture)
        /// It was fetched lately, and cannot be shown.
        case refused
        case missing
    }

    /// A picture, whose last use is now. A file that is damaged counts as missing.
    package func entry(_ key: PictureKey) async -> Entry {
        await on(files) { [self] in
            let file = file(key)
            if let bytes = Self.content(of: file), let picture = try? CheckedPicture(bytes) {
                noteUse(of: file)
                return .picture(picture)
            }
            guard let age = age(of: refusalFile(key)), age < Self.refusalLifetime else { return .missing }
            return .refused
        }
    }

    /// Whether there is a picture, or a refusal that still counts.
    package func hasEntry(_ key: PictureKey) async -> Bool {
        await on(files) { [self] in
            if access(file(key), R_OK) == 0 { return true }
            return age(of: refusalFile(key)).map { $0 < Self.refusalLifetime } ?? false
        }
    }

    private static func content(of file: String) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= CheckedPicture.maximumBytes else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + done, $0.count - done) }
            guard count > 0 else { return nil }
            done += count
        }
        return bytes
    }

    // MARK: Writing

    /// Keeps a picture, and makes room for it.
    ///
    /// - Throws: an error of the file system.
    package func store(_ picture: CheckedPicture, as key: PictureKey) async throws {
        let size = picture.bytes.count
        if await room(for: size) < size { await prune(reserving: size) }
        try await on(files) { [self] in
            Result<Void, any Error> {
                try write(picture.bytes, to: file(key))
                unlink(refusalFile(key))
            }
        }.get()
        known.withLock { if let bytes = $0 { $0 = bytes + size } }
    }

    /// Keeps that a picture cannot be shown, so that it is not asked for again for ``refusalLifetime``.
    ///
    /// - Throws: an error of the file system.
    package func refuse(_ key: PictureKey) async throws {
        try await on(files) { [self] in
            Result<Void, any Error> { try write([], to: refusalFile(key)) }
        }.get()
    }

    /// Writes the file beside its place and then gives it its name, so that no reader sees a part of it. After a crash
    /// of the machine the file is whole, or missing.
    private func write(_ bytes: [UInt8], to file: String) throws {
        let target = URL(filePath: file)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let temporary = "\(file).\(UInt64.random(in: .min ... .max))\(Self.temporarySuffix)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure() }
        var isWritten = true
        var rest = bytes[...]
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            isWritten = count > 0
            rest = rest.dropFirst(max(0, count))
        }
        isWritten = isWritten && futimens(descriptor, times) == 0 && fdatasync(descriptor) == 0
        let failure = Self.failure()
        close(descriptor)
        guard isWritten, rename(temporary, file) == 0 else {
            unlink(temporary)
            throw failure
        }
    }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    // MARK: The capacity

    private static let temporarySuffix = ".new"
    /// A temporary file as old was left behind by a crash.
    private static let temporaryLifetime = Duration.seconds(3_600)

    /// The bytes that are left, looked up once; later writes of this process are counted.
    private func room(for size: Int) async -> Int {
        if let bytes = known.withLock({ $0 }) { return capacity - bytes }
        await prune(reserving: size)
        return capacity - (known.withLock { $0 } ?? 0)
    }

    /// Removes what was used longest ago until there is room, and what has been unused for ``unusedLifetime``. It
    /// leaves a tenth of the capacity free, so that it is needed rarely.
    ///
    /// - Parameter size: the bytes to be written next.
    package func prune(reserving size: Int = 0) async {
        await on(walks) { [self] in
            var (found, bytes) = remains()
            guard bytes + size > capacity else { return known.withLock { $0 = bytes } }
            found.sort { $0.lastUse < $1.lastUse }
            for file in found where bytes + size > capacity - capacity / 10 {
                if unlink(file.path) == 0 { bytes -= file.size }
            }
            known.withLock { [bytes] in $0 = bytes }
        }
    }

    private struct File {
        var path: String
        var size: Int
        var lastUse: Date
    }

    /// All pictures, after the removal of those that are too old.
    private func remains() -> (files: [File], bytes: Int) {
        var (found, bytes): ([File], Int) = ([], 0)
        let now = now()
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where folder.count == 2 {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? [] {
                let file = "\(path)/\(folder)/\(name)"
                var status = stat()
                guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                let lastUse = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
                let lifetime =
                    name.hasSuffix(Self.temporarySuffix)
                    ? Self.temporaryLifetime
                    : name.hasSuffix(Self.refusalSuffix) ? Self.refusalLifetime : Self.unusedLifetime
                guard now.timeIntervalSince(lastUse) < Double(lifetime.components.seconds) else {
                    unlink(file)
                    continue
                }
                found.append(File(path: file, size: Int(status.st_size), lastUse: lastUse))
                bytes += Int(status.st_size)
            }
        }
        return (found, bytes)
    }

    // MARK: Files

    private static let refusalSuffix = ".refused"

    func file(_ key: PictureKey) -> String { "\(path)/\(key.text.prefix(2))/\(key.text.dropFirst(2))" }

    func refusalFile(_ key: PictureKey) -> String { file(key) + Self.refusalSuffix }

    /// `nil` for a missing file. A file of the future is new: the clock was set back.
    private func age(of file: String) -> Duration? {
        var status = stat()
        guard stat(file, &status) == 0 else { return nil }
        return .seconds(max(0, now().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)))
    }

    private func noteUse(of file: String) {
        guard let age = age(of: file), age > Self.useResolution else { return }
        utimensat(AT_FDCWD, file, times, 0)
    }

    /// The times of access and change of a file that is used now.
    private var times: [timespec] {
        let time = timespec(tv_sec: Int(now().timeIntervalSince1970), tv_nsec: 0)
        return [time, time]
    }

    private func on<Value: Sendable>(
        _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
