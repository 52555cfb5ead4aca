extension BacklineConfiguration {
    package struct Jobs: Sendable, Equatable {
        /// How long a worker keeps a run after its last heartbeat.
        package var lease: Duration
        package var heartbeat: Duration
        /// The age at which finished jobs are pruned.
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

        /// The schedules of the file. The environment can override their keys, but cannot add a schedule: a variable's
        /// name does not show where the schedule's name ends.
        static func all(reading reader: inout ConfigurationReader) -> [Schedule] {
            var schedules: [Schedule] = []
            for name in names(in: reader.file) {
                guard isName(name) else {
                    reader.report(
                        .error(
                            "schedules has the name \(quoted(name)); allowed: 1 to 64 lower-case letters, digits"
                                + " and hyphens, beginning with a letter"))
                    continue
                }
                if let schedule = Schedule(name: name, reading: &reader) { schedules.append(schedule) }
            }
            return schedules
        }

        /// `nil` when a key is missing or wrong, which is reported to the reader.
        private init?(name: String, reading reader: inout ConfigurationReader) {
            let kindKey = ConfigurationKeys.scheduleKind(name)
            let intervalKey = ConfigurationKeys.scheduleEverySeconds(name)
            let before = reader.problems.count
            let kind = reader.value(kindKey)
            let interval = reader.value(intervalKey)
            let payload = reader.value(ConfigurationKeys.schedulePayload(name)) ?? "{}"
            guard let kind, let interval else {
                // A wrong value has been reported, and must not be reported as missing as well.
                if reader.problems.count == before {
                    for (path, rule, isMissing) in [
                        (kindKey.path, kindKey.rule.allowed, kind == nil),
                        (intervalKey.path, intervalKey.rule.allowed, interval == nil),
                    ] where isMissing {
                        reader.report(.error("\(path) is missing; allowed: \(rule)"))
                    }
                }
                return nil
            }
            self.name = name
            self.kind = kind
            self.payload = payload
            self.interval = interval
        }

        static func names(in file: ConfigurationFile?) -> [String] {
            var names: [String] = []
            for entry in file?.entries ?? [] {
                let parts = entry.path.split(separator: ".", omittingEmptySubsequences: false)
                guard parts.count >= 2, parts[0] == "schedules" else { continue }
                let name = String(parts[1])
                if !names.contains(name) { names.append(name) }
            }
            return names
        }

        private static func isName(_ text: String) -> Bool {
            (1...64).contains(text.utf8.count) && (0x61...0x7a).contains(text.utf8.first ?? 0)
                && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
        }
    }
}
