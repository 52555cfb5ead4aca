import Foundation
import TestProcesses
import TestSupport

/// Whether strace may trace processes that the tests start.
enum Tracing {
    static let whyNot = "strace is not installed, or the system does not let it attach to processes"

    static func isPossible() async -> Bool {
        guard let strace = Executable.tool("strace"), let sleep = Executable.tool("sleep"),
            let folder = try? TemporaryFolder(),
            let target = try? ChildProcess(sleep, ["60"], folder: folder.path)
        else { return false }
        var isAttached = false
        if let tracer = try? ChildProcess(strace, ["-p", "\(target.processID)"], folder: folder.path) {
            isAttached = (try? await tracer.waitForLog("attached")) != nil
            await tracer.destroy()
        }
        await target.destroy()
        return isAttached
    }
}
