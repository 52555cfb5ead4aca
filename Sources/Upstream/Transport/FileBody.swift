import Glibc

/// A file that a request sends as its body. It is read while it is sent, on the transport's thread.
package final class FileBody: Sendable {
    /// The size when it was opened.
    package let bytes: Int
    private let descriptor: Int32

    /// Opens the file.
    package init(path: String) throws(FileBodyError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileBodyError(path: path, number: errno) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileBodyError(description: "'\(path)' is not a file.")
        }
        bytes = Int(facts.st_size)
    }

    deinit { close(descriptor) }

    /// Reads as much as fits into `buffer`, starting at `place`. Returns the number of bytes, 0 at the end, or `nil`
    /// for an error.
    func read(into buffer: UnsafeMutableRawBufferPointer, from place: Int) -> Int? {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, place)
        return count < 0 ? nil : count
    }
}

/// A file that cannot be sent.
package struct FileBodyError: Error, CustomStringConvertible {
    package var description: String

    init(description: String) {
        self.description = description
    }

    init(path: String, number: Int32) {
        description = "'\(path)' cannot be read: \(String(cString: strerror(number)))."
    }
}
