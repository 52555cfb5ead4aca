import Foundation

/// File descriptor 2 without a buffer, so that a crash loses no log line.
enum StandardError {
    /// Writes a line with one write(2). Up to 4,096 bytes to a pipe are not mixed with another process's (pipe(7)).
    ///
    /// A line that cannot be written is dropped: a full disk or a closed pipe must not stop the service.
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
