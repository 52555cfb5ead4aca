import Foundation
import NIOCore

/// A file that is sent part by part, and read on a thread of its own.
struct FileUpload: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private static let partSize = 65_536

    let path: String
    let bytes: Int

    /// - Throws: ``FileUploadError``.
    init(path: String) throws {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            throw FileUploadError(description: "'\(path)' cannot be read: \(String(cString: strerror(errno))).")
        }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw FileUploadError(description: "'\(path)' is no file.")
        }
        (self.path, bytes) = (path, Int(facts.st_size))
    }

    func makeAsyncIterator() -> Iterator { Iterator(path: path) }

    struct Iterator: AsyncIteratorProtocol {
        let path: String
        private var place = 0

        init(path: String) {
            self.path = path
        }

        mutating func next() async throws -> ByteBuffer? {
            let (path, place) = (path, place)
            let part: Result<[UInt8], FileUploadError> = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: Self.read(path, from: place)) }
            }
            let bytes = try part.get()
            self.place += bytes.count
            return bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
        }

        private static func read(_ path: String, from place: Int) -> Result<[UInt8], FileUploadError> {
            let failure = {
                FileUploadError(description: "'\(path)' cannot be read: \(String(cString: strerror(errno))).")
            }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return .failure(failure()) }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: FileUpload.partSize)
            let count = pread(descriptor, &bytes, bytes.count, place)
            return count < 0 ? .failure(failure()) : .success(Array(bytes[..<count]))
        }
    }
}

/// A file that cannot be sent.
struct FileUploadError: Error, CustomStringConvertible {
    var description: String
}
