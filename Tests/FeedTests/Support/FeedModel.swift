import Timeline
import Visibility

/// A slow model of feeds: it keeps everything that happens in memory, and sorts it again for each question.
struct FeedModel: Sendable {
    static let (people, topics) = (5, 3)

    enum State { case active, suspended, gone, erased }

    /// An item that somebody made.
    struct Item: Sendable {
        let kind: TimelineKind
        let id: String
        /// In milliseconds, without what the kind adds.
        let moment: Int64
        /// Rises with each item.
        let sequence: Int
        /// The person from whom it is.
        var author: Int?
        var topics: Set<Int> = []
        /// The person who alone has it.
        var owner: Int?
        var version = 1
    }

    /// An item as a feed shows it.
    struct Entry: Sendable, Equatable, Comparable {
        let kind: TimelineKind
        let id: String
        let score: Int64
        let sequence: Int
        let version: Int
        /// The person from whom it is.
        let author: Int?

        var name: String { "\(kind.name):\(id)" }

        static func < (left: Self, right: Self) -> Bool { (left.score, left.sequence) < (right.score, right.sequence) }
    }

    struct Pair: Hashable, Sendable {
        let from: Int
        let to: Int
    }

    private(set) var states = Array(repeating: State.active, count: people)
    private(set) var visibilities = Array(repeating: ProfileVisibility.public, count: people)
    private(set) var follows: Set<Pair> = []
    private(set) var blocks: Set<Pair> = []
    /// When the first follow of a pair was made.
    private var beginnings: [Pair: (moment: Int64, sequence: Int)] = [:]
    private(set) var items: [Item] = []
    private(set) var topicsOf = Array(repeating: Set<Int>(), count: people)
    private(set) var muted = Array(repeating: Set<TimelineKind>(), count: people)
    private(set) var hidden = Array(repeating: Set<String>(), count: people)
    private(set) var marks: [Int: (score: Int64, sequence: Int)] = [:]
    private var sequence = 0

    // MARK: What is visible

    func isActive(_ person: Int) -> Bool { states[person] == .active }

    private func areApart(_ one: Int, _ other: Int) -> Bool {
        blocks.contains(Pair(from: one, to: other)) || blocks.contains(Pair(from: other, to: one))
    }

    private func seesAct(_ viewer: Int, _ other: Int) -> Bool { isActive(other) && !areApart(viewer, other) }

    private func seesProfile(_ viewer: Int, _ other: Int) -> Bool {
        guard seesAct(viewer, other) else { return false }
        return switch visibilities[other] {
        case .public: true
        case .followers: follows.contains(Pair(from: viewer, to: other))
        case .private: false
        }
    }

    /// The whole feed of a viewer, the first item on top.
    func feed(of viewer: Int) -> [Entry] {
        guard isActive(viewer) else { return [] }
        var entries = items.filter { item in
            if let author = item.author {
                return follows.contains(Pair(from: viewer, to: author)) && seesProfile(viewer, author)
            }
            return item.owner.map { $0 == viewer } ?? !item.topics.isDisjoint(with: topicsOf[viewer])
        }.map { entry(of: $0) }
        for (pair, beginning) in beginnings where pair.to == viewer {
            guard follows.contains(pair), seesAct(viewer, pair.from) else { continue }
            entries.append(
                Entry(
                    kind: .follow, id: "\(pair.from)", score: beginning.moment + TimelineKind.follow.bonus,
                    sequence: beginning.sequence, version: 1, author: nil))
        }
        entries.removeAll { muted[viewer].contains($0.kind) || hidden[viewer].contains(Self.key(of: $0.name)) }
        return entries.sorted(by: >)
    }

    private func entry(of item: Item) -> Entry {
        Entry(
            kind: item.kind, id: item.id, score: item.moment + item.kind.bonus, sequence: item.sequence,
            version: item.version, author: item.author)
    }

    private static func key(of name: String) -> String { name.split(separator: ".").first.map(String.init) ?? name }

    /// Performs an act, and returns what a database has to do.
    mutating func perform(_ act: Act) -> Effect {
        sequence += 1
        switch act {
        case .share(let author, let moment):
            guard isActive(author) else { return .nothing }
            return add(
                Item(kind: .share, id: "s\(sequence)", moment: moment, sequence: sequence, author: author))
        case .announce(let topics, let moment):
            return add(
                Item(kind: .concert, id: "c\(sequence).1", moment: moment, sequence: sequence, topics: topics))
        case .recommend(let owner, let moment):
            guard isActive(owner) else { return .nothing }
            return add(
                Item(kind: .recommendation, id: "r\(sequence)", moment: moment, sequence: sequence, owner: owner))
        case .edit(let number):
            let editable = items.indices.filter { items[$0].owner == nil }
            guard !editable.isEmpty else { return .nothing }
            let index = editable[number % editable.count]
            items[index].version += 1
            return .edit(items[index])
        case .takeBack(let number):
            guard !items.isEmpty else { return .nothing }
            return .remove(items.remove(at: number % items.count))
        case .revise(let number, let moment):
            let concerts = items.indices.filter { items[$0].kind == .concert }
            guard !concerts.isEmpty else { return .nothing }
            let former = items.remove(at: concerts[number % concerts.count])
            let parts = former.id.split(separator: ".")
            let item = Item(
                kind: .concert, id: "\(parts[0]).\((Int(parts[1]) ?? 0) + 1)", moment: moment, sequence: sequence,
                topics: former.topics)
            items.append(item)
            return .replace(former, by: item)
        case .hide(let viewer, let place):
            guard let entry = entry(at: place, of: viewer) else { return .nothing }
            hidden[viewer].insert(Self.key(of: entry.name))
            return .hide(viewer, entry)
        case .show(let viewer, let place):
            let names = hidden[viewer].sorted()
            guard isActive(viewer), !names.isEmpty else { return .nothing }
            hidden[viewer].remove(names[place % names.count])
            return .show(viewer, name: names[place % names.count])
        case .mark(let viewer, let place):
            guard let entry = entry(at: place, of: viewer) else { return .nothing }
            let position = (entry.score, entry.sequence)
            marks[viewer] = marks[viewer].map { position > $0 ? position : $0 } ?? position
            return .mark(viewer, entry)
        case .follow(let own, let other, let moment):
            guard own != other, isActive(own), seesAct(own, other), visibilities[other] != .private else {
                return .nothing
            }
            let pair = Pair(from: own, to: other)
            guard follows.insert(pair).inserted else { return .nothing }
            if beginnings[pair] == nil { beginnings[pair] = (moment, sequence) }
            return .act(act)
        case .unfollow(let own, let other):
            guard own != other, isActive(own), seesAct(own, other), visibilities[other] != .private else {
                return .nothing
            }
            follows.remove(Pair(from: own, to: other))
            return .act(act)
        case .removeFollower(let own, let other):
            guard own != other, isActive(own), seesAct(own, other),
                follows.contains(Pair(from: other, to: own))
            else { return .nothing }
            follows.remove(Pair(from: other, to: own))
            return .act(act)
        case .block(let own, let other):
            guard own != other, isActive(own), seesAct(own, other), visibilities[other] != .private else {
                return .nothing
            }
            blocks.insert(Pair(from: own, to: other))
            follows.remove(Pair(from: own, to: other))
            follows.remove(Pair(from: other, to: own))
            return .act(act)
        case .unblock(let own, let other):
            guard own != other, isActive(own), isActive(other), blocks.contains(Pair(from: own, to: other)) else {
                return .nothing
            }
            blocks.remove(Pair(from: own, to: other))
            return .act(act)
        case .setVisibility(let own, let visibility):
            guard isActive(own) else { return .nothing }
            visibilities[own] = visibility
            return .act(act)
        case .suspend(let own):
            guard isActive(own) else { return .nothing }
            states[own] = .suspended
            return .act(act)
        case .reinstate(let own):
            guard states[own] == .suspended else { return .nothing }
            states[own] = .active
            return .act(act)
        case .close(let own):
            guard isActive(own) else { return .nothing }
            states[own] = .gone
            return .act(act)
        case .read(let own, let topics):
            guard isActive(own) else { return .nothing }
            topicsOf[own] = topics
            return .act(act)
        case .mute(let own, let kind):
            guard isActive(own) else { return .nothing }
            muted[own].insert(kind)
            return .act(act)
        case .unmute(let own, let kind):
            guard isActive(own) else { return .nothing }
            muted[own].remove(kind)
            return .act(act)
        }
    }

    private mutating func add(_ item: Item) -> Effect {
        items.append(item)
        return .add(item)
    }

    private func entry(at place: Int, of viewer: Int) -> Entry? {
        let feed = feed(of: viewer)
        return feed.isEmpty ? nil : feed[place % feed.count]
    }

    /// Ends the erasures of everybody who is gone.
    mutating func erase() {
        let gone = Set(states.indices.filter { states[$0] == .gone })
        for person in gone { states[person] = .erased }
        follows = follows.filter { !gone.contains($0.from) && !gone.contains($0.to) }
        blocks = blocks.filter { !gone.contains($0.from) && !gone.contains($0.to) }
        items.removeAll { gone.contains($0.author ?? -1) || gone.contains($0.owner ?? -1) }
    }

    var gone: [Int] { states.indices.filter { states[$0] == .gone } }
}
