extension TypedJobKind where Payload == JSONText, Result == JSONText {
    /// Returns its payload, after `sleepMs` milliseconds if that is set. Every worker runs it: operators use it to
    /// check that the queue is alive, and benchmarks to put load on it.
    package static var diagnosticsEcho: Self {
        Self(
            verbatim: JobKind(
                name: "diagnostics.echo", version: 1, submitter: .user, maximumRunTime: .seconds(900)))
    }
}

extension TypedJobKind where Payload == StepsPayload, Result == StepsResult {
    /// Takes steps, each with a row and a checkpoint. Every worker runs it: operators use it to check that long jobs
    /// survive faults.
    package static var diagnosticsSteps: Self {
        Self(
            JobKind(
                name: "diagnostics.steps", version: 1, submitter: .user, maximumRunTime: .seconds(120),
                maximumTotalTime: .seconds(86_400)))
    }
}

/// The payload of `diagnostics.steps`, version 1.
package struct StepsPayload: Codable, Sendable, Equatable {
    package static let stepRange = 1...10_000
    package static let pauseRange = 0...60_000

    package let steps: Int
    /// The pause before each step in milliseconds; `nil` means none.
    package let stepMs: Int?

    package init(steps: Int, stepMs: Int? = nil) {
        self.steps = steps
        self.stepMs = stepMs
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        steps = try values.decode(Int.self, forKey: .steps)
        stepMs = try values.decodeIfPresent(Int.self, forKey: .stepMs)
        guard Self.stepRange.contains(steps), Self.pauseRange.contains(stepMs ?? 0) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "steps or stepMs is out of its range"))
        }
    }
}

/// The result of `diagnostics.steps`. The first three numbers are equal when no step was lost or taken twice.
package struct StepsResult: Codable, Sendable, Equatable {
    /// How many steps the payload asked for.
    package var steps: Int
    /// How many rows the database had at the end.
    package var written: Int
    /// How many different steps these rows had.
    package var distinct: Int
    /// How many runs wrote them.
    package var runs: Int

    package init(steps: Int, written: Int, distinct: Int, runs: Int) {
        self.steps = steps
        self.written = written
        self.distinct = distinct
        self.runs = runs
    }
}
