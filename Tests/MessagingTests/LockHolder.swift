import Foundation
import TestSupport

/// Another process that holds the lock file of an ipc socket, as a second gateway would.
final class LockHolder: Sendable {
    private let process: ChildProcess

    var pid: Int32 { process.pid }

    /// Returns when the lock is held and the file has the holder's process id.
    init(lockFile: String) async throws {
        // `exec` keeps a single process, so that killing it ends the lock. Closing its input also ends it.
        let script = #"exec 9<>"$1" && flock 9 && echo $$ >"$1" && echo held && exec cat"#
        process = try ChildProcess("/bin/sh", ["-c", script, "sh", lockFile])
        await process.lines.wait(for: 1)
    }

    /// Kills the holder as `kill -9` does and waits until it is gone.
    func kill() async {
        process.signal(SIGKILL)
        await process.waitForExit()
    }
}
