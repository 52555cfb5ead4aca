import Model

extension SQLReader {
    /// Whether a credential was entered, or a connection consented to, since a run began.
    ///
    /// One that is of the future says nothing: the clock was ahead then, and it would seem new to every run.
    package func hasNewCredential(
        ofProvider provider: String, sinceStartOf run: JobRun, now: Timestamp
    ) throws -> Bool {
        try row(
            """
            SELECT 1 AS found FROM jobs JOIN connections ON connections.user_id = jobs.user_id
            WHERE jobs.id = \(run.jobID) AND connections.provider = \(provider)
                AND connections.authorized_at >= jobs.started_at AND connections.authorized_at <= \(now)
            """) != nil
    }

    /// How many jobs wait for their owners' credentials, by provider.
    package func jobsAwaitingCredentials() throws -> [(provider: String, count: Int)] {
        try rows(
            """
            SELECT awaits, COUNT(*) AS count FROM jobs WHERE awaits IS NOT NULL AND state = 'scheduled'
            GROUP BY awaits ORDER BY awaits
            """
        ).map { (try $0["awaits"], try $0["count"]) }
    }
}

extension WriteTransaction {
    /// Makes a person's jobs due that wait for a credential of a provider.
    package func resumeJobs(userID: String, awaiting provider: String, now: Timestamp) throws {
        let waiting = try rows(
            "SELECT id FROM jobs WHERE user_id = \(userID) AND awaits = \(provider) AND state = 'scheduled'")
        for row in waiting {
            let id: String = try row["id"]
            try execute("UPDATE jobs SET run_at = \(now), awaits = NULL, change = \(try nextChange()) WHERE id = \(id)")
        }
    }
}
