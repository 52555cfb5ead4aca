/// Something that has happened in one domain and that others act on in the same transaction, so that neither names the
/// other. It is published with ``WriteTransaction/publish(_:)`` and handled by each ``EventSubscriber`` of its type.
package protocol DomainEvent: Sendable {
    /// What the publisher lends to the subscribers besides the transaction, such as the jobs that it submits with it,
    /// or a result that they fill in.
    associatedtype Context = Void
}

/// What a domain does when an event happens that another one publishes.
///
/// It runs within the transaction of the event, which holds the write lock, so it is limited to what a transaction may
/// do: a bounded number of statements, on the tables of its own domain. It makes no call, waits for nothing, and
/// changes nothing but the database and the event's context, because a transaction may run a second time. Longer work
/// is left to a job or to an upkeep step, for which it writes a row.
///
/// An error is the publisher's error: it rolls back the event with everything else in its transaction.
///
/// Every process that may publish events registers all subscribers (``Database/register(_:)``).
package struct EventSubscriber: Sendable {
    fileprivate let type: ObjectIdentifier
    /// An ``EventHandler`` for events of the type.
    fileprivate let handler: any Sendable

    /// - Parameter handle: handles one event.
    package init<Event: DomainEvent>(
        _ type: Event.Type, _ handle: @escaping @Sendable (Event, WriteTransaction) throws -> Void
    ) {
        self.init(type) { event, transaction, _ in try handle(event, transaction) }
    }

    /// - Parameter handle: handles one event with what its publisher lends.
    package init<Event: DomainEvent>(
        _ type: Event.Type,
        _ handle: @escaping @Sendable (Event, WriteTransaction, inout Event.Context) throws -> Void
    ) {
        self.type = ObjectIdentifier(type)
        handler = EventHandler<Event>(handle: handle)
    }
}

private struct EventHandler<Event: DomainEvent>: Sendable {
    let handle: @Sendable (Event, WriteTransaction, inout Event.Context) throws -> Void
}

/// The subscribers that a process has registered. It collects nothing.
private final class EventSubscribers: BatchAttachment {
    private let byType: [ObjectIdentifier: [EventSubscriber]]

    init(_ byType: [ObjectIdentifier: [EventSubscriber]] = [:]) {
        self.byType = byType
    }

    /// In the order of registration.
    func handlers<Event: DomainEvent>(of type: Event.Type) -> [EventHandler<Event>] {
        (byType[ObjectIdentifier(type)] ?? []).compactMap { $0.handler as? EventHandler<Event> }
    }

    func entrySucceeded() {}
    func entryRolledBack() {}
    func partBegan() {}
    func partEnded(isStored: Bool) {}
    func finishBatch(in transaction: WriteTransaction) throws {}
    func whenDurable() -> (@Sendable () -> Void)? { nil }
}

extension WriteTransaction {
    /// Has the subscribers of the event's type handle it now, in the order in which they were registered. Without any,
    /// nothing happens.
    ///
    /// - Throws: the error of the first subscriber that fails. The caller must let it roll back the transaction.
    package func publish<Event: DomainEvent>(_ event: Event) throws where Event.Context == Void {
        var nothing: Void = ()
        try publish(event, with: &nothing)
    }

    /// Like ``publish(_:)``, for an event whose publisher lends something to the subscribers.
    package func publish<Event: DomainEvent>(_ event: Event, with context: inout Event.Context) throws {
        let subscribers = attachment(EventSubscribers.self) { EventSubscribers() }
        for handler in subscribers.handlers(of: Event.self) { try handler.handle(event, self, &context) }
    }
}

extension Database {
    /// Registers what domains do when events of others happen. Called once, before any event is published.
    package func register(_ subscribers: [EventSubscriber]) {
        let byType = Dictionary(grouping: subscribers, by: \.type)
        attach(EventSubscribers.self) { EventSubscribers(byType) }
    }
}
