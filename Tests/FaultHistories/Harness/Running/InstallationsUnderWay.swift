import Foundation
import Synchronization
import TestProcesses

/// The installations of the histories under way.
package enum InstallationsUnderWay {
    private static let all = Mutex<[ObjectIdentifier: Installation]>([:])

    /// Uses an installation, and destroys it.
    static func with<Value>(
        _ installation: Installation, _ body: () async throws -> Value
    ) async throws -> Value {
        let key = ObjectIdentifier(installation)
        all.withLock { $0[key] = installation }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        await installation.destroy()
        all.withLock { $0[key] = nil }
        return try result.get()
    }

    /// Kills the processes of all histories, including stopped ones, and removes their folders, for a harness that
    /// exits before they end.
    package static func abandonAll() {
        for installation in all.withLock({ Array($0.values) }) {
            for process in installation.started { process.kill() }
            try? FileManager.default.removeItem(atPath: installation.folder)
        }
    }
}
