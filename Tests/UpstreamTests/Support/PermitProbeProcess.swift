import Foundation
import TestSupport

/// A running `permit-probe` (see `Tests/PermitProbe`).
struct PermitProbeProcess: Sendable {
    struct Settings: Encodable {
        var database: String
        var baseURL: String
        var calls: Int
        var requests: Int
        var windowMilliseconds: Int
        var timeoutMilliseconds = 1_000
        var isBackground = false
        var signalAfterGrant: Int32?
        var quotas: [Quota]?
        var heaviest: Int?

        struct Quota: Encodable {
            var name: String
            var isOfWeight: Bool
            var amount: Int
            var windowMilliseconds: Int
        }
    }

    let process: ChildProcess

    init(_ settings: Settings) throws {
        let argument = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        process = try ChildProcess(Executable.product("permit-probe"), [argument], hasInput: true)
    }

    func begin() throws {
        try process.write("\n")
    }

    /// Waits for a line that starts with `prefix`; `nil` when the process ended without printing one.
    func line(_ prefix: String) async throws -> String? {
        try await eventually("'\(prefix)' from permit-probe") { () -> String?? in
            let hasEnded = !process.isRunning
            if let line = process.output.lines.first(where: { $0.hasPrefix(prefix) }) { return .some(line) }
            return hasEnded ? .some(nil) : nil
        }
    }
}
