import DomainEvents
import Model

/// The events of one kind, subject and local day that a person may see at this moment, newest first.
package struct NotificationGroup: Sendable {
    package let recipientID: String
    package let kind: NotificationKind
    package let subject: String
    /// At least one.
    package let events: [Event]
    /// Whether there were more events than are kept.
    package let hasMore: Bool

    /// The most events that are kept.
    package static let capacity = 200

    package struct Event: Sendable, Equatable {
        package let itemID: String
        /// `nil` where nobody acted, or somebody whom the recipient may not see.
        package let actor: Actor?
        /// Tells those apart whom the recipient may not see; `nil` for others. It is not shown.
        package let unnamedID: String?
        package let time: Timestamp

        package init(itemID: String, actor: Actor?, unnamedID: String? = nil, time: Timestamp) {
            (self.itemID, self.actor, self.unnamedID, self.time) = (itemID, actor, unnamedID, time)
        }
    }

    /// A person who acted, of whom the recipient may see the name.
    package struct Actor: Sendable, Hashable {
        package let userID: String
        package let username: String
        package let displayName: String?

        package init(userID: String, username: String, displayName: String?) {
            (self.userID, self.username, self.displayName) = (userID, username, displayName)
        }

        /// What notifications call the person.
        package var name: String { displayName ?? username }
    }

    package init(
        recipientID: String, kind: NotificationKind, subject: String, events: [Event], hasMore: Bool = false
    ) {
        (self.recipientID, self.kind, self.subject) = (recipientID, kind, subject)
        (self.events, self.hasMore) = (events, hasMore)
    }

    /// Those who acted, each once, the latest first.
    package var actors: [Actor] {
        var known: Set<String> = []
        return events.compactMap(\.actor).filter { known.insert($0.userID).inserted }
    }

    /// The same group with those of its events that are still to be shown; `nil` without any.
    package func filter(_ isShown: (Event) throws -> Bool) rethrows -> NotificationGroup? {
        let events = try events.filter(isShown)
        guard !events.isEmpty else { return nil }
        return NotificationGroup(
            recipientID: recipientID, kind: kind, subject: subject, events: events, hasMore: hasMore)
    }
}

extension NotificationGroup {
    /// How many people acted whom the recipient may not see.
    private var unnamedCount: Int { Set(events.compactMap(\.unnamedID)).count }

    /// Who acted, such as `Anna`, `Anna and Ben`, `Anna and 12 others` or, where the recipient may see none of them,
    /// `Somebody`; empty where nobody did.
    package var names: String {
        let (actors, unnamedCount) = (actors, unnamedCount)
        // Those of whom events were left out are among them, unless the whole group was full.
        let more = hasMore && events.count >= Self.capacity ? "more than " : ""
        guard let first = actors.first else {
            return switch unnamedCount {
            case 0: ""
            case 1: "Somebody"
            default: more.isEmpty ? "\(unnamedCount) people" : "More than \(unnamedCount) people"
            }
        }
        return switch (actors.count, unnamedCount) {
        case (1, 0): first.name
        case (2, 0): "\(first.name) and \(actors[1].name)"
        case (1, 1): "\(first.name) and somebody else"
        default: "\(first.name) and \(more)\(actors.count + unnamedCount - 1) others"
        }
    }

    /// A verb that agrees with ``names``.
    package func verb(_ singular: String, _ plural: String) -> String {
        actors.count + unnamedCount == 1 ? singular : plural
    }

    /// A number of things, such as `1 message` or `3 messages`; `more than 200 messages` for a group with more events
    /// than are kept.
    package func count(_ noun: String, plural: String? = nil) -> String {
        if events.count == 1, !hasMore { return "1 \(noun)" }
        return "\(hasMore ? "more than " : "")\(events.count) \(plural ?? noun + "s")"
    }
}
