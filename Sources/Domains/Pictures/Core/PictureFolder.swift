import Dispatch
import Foundation
import Synchronization

/// The fetched pictures, as files. The processes of an installation share the folder: workers write it, and the gateway
/// reads it.
///
/// A file appears as a whole or not at all. When the folder reaches its capacity, the least recently used files are
/// removed; refusals are removed separately when there are too many: somebody who requests many pictures that cannot be
/// shown does not displace other people's pictures.
package final class PictureFolder: Sendable {
    package let path: String
    /// In bytes, where each file counts as at least one block: even empty ones take up space.
    package let capacity: Int
    /// The most pictures recorded as impossible to show.
    package let mostRefusals: Int
    /// How long an unused picture is kept.
    package static let unusedLifetime = Duration.seconds(30 * 86_400)
    /// How long a picture that could not be shown is not requested again.
    package static let refusalLifetime = Duration.seconds(3_600)
    /// How long a picture is not requested again after a failure that says nothing about it, such as a network that is
    /// down: long enough that a page that is opened repeatedly does not ask each time.
    package static let failureLifetime = Duration.seconds(60)

    /// The precision with which the time of a picture's last use is stored.
    private static let useResolution = Duration.seconds(3_600)

    /// The queue on which files are read and written, never on a thread of the cooperative pool.
    private let files = DispatchQueue(label: "backline.picture-files")
    /// A separate queue, so that long walks through the folder do not hold up the files.
    private let walks = DispatchQueue(label: "backline.picture-walks")
    /// What the folder contains, as far as this process knows; `nil` before it has looked.
    private let known = Mutex<Use?>(nil)

    private struct Use {
        var bytes = 0
        var refusals = 0
    }

    private static let blockSize = 4_096
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - path: created when the first picture is written.
    ///   - mostRefusals: at least 1.
    ///   - now: the wall clock, by which files are dated.
    package init(
        path: String, capacity: Int, mostRefusals: Int = 10_000, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.path = path
        self.capacity = capacity
        self.mostRefusals = mostRefusals
        self.now = now
    }

    // MARK: Reading

    package enum Entry: Sendable, Equatable {
        case picture(CheckedPicture)
        /// It was fetched recently, and cannot be shown.
        case refused
        case missing
    }

    /// Returns a picture and marks it as used now. A damaged file counts as missing.
    package func entry(_ key: PictureKey) async -> Entry {
        await on(files) { [self] in
            let file = file(key)
            if let bytes = Self.content(of: file), let picture = try? CheckedPicture(bytes) {
                recordUse(of: file)
                return .picture(picture)
            }
            guard let age = age(of: refusalFile(key)), age < Self.refusalLifetime else { return .missing }
            return .refused
        }
    }

    /// Whether there is a picture. It is neither read nor marked as used, and may turn out to be damaged.
    package func hasPicture(_ key: PictureKey) async -> Bool {
        await on(files) { [self] in access(file(key), R_OK) == 0 }
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

    /// Stores a picture, and makes room for it.
    ///
    /// - Throws: an error of the file system.
    package func store(_ picture: CheckedPicture, as key: PictureKey) async throws {
        let size = Self.size(ofFile: picture.bytes.count)
        let use = await use(reserving: size)
        if use.bytes + size > capacity { await prune(reserving: size) }
        try await on(files) { [self] in
            Result<Void, any Error> {
                try write(picture.bytes, to: file(key))
                unlink(refusalFile(key))
            }
        }.get()
        known.withLock { $0?.bytes += size }
    }

    /// Records that a picture cannot be shown, so that it is not requested again for a while.
    ///
    /// - Parameter lifetime: at most ``refusalLifetime``.
    /// - Throws: an error of the file system.
    package func refuse(_ key: PictureKey, for lifetime: Duration = refusalLifetime) async throws {
        let size = Self.size(ofFile: 0)
        let use = await use(reserving: size)
        if use.refusals >= mostRefusals || use.bytes + size > capacity { await prune(reserving: size) }
        try await on(files) { [self] in
            // All refusals end at the same age, so a shorter one is dated back.
            Result<Void, any Error> { try write([], to: refusalFile(key), age: Self.refusalLifetime - lifetime) }
        }.get()
        known.withLock { use in
            use?.bytes += size
            use?.refusals += 1
        }
    }

    /// Writes the file under a temporary name and then renames it, so that no reader sees a part of it. After a crash
    /// of the machine the file is complete or missing.
    private func write(_ bytes: [UInt8], to file: String, age: Duration = .zero) throws {
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
        isWritten = isWritten && futimens(descriptor, times(age: age)) == 0 && fdatasync(descriptor) == 0
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
    /// A temporary file of this age was left behind by a crash.
    private static let temporaryLifetime = Duration.seconds(3_600)

    private static func size(ofFile bytes: Int) -> Int { max(blockSize, bytes) }

    /// What the folder contains, determined once; later writes of this process are added.
    private func use(reserving size: Int) async -> Use {
        if let use = known.withLock({ $0 }) { return use }
        await prune(reserving: size)
        return known.withLock { $0 } ?? Use()
    }

    /// Removes the least recently used files until there is room, and those that have been unused for
    /// ``unusedLifetime``. It leaves a tenth of the capacity free, so that it is rarely needed. If there are too many
    /// refusals, the oldest are removed as well.
    ///
    /// - Parameter size: the bytes to be written next.
    package func prune(reserving size: Int = 0) async {
        await on(walks) { [self] in
            var found = remains().sorted { $0.lastUse < $1.lastUse }
            var use = Use(bytes: found.reduce(0) { $0 + $1.size }, refusals: found.count { $0.isRefusal })
            func remove(_ file: File) -> Bool {
                guard unlink(file.path) == 0 else { return false }
                use.bytes -= file.size
                if file.isRefusal { use.refusals -= 1 }
                return true
            }
            if use.refusals >= mostRefusals {
                found.removeAll {
                    $0.isRefusal && use.refusals > mostRefusals - max(1, mostRefusals / 10) && remove($0)
                }
            }
            if use.bytes + size > capacity {
                for file in found where use.bytes + size > capacity - capacity / 10 { _ = remove(file) }
            }
            known.withLock { [use] in $0 = use }
        }
    }

    private struct File {
        var path: String
        var size: Int
        var lastUse: Date
        var isRefusal: Bool
    }

    /// All files that remain after removing those that are too old.
    private func remains() -> [File] {
        var found: [File] = []
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
                found.append(
                    File(
                        path: file, size: Self.size(ofFile: Int(status.st_size)), lastUse: lastUse,
                        isRefusal: name.hasSuffix(Self.refusalSuffix)))
            }
        }
        return found
    }

    // MARK: Files

    private static let refusalSuffix = ".refused"

    func file(_ key: PictureKey) -> String { "\(path)/\(key.text.prefix(2))/\(key.text.dropFirst(2))" }

    func refusalFile(_ key: PictureKey) -> String { file(key) + Self.refusalSuffix }

    /// `nil` for a missing file. A file from the future counts as new: the clock was set back.
    private func age(of file: String) -> Duration? {
        var status = stat()
        guard stat(file, &status) == 0 else { return nil }
        return .seconds(max(0, now().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)))
    }

    private func recordUse(of file: String) {
        guard let age = age(of: file), age > Self.useResolution else { return }
        utimensat(AT_FDCWD, file, times(), 0)
    }

    /// The access and modification times of a file that was last used this long ago.
    private func times(age: Duration = .zero) -> [timespec] {
        let time = timespec(tv_sec: Int(now().timeIntervalSince1970) - Int(age.components.seconds), tv_nsec: 0)
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
