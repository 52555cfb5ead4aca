import Model
import Storage
import Visibility

/// Who may write to a person, and whether read marks are shown.
package struct MessageSettings: Sendable, Equatable {
    package var policy = MessagePolicy.anybody
    package var showsReadMarks = false

    package init() {}
}

extension MessageStore {
    package func settings(of person: PersonKey) throws -> MessageSettings {
        var settings = MessageSettings()
        let row = try transaction.row("SELECT policy, shows_marks FROM message_settings WHERE person = \(person)")
        guard let row else { return settings }
        settings.policy = MessagePolicy(number: try row["policy"])
        settings.showsReadMarks = try row["shows_marks"]
        return settings
    }
}

extension MessageStore where Access == WriteTransaction {
    /// Changes a person's settings, of which the programs of all learn who have a thread with the person.
    ///
    /// - Returns: the settings as they are now.
    /// - Throws: ``MessageRefusal/unknownPerson`` for somebody who was suspended or erased meanwhile; `ActLimitReached`.
    package func changeSettings(
        of userID: String, now: Timestamp, _ change: (inout MessageSettings) -> Void
    ) throws -> MessageSettings {
        guard let person = try transaction.visibility.viewer(userID: userID)?.key else {
            throw MessageRefusal.unknownPerson
        }
        let former = try settings(of: person)
        var settings = former
        change(&settings)
        guard settings != former else { return settings }
        try transaction.visibility.count(ActLimit.messageSettings, by: person, now: now)
        try transaction.run(
            """
            INSERT INTO message_settings (person, policy, shows_marks)
            VALUES (\(person), \(settings.policy.number), \(settings.showsReadMarks))
            ON CONFLICT (person) DO UPDATE SET policy = excluded.policy, shows_marks = excluded.shows_marks
            """)
        try transaction.visibility.recordProfile(ofUser: userID)
        return settings
    }
}
