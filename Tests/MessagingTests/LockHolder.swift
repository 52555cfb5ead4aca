import Foundation
import Synchronization

/// Another process that holds the lock file of an ipc socket, as a second gateway would.
final class LockHolder: Sendable {
    let pid: Int32
    private let ended = Collector<Void>()

    /// Returns when the lock is held and the holder's process id stands in the file.
    init(lockFile: String) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // `exec` keeps one process, so that killing it is the end of the lock. Closing its input ends it too.
        let script = #"exec 9<>"$1" && flock 9 && echo $$ >"$1" && echo held && exec cat"#
        process.arguments = ["-c", script, "sh", lockFile]
        let output = Pipe()
        process.standardInput = Pipe()
        process.standardOutput = output
        let announced = Collector<Void>()
        output.fileHandleForReading.readabilityHandler = { handle in
            handle.readabilityHandler = nil
            _ = handle.availableData
            announced.append(())
        }
        process.terminationHandler = { [ended] _ in ended.append(()) }
        try process.run()
        pid = process.processIdentifier
        await announced.wait(for: 1)
    }

    /// Kills the holder as `kill -9` does and waits until it is gone.
    func kill() async {
        Glibc.kill(pid, SIGKILL)
        await ended.wait(for: 1)
    }
}
