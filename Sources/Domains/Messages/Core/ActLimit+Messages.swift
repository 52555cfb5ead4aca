import Visibility

extension ActLimit {
    /// Messages to everybody. Deleting one does not restore the allowance.
    package static let messages = [
        ActLimit(
            "messagesPerMinute", count: 120, per: .seconds(60), act: "send", counted: "messages",
            again: "send another message")
    ]
    /// Messages to one person, counted in the sender's side of the thread.
    static let messagesToOne = ActLimit(
        "messagesPerMinuteToOne", count: 30, per: .seconds(60), act: "send", counted: "messages to one person",
        again: "send this person another message")
    /// Changes of who may write and whether read marks are shown, which all learn who have a thread with the person.
    package static let messageSettings = [
        ActLimit(
            "messageSettingsPerHour", count: 30, per: .seconds(3_600), act: "change your message settings",
            again: "change them again")
    ]
    /// Threads that are made.
    package static let threads = [
        ActLimit(
            "threadsPerDay", count: 20, per: .seconds(86_400), act: "begin to write to", counted: "people",
            again: "begin to write to another person")
    ]
}
