import Model

/// A job as its worker receives it.
///
/// It is an immutable class: it is passed on a dozen times, and copying its texts each time took a tenth of a short
/// job's time.
package final class AssignedJob: Sendable, Equatable {
    package let run: JobRun
    package let userID: String
    /// The person the job is for: its owner, or the person that a job of the system serves.
    package let person: String
    package let kind: String
    package let version: Int
    /// The number of this attempt, from 1.
    package let attempt: Int
    package let maximumAttempts: Int
    package let priority: Int
    /// JSON, as it was submitted.
    package let payload: String
    /// The trace id of the request, for the log.
    package let trace: String?

    package init(
        run: JobRun, userID: String, kind: String, version: Int, attempt: Int, maximumAttempts: Int, priority: Int,
        payload: String, trace: String? = nil, person: String? = nil
    ) {
        self.run = run
        self.userID = userID
        self.person = person ?? userID
        self.kind = kind
        self.version = version
        self.attempt = attempt
        self.maximumAttempts = maximumAttempts
        self.priority = priority
        self.payload = payload
        self.trace = trace
    }

    /// Whether somebody waits for it at a screen.
    package var isInteractive: Bool { priority >= JobPriority.interactive }

    package static func == (left: AssignedJob, right: AssignedJob) -> Bool {
        left.run == right.run && left.userID == right.userID && left.person == right.person
            && left.kind == right.kind && left.version == right.version && left.attempt == right.attempt
            && left.maximumAttempts == right.maximumAttempts && left.priority == right.priority
            && left.payload == right.payload && left.trace == right.trace
    }
}

extension WireWriter {
    mutating func write(_ job: AssignedJob) {
        write(job.run)
        write(job.userID)
        write(job.kind)
        write(Int32(clamping: job.version))
        write(Int32(clamping: job.attempt))
        write(Int32(clamping: job.maximumAttempts))
        write(Int32(clamping: job.priority))
        write(job.payload)
        write(job.trace ?? "")
        // Empty for the usual job, which is for its owner.
        write(job.person == job.userID ? "" : job.person)
    }
}

extension WireReader {
    mutating func readJob() throws -> AssignedJob {
        AssignedJob(
            run: try readRun(), userID: try readText(), kind: try readText(),
            version: Int(try read(Int32.self)), attempt: Int(try read(Int32.self)),
            maximumAttempts: Int(try read(Int32.self)), priority: Int(try read(Int32.self)),
            payload: try readText(), trace: try readOptionalText(), person: try readOptionalText())
    }

    private mutating func readOptionalText() throws -> String? {
        let text = try readText()
        return text.isEmpty ? nil : text
    }
}
