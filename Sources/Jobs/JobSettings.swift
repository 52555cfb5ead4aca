/// The job engine's times and limits, from the configuration's `jobs` section.
package struct JobSettings: Sendable {
    /// How long an assignment remains valid without a message from its worker.
    package var lease: Duration
    /// How often a worker reports the runs that it holds.
    package var heartbeat: Duration
    /// The waiting time that raises a job's priority by one.
    package var ageing: Duration
    /// The most attempts before a job becomes a dead letter.
    package var maximumAttempts: Int
    /// How long finished jobs are kept.
    package var retention: Duration

    package init(
        lease: Duration = .seconds(10), heartbeat: Duration = .seconds(2), ageing: Duration = .seconds(30),
        maximumAttempts: Int = 5, retention: Duration = .seconds(7 * 86_400)
    ) {
        self.lease = lease
        self.heartbeat = heartbeat
        self.ageing = ageing
        self.maximumAttempts = maximumAttempts
        self.retention = retention
    }
}
