/// What people should see after their acts, written without the rules of the sources: sets of pairs, which are filtered
/// by what the documentation says.
struct PeopleModel: Sendable {
    struct Pair: Hashable, Sendable {
        let from: Int
        let to: Int

        init(_ from: Int, _ to: Int) { (self.from, self.to) = (from, to) }
    }

    enum State: Sendable { case active, suspended, erased }

    struct Person: Sendable {
        var state = State.active
        var audience = Audience.public
        var username: String
        var formerUsername: String?
        var displayName: String?
    }

    private(set) var people: [Person]
    private(set) var follows: Set<Pair> = []
    private(set) var requests: Set<Pair> = []
    private(set) var blocks: Set<Pair> = []

    init(usernames: [String]) {
        people = usernames.map { Person(username: $0) }
    }

    /// A username that nobody else has in the history.
    func otherUsername(of person: Int) -> String { "renamed_\(person)" }

    static func displayName(_ number: Int) -> String { "Name \(number)" }

    // MARK: What is visible

    func isActive(_ person: Int) -> Bool { people[person].state == .active }

    func areApart(_ one: Int, _ other: Int) -> Bool {
        blocks.contains(Pair(one, other)) || blocks.contains(Pair(other, one))
    }

    /// Whether the first person sees what the second one does toward them.
    private func seesActs(_ viewer: Int, _ subject: Int) -> Bool {
        isActive(viewer) && isActive(subject) && !areApart(viewer, subject)
    }

    /// Whether the first person sees that there is the second one.
    func sees(_ viewer: Int, _ subject: Int) -> Bool {
        seesActs(viewer, subject) && people[subject].audience != .private
    }

    func following(_ own: Int) -> Set<Int> {
        Set(follows.filter { $0.from == own && sees(own, $0.to) }.map(\.to))
    }

    func followers(_ own: Int) -> Set<Int> {
        Set(follows.filter { $0.to == own && seesActs(own, $0.from) }.map(\.from))
    }

    func askers(_ own: Int) -> Set<Int> {
        Set(requests.filter { $0.to == own && seesActs(own, $0.from) }.map(\.from))
    }

    func blocked(_ own: Int) -> Set<Int> {
        Set(blocks.filter { $0.from == own && isActive($0.to) }.map(\.to))
    }

    /// As in the API.
    func followState(_ viewer: Int, _ subject: Int) -> String {
        let pair = Pair(viewer, subject)
        return follows.contains(pair) ? "following" : requests.contains(pair) ? "requested" : "none"
    }

    func follow(_ one: Int, _ other: Int) -> Bool { follows.contains(Pair(one, other)) }

    // MARK: Acts

    /// What the answer to an act is.
    enum Answer: Sendable, Equatable {
        case done
        /// 404.
        case unknown
        /// 401: whoever acts is suspended or erased.
        case signedOut
    }

    mutating func perform(_ act: PeopleAct) -> Answer {
        switch act {
        case .follow(let own, let other), .unfollow(let own, let other), .removeFollower(let own, let other),
            .accept(let own, let other), .decline(let own, let other), .block(let own, let other),
            .unblock(let own, let other):
            guard isActive(own) else { return .signedOut }
            return perform(act, Pair(own, other), Pair(other, own))
        case .suspend(let own), .reinstate(let own):
            guard people[own].state != .erased else { return .unknown }
            if case .suspend = act { people[own].state = .suspended } else { people[own].state = .active }
            return .done
        case .show(let own, let audience):
            guard isActive(own) else { return .signedOut }
            people[own].audience = audience
        case .rename(let own, let number):
            guard isActive(own) else { return .signedOut }
            people[own].displayName = Self.displayName(number)
        case .takeUsername(let own):
            guard isActive(own) else { return .signedOut }
            // The same name again changes nothing.
            guard people[own].formerUsername == nil else { return .done }
            people[own].formerUsername = people[own].username
            people[own].username = otherUsername(of: own)
        case .erase(let own):
            guard isActive(own) else { return .signedOut }
            people[own].state = .erased
            func isOfGone(_ pair: Pair) -> Bool { pair.from == own || pair.to == own }
            follows = follows.filter { !isOfGone($0) }
            requests = requests.filter { !isOfGone($0) }
            blocks = blocks.filter { !isOfGone($0) }
        }
        return .done
    }

    private mutating func perform(_ act: PeopleAct, _ mine: Pair, _ theirs: Pair) -> Answer {
        let (own, other) = (mine.from, mine.to)
        let (exists, seesActs) = (sees(own, other), seesActs(own, other))
        let isKnown =
            exists || isActive(other) && blocks.contains(mine)
            || seesActs && (follows.contains(theirs) || requests.contains(theirs))
        switch act {
        case .follow:
            guard exists else { return .unknown }
            if follows.contains(mine) { return .done }
            if people[other].audience == .public { begin(mine) } else { requests.insert(mine) }
        case .unfollow:
            guard exists else { return .unknown }
            follows.remove(mine)
            requests.remove(mine)
        case .removeFollower:
            guard exists || seesActs && follows.contains(theirs) else { return .unknown }
            follows.remove(theirs)
        case .accept:
            guard seesActs, requests.contains(theirs) || follows.contains(theirs) else { return .unknown }
            begin(theirs)
        case .decline:
            guard exists || seesActs && requests.contains(theirs) else { return .unknown }
            requests.remove(theirs)
        case .block:
            guard isKnown else { return .unknown }
            blocks.insert(mine)
            follows.subtract([mine, theirs])
            requests.subtract([mine, theirs])
        case .unblock:
            guard isKnown else { return .unknown }
            blocks.remove(mine)
        default: break
        }
        return .done
    }

    private mutating func begin(_ pair: Pair) {
        requests.remove(pair)
        follows.insert(pair)
    }
}
