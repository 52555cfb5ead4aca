import Storage

extension RestoreMark {
    /// What the backup knows as owed may have been sent since. It is in the list.
    package static let notifications = RestoreMark(
        "UPDATE push_intents SET state = \(PushState.done.sql), sent_number = number WHERE state <> \(PushState.done.sql)"
    )
}
