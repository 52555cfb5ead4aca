import Platform
import TestSupport

/// The programs that read pictures, as tests start them.
enum HelperProcess {
    /// Runs a program on a thread of its own.
    static func run(
        _ path: String, _ arguments: [String] = [], input: [UInt8] = [], maximumOutput: Int = 1 << 20
    ) async throws -> FilterProcess {
        try await onThread {
            try FilterProcess(
                running: path, arguments, input: input, maximumOutput: maximumOutput, timeout: .seconds(20))
        }
    }
}
