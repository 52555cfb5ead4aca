extension ChildProcess {
    /// Starts a process that takes the lock of a file (flock(2)) and holds it until it ends. Returns once it has the
    /// lock.
    package static func holdingLock(of path: String) async throws -> ChildProcess {
        // With -F flock becomes the program that it starts, so that killing this one process releases the lock.
        let holder = try ChildProcess("flock", ["-F", path, "sh", "-c", "echo held; exec sleep 600"])
        try await holder.waitForOutput("held")
        return holder
    }
}
