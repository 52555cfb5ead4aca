import Foundation

/// Reads and writes small text files with secrets. It refuses to read anything but a small regular file, and replaces a
/// file as a whole or not at all.
package enum PrivateFile {
    package struct Content: Sendable, Equatable {
        package var text: String
        /// The mode in octal, as `chmod` accepts it.
        package var mode: String
        /// Whether only the account itself can read it, or the account that a service manager chose.
        package var isPrivate: Bool
        /// The identity of the file when it was read.
        package var identity: Identity
    }

    /// The identity of a file: device, inode, size, mode and time of the last change. It changes whenever the file
    /// does.
    package struct Identity: Sendable, Equatable {
        private let device: UInt64
        private let inode: UInt64
        private let size: Int64
        private let seconds: Int64
        private let nanoseconds: Int64
        private let mode: UInt32

        init(_ status: stat) {
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
            size = Int64(status.st_size)
            (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
            mode = UInt32(status.st_mode)
        }
    }

    /// The identity of the file at `path`; `nil` when it is missing or inaccessible.
    package static func identity(of path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - maximumBytes: a larger file is refused.
    ///   - credentials: the folder in which a service manager passes secrets (systemd's `CREDENTIALS_DIRECTORY`). An
    ///     access list gives its files to one account, which shows as a mode with read access for the group.
    /// - Throws: ``PrivateFileError``.
    package static func read(
        _ path: String, maximumBytes: Int = 4_096,
        credentials: String? = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
    ) throws(PrivateFileError) -> Content {
        // Non-blocking, so that a pipe is refused instead of waited for.
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing : .failed(code: errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .failed(code: errno) }
        guard count <= maximumBytes, let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw .notText
        }
        let isCredential = credentials.map { !$0.isEmpty && path.hasPrefix($0 + "/") } ?? false
        return Content(
            text: text, mode: "0" + String(status.st_mode & 0o7777, radix: 8),
            isPrivate: status.st_mode & (isCredential ? 0o007 : 0o077) == 0, identity: Identity(status))
    }

    /// Writes a file durably. At any moment, the path has the complete new file, the previous one, or none.
    ///
    /// - Parameters:
    ///   - mode: the mode of the file, independent of the umask.
    ///   - replaces: whether to replace an existing file. If not, exactly one of several processes that write at the
    ///     same time succeeds.
    /// - Throws: ``PrivateFileError``.
    package static func write(
        _ text: String, to path: String, mode: mode_t = 0o600, replaces: Bool
    ) throws(PrivateFileError) {
        // A random name: process ids repeat in containers and after a crash.
        let temporary = "\(path).\(UInt64.random(in: .min ... .max)).new"
        let descriptor = Foundation.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .failed(code: errno) }
        defer { unlink(temporary) }
        let bytes = Array(text.utf8)
        let isWritten =
            fchmod(descriptor, mode) == 0 && Foundation.write(descriptor, bytes, bytes.count) == bytes.count
            && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten else { throw .failed(code: code) }
        // link(2) does not replace an existing file; rename(2) does.
        guard (replaces ? rename(temporary, path) : link(temporary, path)) == 0 else {
            throw errno == EEXIST ? .exists : .failed(code: errno)
        }
        let folder = Foundation.open(
            URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        close(folder)
    }
}

/// The reason why a file cannot be read or written. Callers turn it into text.
package enum PrivateFileError: Error, Sendable, Equatable {
    case missing
    case exists
    case notRegular
    /// The file is too large, or not UTF-8.
    case notText
    /// A call failed with this `errno`.
    case failed(code: Int32)
}
