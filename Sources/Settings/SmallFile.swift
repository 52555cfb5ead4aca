import Foundation

/// The content of a small regular file, and whether all accounts can read it.
package struct SmallFile: Sendable {
    package let bytes: [UInt8]
    package let isReadableByOthers: Bool

    package struct Failure: Error, Equatable {
        /// Completes a sentence that begins with the path: "does not exist".
        package let reason: String
    }

    /// - Throws: when the file does not exist, is not a regular file (reading a pipe could block forever), is too
    ///   large or cannot be read.
    package init(path: String, maximumBytes: Int) throws(Failure) {
        var information = stat()
        guard stat(path, &information) == 0 else {
            throw Failure(reason: errno == ENOENT ? "does not exist" : "cannot be read: \(Self.systemError(errno))")
        }
        guard information.st_mode & S_IFMT == S_IFREG else { throw Failure(reason: "is not a regular file") }
        guard information.st_size <= maximumBytes else {
            throw Failure(reason: "is larger than \(maximumBytes) bytes")
        }
        guard access(path, R_OK) == 0, let data = FileManager.default.contents(atPath: path) else {
            throw Failure(reason: "cannot be read: \(Self.systemError(errno))")
        }
        bytes = Array(data)
        isReadableByOthers = information.st_mode & S_IROTH != 0
    }

    private static func systemError(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
