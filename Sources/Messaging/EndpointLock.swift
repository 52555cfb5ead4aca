import CZeroMQ
import Foundation

/// The right to bind an ipc endpoint: an exclusive `flock` on a file beside the socket.
///
/// When libzmq binds, it unlinks an existing socket file, so a second gateway would silently take over the workers of
/// the first. The kernel releases the lock however its holder exits, so a socket file that `kill -9` left behind blocks
/// nobody. The lock file is never unlinked: otherwise two processes could lock two files of one name.
struct EndpointLock: ~Copyable {
    static let suffix = ".lock"

    private let descriptor: Int32

    /// Takes the lock and writes this process's id into the file, for the error of a second gateway.
    init(socketPath: String, endpoint: Endpoint) throws(MessagingError) {
        let path = socketPath + Self.suffix
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .lastCall("Opening the lock file \(path)") }
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            let holder = Self.readHolder(file)
            close(file)
            if code == EWOULDBLOCK { throw .endpointInUse(endpoint, holder: holder) }
            throw .callFailed(operation: "Locking \(path)", code: code)
        }
        descriptor = file
        Self.write("\(getpid())\n", to: file)
    }

    deinit {
        Self.write("", to: descriptor)
        close(descriptor)
    }

    private static func readHolder(_ file: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// The text only serves an error message: failing to write it (a full disk) must not stop a gateway.
    private static func write(_ text: String, to file: Int32) {
        _ = ftruncate(file, 0)
        _ = pwrite(file, text, text.utf8.count, 0)
    }
}
