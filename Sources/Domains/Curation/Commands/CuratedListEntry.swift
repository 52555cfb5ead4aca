import CommandSupport

/// A list as the API shows it.
struct CuratedListEntry: FollowedResource {
    struct Item: Decodable, Sendable {
        struct Track: Decodable, Sendable {
            var title: String
            var artist: String
            var durationMs: Int?
        }
        var track: Track
        var reason: String
    }
    struct DroppedEntry: Decodable, Sendable {
        var said: String
        var why: String
    }
    struct Progress: Decodable, Sendable {
        var done: Int
        var total: Int
    }
    struct Usage: Decodable, Sendable {
        var totalTokens: Int
    }
    struct Cost: Decodable, Sendable {
        var amount: String
        var currency: String
    }
    struct Failure: Decodable, Sendable {
        var message: String
    }

    var id: String
    var state: String
    var tracks: [Item]?
    var dropped: [DroppedEntry]
    var progress: Progress?
    var usage: Usage
    /// The cost; `nil` also from a gateway of an earlier release.
    var cost: Cost?
    var fallback: String?
    var shortfall: String?
    /// `nil` also from a gateway of an earlier release.
    var promptNote: String?
    var error: Failure?

    var hasEnded: Bool { ["complete", "failed"].contains(state) }

    var progressText: String {
        switch state {
        case "queued": "Waiting for an ai-worker …"
        case "asking": "Asking the model …"
        case "resolving": progress.map { "Looking up songs: \($0.done) of \($0.total) …" } ?? "Looking up songs …"
        default: "Checking …"
        }
    }

    /// The tokens that the list used, and their cost; `nil` if no model was asked.
    var usageText: String? {
        guard usage.totalTokens > 0 else { return nil }
        return "It used \(usage.totalTokens) tokens" + (cost.map { ", which cost \($0.amount) \($0.currency)." } ?? ".")
    }

    var columns: [TableColumn] {
        let items = tracks ?? []
        return [
            TableColumn(title: "Title", cells: items.map { .init(TextWidth.printable($0.track.title)) }, minimum: 16),
            TableColumn(title: "Artist", cells: items.map { .init(TextWidth.printable($0.track.artist)) }, minimum: 12),
            TableColumn(
                title: "Length", cells: items.map { .init($0.track.durationMs.map(HumanTime.length) ?? "") },
                dropOrder: 1, isNumber: true),
            TableColumn(
                title: "Reason", cells: items.map { .init(TextWidth.printable($0.reason)) }, minimum: 20, dropOrder: 2),
        ]
    }
}
