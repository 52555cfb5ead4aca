import Notifications

/// The pushes of a lane that are not sent yet. Those to one target are sent one after the other, so that none follows
/// one that its service refuses, or after which it asks to wait.
struct PushQueue {
    /// The deliveries of each push, all to one target.
    private var waiting: [[PushDelivery]]
    private var busy: Set<PushTargetKey> = []
    private var ended: Set<PushTargetKey> = []

    init(_ pushes: [[PushDelivery]]) {
        waiting = pushes
    }

    /// The next push, to a target that has none under way; `nil` while there is none.
    mutating func next() -> [PushDelivery]? {
        let place = waiting.firstIndex { push in
            push.first.map { !busy.contains($0.target) && !ended.contains($0.target) } ?? false
        }
        guard let place else { return nil }
        let push = waiting.remove(at: place)
        busy.formUnion(push.map(\.target))
        return push
    }

    /// A push to a target has been sent.
    ///
    /// - Parameter endsTurn: whether the target gets nothing more.
    mutating func finish(_ target: PushTargetKey, endsTurn: Bool) {
        busy.remove(target)
        if endsTurn { ended.insert(target) }
    }

    /// The deliveries that are not sent, because their target gets nothing more.
    var stopped: [PushDelivery] { waiting.joined().filter { ended.contains($0.target) } }

    /// The other deliveries that are not sent.
    var rest: [PushDelivery] { waiting.joined().filter { !ended.contains($0.target) } }
}
