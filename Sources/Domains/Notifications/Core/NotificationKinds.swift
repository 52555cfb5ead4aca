import DomainEvents
import NotificationSources

/// The kinds of notifications of all domains.
package struct NotificationKinds: Sendable {
    /// In the order of the list of domains.
    package let sources: [NotificationSource]
    private let byKind: [NotificationKind: NotificationSource]

    package init(_ sources: [NotificationSource]) {
        self.sources = sources
        byKind = Dictionary(uniqueKeysWithValues: sources.map { ($0.kind, $0) })
    }

    /// - Returns: `nil` for a kind of a later version.
    package subscript(kind: NotificationKind) -> NotificationSource? { byKind[kind] }
}

extension Set<NotificationChannel> {
    /// The value of columns.
    var number: Int64 { reduce(0) { $0 | $1.number } }

    init(number: Int64) {
        self = Set(NotificationChannel.allCases.filter { number & $0.number != 0 })
    }
}
