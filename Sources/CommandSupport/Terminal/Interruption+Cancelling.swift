import ArgumentParser
import Foundation

extension Interruption {
    /// Runs `body` in a task that Ctrl-C and SIGTERM cancel, so that it can clean up.
    ///
    /// - Throws: the error of `body`, or, after a signal, the signal's exit status.
    package static func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws
        -> Value
    {
        let interruption = Interruption()
        let work = Task { try await body() }
        let listener = Task {
            for await signal in interruption.signals {
                work.cancel()
                return signal as Int32?
            }
            return nil
        }
        let result = await work.result
        interruption.end()
        if case .failure = result, let signal = await listener.value { throw ExitCode(128 + signal) }
        return try result.get()
    }
}
