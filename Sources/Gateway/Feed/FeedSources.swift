import Synchronization
import Timeline

/// What all domains add to feeds. It is complete once the ``GatewayApplication`` is made, whose domains it has.
package final class FeedSources: Sendable {
    private struct State {
        var items: [TimelineKind: FeedItemSource] = [:]
        var refreshes: [FeedRefreshSource] = []
    }

    /// A content of an item, as it is since a change of the item.
    package struct ContentKey: Hashable, Sendable {
        let kind: TimelineKind
        let subject: Int64
        let change: Int64

        package init(_ item: TimelineItem) {
            (kind, subject, change) = (item.kind, item.subject, item.change)
        }
    }

    private let state = Mutex(State())
    /// The contents of sources that give all viewers the same (``FeedItemSource/isSameForAll``).
    package let sharedContents = SharedValues<ContentKey, FeedContent>(maximumBytes: 4 << 20) { $0.json.count }

    package init() {}

    /// The source of a kind's contents; `nil` for a kind of no domain.
    package func items(of kind: TimelineKind) -> FeedItemSource? { state.withLock { $0.items[kind] } }

    package var refreshes: [FeedRefreshSource] { state.withLock { $0.refreshes } }

    func replace(by domains: [GatewayDomain]) {
        state.withLock { $0 = State() }
        add(of: domains)
    }

    func add(of domains: [GatewayDomain]) {
        state.withLock { state in
            for source in domains.flatMap(\.feedItemSources) {
                precondition(
                    state.items.updateValue(source, forKey: source.kind) == nil,
                    "two domains have items of the kind \(source.kind.name)")
            }
            state.refreshes += domains.flatMap(\.feedRefreshSources)
        }
    }
}
