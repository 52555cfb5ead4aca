import Foundation

/// File descriptor 2, without a buffer: what was logged before a crash is not lost.
enum StandardError {
    /// Writes a line with one write(2), which for a pipe and up to 4,096 bytes cannot mix with another's (pipe(7)).
    ///
    /// A line that cannot be written is given up: a full disk or a reader that left must not stop the service.
    @Sendable static func write(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = Foundation.write(STDERR_FILENO, rest.baseAddress, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                } else if written == 0 || errno != EINTR {
                    return
                }
            }
        }
    }
}
