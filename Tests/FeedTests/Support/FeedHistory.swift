import Domains
import DomainEvents
import Model
import People
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Feed
@testable import FeedHTTP
@testable import Gateway

/// People who act at random in a database, a model of what they do, and their devices.
struct FeedHistory: Sendable {
    /// A viewer who pages through the feed while others act.
    private struct Session: Sendable {
        var position: TimelinePosition?
        var last: FeedModel.Entry?
    }

    static let noon = Timestamp(microseconds: 1_800_000_000_000_000)

    /// In front of the people's numbers in their ids.
    let prefix: String
    private(set) var model = FeedModel()
    private var random: SeededRandom
    /// The items of the model in the database, by their names.
    private var stored: [String: SampleItem] = [:]
    private var sessions = Array(repeating: Session(), count: FeedModel.people)
    private var devices: [FeedDevice]
    /// Those whose follows nobody was told of when they became invisible or visible again: people are not told of it
    /// when those who follow them are suspended.
    private var silent: Set<Int> = []
    private(set) var acts: [FeedModel.Act] = []
    /// How often a device could read with others.
    private(set) var readTogether = 0

    init(prefix: String, seed: UInt64) {
        self.prefix = prefix
        random = SeededRandom(seed: seed)
        // Two devices of the first person.
        devices = ([0] + Array(0..<FeedModel.people)).map { FeedDevice(viewer: $0) }
    }

    func userID(_ person: Int) -> String { prefix + "\(person)" }

    private func moment(_ milliseconds: Int64) -> Timestamp {
        Self.noon.advanced(by: .milliseconds(milliseconds))
    }

    func addPeople(in transaction: WriteTransaction) throws {
        for person in 0..<FeedModel.people { try transaction.visibility.add(userID: userID(person)) }
    }

    // MARK: Acts

    /// Performs a random act in the model and in the database.
    mutating func act(step: Int, in transaction: WriteTransaction) throws {
        let act = FeedModel.Act(using: &random, step: step)
        acts.append(act)
        switch model.perform(act) {
        case .nothing: break
        case .add(let item): try add(item, in: transaction)
        case .edit(let item): try stored[item.name].map { try transaction.edit($0) }
        case .remove(let item): try remove(item, in: transaction)
        case .replace(let former, let item):
            try remove(former, in: transaction)
            try add(item, in: transaction)
        case .hide(let viewer, let entry):
            let id = entry.kind == .follow ? prefix + entry.id : entry.id
            try transaction.feed.hide(entry.kind, id, of: userID(viewer), now: Self.noon)
        case .show(let viewer, let name):
            let parts = name.split(separator: ":").map(String.init)
            let kind = try #require(TimelineKind(name: parts[0]))
            let id = kind == .follow ? prefix + parts[1] : parts[1]
            try transaction.feed.show(kind, id, of: userID(viewer))
        case .mark(let viewer, let entry):
            guard let item = stored[entry.name] else { break }
            let position = TimelinePosition(score: item.kind.score(of: item.moment), number: item.number)
            _ = try transaction.feed.moveMark(to: position, of: userID(viewer))
        case .act(let act): try perform(act, in: transaction)
        }
    }

    private mutating func add(_ item: FeedModel.Item, in transaction: WriteTransaction) throws {
        let time = moment(item.moment)
        if let owner = item.owner {
            let person = try #require(try transaction.visibility.key(ofUser: userID(owner)))
            stored[item.name] = try transaction.addOwnItem(item.kind, item.id, for: person, moment: time)
        } else if let author = item.author {
            let person = try #require(try transaction.visibility.key(ofUser: userID(author)))
            stored[item.name] = try transaction.addItem(
                item.kind, item.id, of: userID(author), by: [TimelineAuthor(person)], moment: time)
        } else {
            let authors = try item.topics.sorted().map {
                try transaction.timeline.author(of: .artist(key: prefix + "\($0)"))
            }
            stored[item.name] = try transaction.addItem(
                item.kind, item.id, of: "topics", by: authors, moment: time)
        }
    }

    private func remove(_ item: FeedModel.Item, in transaction: WriteTransaction) throws {
        guard let known = stored[item.name] else { return }
        guard let owner = item.owner else { return try transaction.remove(known, now: Self.noon) }
        let person = try #require(try transaction.visibility.key(ofUser: userID(owner)))
        try transaction.removeOwn(known, for: person, now: Self.noon)
    }

    private mutating func perform(_ act: FeedModel.Act, in transaction: WriteTransaction) throws {
        let (people, visibility) = (transaction.people, transaction.visibility)
        switch act {
        case .follow(let own, let other, let time):
            let now = moment(time)
            let outcome = try people.follow(userID(other), by: userID(own), now: now)
            if outcome.state == .requested { try people.accept(userID(own), by: userID(other), now: now) }
        case .unfollow(let own, let other): try people.unfollow(userID(other), by: userID(own))
        case .removeFollower(let own, let other): try people.removeFollower(userID(other), of: userID(own))
        case .block(let own, let other): try people.block(userID(other), by: userID(own), now: Self.noon)
        case .unblock(let own, let other): try people.unblock(userID(other), by: userID(own), now: Self.noon)
        case .setVisibility(let own, let value): try visibility.setVisibility(value, userID: userID(own))
        case .suspend(let own):
            silent.insert(own)
            try visibility.suspend(userID: userID(own))
        case .reinstate(let own): try visibility.reinstate(userID: userID(own))
        case .close(let own):
            silent.insert(own)
            try visibility.close(userID: userID(own))
        case .read(let own, let topics):
            try transaction.publish(
                RankedArtistsChanged(userID: userID(own), artistKeys: topics.sorted().map { prefix + "\($0)" }))
        case .mute(let own, let kind): try transaction.feed.mute(kind, of: userID(own), now: Self.noon)
        case .unmute(let own, let kind): try transaction.feed.unmute(kind, of: userID(own))
        case .share, .edit, .takeBack, .announce, .revise, .recommend, .hide, .show, .mark: break
        }
    }

    /// Runs the erasures of everybody who is gone.
    mutating func erase(in database: Database) async throws {
        let gone = model.gone
        for person in gone {
            _ = try await PersonalTables(of: .tested).eraseRows(
                of: userID(person), in: database, by: SteppedWrites(database, checkpoints: true))
        }
        model.erase()
        silent.subtract(gone)
    }

    // MARK: Checks

    /// Compares what some random viewers read with the model.
    mutating func check(_ sources: FeedSources, in reader: ReadTransaction, _ comment: Comment) throws {
        // Each from where it has read to.
        let readers = Set(
            devices.filter { $0.seq > 0 }.map { ChangeReader(userID: userID($0.viewer), after: $0.seq) })
        readTogether += try FeedDevice.checkTogether(Array(readers), sources, in: reader, comment)
        for viewer in (0..<FeedModel.people).shuffled(using: &random).prefix(3) {
            try check(viewer, sources, in: reader, comment)
        }
    }

    private mutating func check(
        _ viewer: Int, _ sources: FeedSources, in reader: ReadTransaction, _ comment: Comment
    ) throws {
        guard var feed = try feedReader(of: viewer, sources, in: reader) else {
            #expect(!model.isActive(viewer), comment)
            return
        }
        let (manyFollows, window) = (
            Int.random(in: 0...3, using: &random), Int.random(in: 1...4, using: &random)
        )
        feed.method = TimelineMethod(manyFollows: manyFollows, windows: [window, window + 2])
        try checkPage(feed, viewer, comment)
        let whole = try checkWhole(feed, viewer, comment)
        let mark = try reader.feed.mark(of: feed.viewer.key)
        if let mark, let expected = model.marks[viewer] {
            #expect(mark.position.score <= Self.score(expected.score), comment)
        } else {
            #expect(mark == nil, comment)
        }
        for index in devices.indices where devices[index].viewer == viewer {
            try checkDevice(index, feed, whole, comment)
        }
    }

    private func feedReader(of viewer: Int, _ sources: FeedSources, in reader: ReadTransaction) throws -> FeedReader? {
        try reader.visibility.viewer(userID: userID(viewer)).map {
            FeedReader(reader: reader, viewer: $0, sources: sources, leftOut: [])
        }
    }

    /// The next page of a session that began earlier.
    private mutating func checkPage(_ feed: FeedReader, _ viewer: Int, _ comment: Comment) throws {
        let limit = Int.random(in: 1...6, using: &random)
        let session = sessions[viewer]
        let page = try feed.page(below: session.position, limit: limit)
        let rest = model.feed(of: viewer).filter { entry in session.last.map { entry < $0 } ?? true }
        let expected = Array(rest.prefix(limit))
        #expect(page.items.map(name) == expected.map(\.name), "\(comment): a page of \(viewer)")
        if page.next == nil { #expect(rest.count <= limit, "\(comment): the last page of \(viewer)") }
        sessions[viewer] = page.next.map { Session(position: $0, last: expected.last) } ?? Session()
    }

    /// All pages at once, of which each looks at few items.
    private mutating func checkWhole(_ feed: FeedReader, _ viewer: Int, _ comment: Comment) throws -> [FeedItem] {
        var feed = feed
        feed.mostItems = [1, 30].randomElement(using: &random) ?? 1
        let limit = Int.random(in: 1...30, using: &random)
        var (items, position): ([FeedItem], TimelinePosition?) = ([], nil)
        repeat {
            let page = try feed.page(below: position, limit: limit)
            items += page.items
            position = page.next
        } while position != nil
        #expect(items.map(name) == model.feed(of: viewer).map(\.name), "\(comment): the feed of \(viewer)")
        #expect(
            items.map(\.item.position.score) == model.feed(of: viewer).map { Self.score($0.score) },
            "\(comment): the scores of \(viewer)")
        return items
    }

    private mutating func checkDevice(
        _ index: Int, _ feed: FeedReader, _ whole: [FeedItem], _ comment: Comment
    ) throws {
        if devices[index].seq == 0 { return try devices[index].load(feed) }
        // A device may ask for a page at one moment, and get it after changes of a later one.
        if devices[index].isLoading {
            if Bool.random(using: &random) { devices[index].receive() }
            try devices[index].catchUp(feed)
            devices[index].receive()
        } else {
            try devices[index].catchUp(feed)
            if Bool.random(using: &random) {
                try devices[index].request(feed, limit: Int.random(in: 1...4, using: &random))
            }
        }
        let device = devices[index]
        let end = device.end ?? TimelinePosition(score: .min, number: .min)
        let expected = whole.filter { $0.item.position >= end && !isSilent(name($0)) }
        let shown = device.shown.filter { !isSilent(name($0)) }
        #expect(
            shown.map(name) == expected.map(name), "\(comment): device \(index) of \(device.viewer)")
        let versions = model.feed(of: device.viewer).reduce(into: [:]) { $0[$1.name] = $1.version }
        for entry in shown {
            #expect(entry.version == versions[name(entry)], "\(comment): device \(index), \(entry.name)")
        }
    }

    private func isSilent(_ name: String) -> Bool { silent.contains { name == "follow:\($0)" } }

    /// The name of an item in the model.
    private func name(_ item: FeedItem) -> String { name(item.item.kind.itemID(item.content.id)) }

    private func name(_ entry: FeedDevice.Entry) -> String { name(entry.name) }

    private func name(_ text: String) -> String { text.replacing(prefix, with: "") }

    private static func score(_ score: Int64) -> Int64 { noon.microseconds / 1_000 + score }
}

extension FeedModel.Item {
    var name: String { kind.itemID(id) }
}
