import Synchronization
import Timeline

/// What all domains add to feeds. It is complete once the ``GatewayApplication`` is made, whose domains it has.
package final class FeedSources: Sendable {
    private struct State {
        var items: [TimelineKind: FeedItemSource] = [:]
        var refreshes: [FeedRefreshSource] = []
    }

    private let state = Mutex(State())

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
