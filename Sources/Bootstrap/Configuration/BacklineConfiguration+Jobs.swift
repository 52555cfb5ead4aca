import Settings

extension BacklineConfiguration {
    package struct Jobs: Sendable, Equatable {
        /// The time after a worker's last heartbeat at which it loses its runs.
        package var lease: Duration
        package var heartbeat: Duration
        /// The age at which finished jobs are deleted.
        package var retention: Duration
        package var maximumAttempts: Int
        /// The waiting time that raises a job's priority by one.
        package var ageing: Duration

        init(reading reader: inout ConfigurationReader) {
            lease = reader.value(ConfigurationKeys.jobsLeaseSeconds)
            heartbeat = reader.value(ConfigurationKeys.jobsHeartbeatSeconds)
            retention = reader.value(ConfigurationKeys.jobsRetentionHours)
            maximumAttempts = reader.value(ConfigurationKeys.jobsMaximumAttempts)
            ageing = reader.value(ConfigurationKeys.jobsAgeingSeconds)
            if lease <= heartbeat * 2 {
                reader.report(
                    .error(
                        "jobs.leaseSeconds is \(lease.components.seconds) and jobs.heartbeatSeconds is"
                            + " \(heartbeat.components.seconds); allowed: a lease of more than two heartbeats"))
            }
        }
    }

    /// A job that is submitted at a fixed interval.
    package struct Schedule: Sendable, Equatable {
        package var name: String
        package var kind: String
        /// A JSON object.
        package var payload: String
        package var interval: Duration

        /// All schedules: first those of the file, in its order, then those that only variables define.
        static func all(reading reader: inout ConfigurationReader) -> [Schedule] {
            ConfigurationKeys.schedules.names(reading: &reader).compactMap { Schedule(name: $0, reading: &reader) }
        }

        /// `nil` when a key is missing or wrong, which is reported to the reader.
        private init?(name: String, reading reader: inout ConfigurationReader) {
            let kind = reader.required(ConfigurationKeys.scheduleKind(name))
            let interval = reader.required(ConfigurationKeys.scheduleEverySeconds(name))
            let payload = reader.value(ConfigurationKeys.schedulePayload(name)) ?? "{}"
            guard let kind, let interval else { return nil }
            (self.name, self.kind, self.payload, self.interval) = (name, kind, payload, interval)
        }
    }
}
