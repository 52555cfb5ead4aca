import Model

/// A job as its worker gets it.
package struct HandedJob: Sendable, Equatable {
    package var run: JobRun
    package var userID: String
    package var kind: String
    package var version: Int
    /// The number of this attempt, from 1.
    package var attempt: Int
    package var maximumAttempts: Int
    package var priority: Int
    /// JSON, as it was submitted.
    package var payload: String
    /// The trace id of the request that asked for it, for the log.
    package var trace: String?

    package init(
        run: JobRun, userID: String, kind: String, version: Int, attempt: Int, maximumAttempts: Int, priority: Int,
        payload: String, trace: String? = nil
    ) {
        self.run = run
        self.userID = userID
        self.kind = kind
        self.version = version
        self.attempt = attempt
        self.maximumAttempts = maximumAttempts
        self.priority = priority
        self.payload = payload
        self.trace = trace
    }
}

extension WireWriter {
    mutating func write(_ job: HandedJob) {
        write(job.run)
        write(job.userID)
        write(job.kind)
        write(Int32(clamping: job.version))
        write(Int32(clamping: job.attempt))
        write(Int32(clamping: job.maximumAttempts))
        write(Int32(clamping: job.priority))
        write(job.payload)
        write(job.trace ?? "")
    }
}

extension WireReader {
    mutating func readJob() throws -> HandedJob {
        var job = HandedJob(
            run: try readRun(), userID: try readText(), kind: try readText(),
            version: Int(try read(Int32.self)), attempt: Int(try read(Int32.self)),
            maximumAttempts: Int(try read(Int32.self)), priority: Int(try read(Int32.self)),
            payload: try readText())
        let trace = try readText()
        if !trace.isEmpty { job.trace = trace }
        return job
    }
}
