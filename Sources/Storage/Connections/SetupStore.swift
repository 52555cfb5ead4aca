import Model

/// What may be known of a secret without opening it.
package struct SecretHint: Sendable, Equatable {
    package var provider: String
    package var field: String
    /// Of the vault key that opens it.
    package var keyID: String
    /// The last characters; empty when the secret is too short for that.
    package var hint: String
}

extension SQLReader {
    /// A person's secrets, as far as they may be shown.
    package func secretHints(userID: String) throws -> [SecretHint] {
        try rows("SELECT provider, field, key_id, hint FROM secrets WHERE user_id = \(userID)").map { row in
            SecretHint(
                provider: try row["provider"], field: try row["field"], keyID: try row["key_id"],
                hint: try row["hint"])
        }
    }

    /// Whether a credential was entered, or a connection consented to, since a run began.
    package func hasNewCredential(ofProvider provider: String, sinceStartOf run: JobRun) throws -> Bool {
        try row(
            """
            SELECT 1 AS found FROM jobs JOIN connections ON connections.user_id = jobs.user_id
            WHERE jobs.id = \(run.jobID) AND connections.provider = \(provider)
                AND connections.authorized_at >= jobs.started_at
            """) != nil
    }

    package func homeCity(userID: String) throws -> String? {
        try row("SELECT home_city FROM users WHERE id = \(userID)").flatMap { try $0["home_city"] }
    }

    /// A person's connections that changed after `change`, in the order in which they did.
    package func connections(userID: String, changedAfter change: Int64, limit: Int) throws -> [ConnectionRecord] {
        try rows(
            """
            SELECT \(ConnectionRecord.columns) FROM connections
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """
        ).map(ConnectionRecord.init)
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
    package func setHomeCity(_ city: String, userID: String, now: Timestamp) throws {
        try execute("UPDATE users SET home_city = \(city), updated_at = \(now) WHERE id = \(userID)")
    }

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
