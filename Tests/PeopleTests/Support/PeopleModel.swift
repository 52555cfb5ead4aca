import Model
import Storage
import TestSupport

@testable import People
@testable import Visibility

/// A simple model of follows, requests and blocks, written without the rules of the sources: sets of pairs, and lists
/// that are filtered by what the documentation says.
struct PeopleModel: Sendable {
    struct Pair: Hashable, Sendable {
        let from: Int
        let to: Int
    }

    private enum State { case active, suspended, gone, erased }

    private var states: [State]
    private var visibilities: [ProfileVisibility]
    private var showsStats: [Bool]
    /// In the order in which they were made.
    private var follows: [Pair] = []
    private var asked: [Pair] = []
    private var blocks: [Pair] = []
    private var everFollowed: Set<Pair> = []
    private var everAsked: Set<Pair> = []

    init(people: Int) {
        states = Array(repeating: .active, count: people)
        visibilities = Array(repeating: .public, count: people)
        showsStats = Array(repeating: true, count: people)
    }

    // MARK: What is visible

    func isActive(_ person: Int) -> Bool { states[person] == .active }

    private func areApart(_ one: Int, _ other: Int) -> Bool {
        blocks.contains { [[one, other], [other, one]].contains([$0.from, $0.to]) }
    }

    func canSee(_ facet: Facet, _ viewer: Int, _ subject: Int) -> Bool {
        guard isActive(viewer), isActive(subject) else { return false }
        if viewer == subject { return true }
        if areApart(viewer, subject) { return false }
        let isFollower = follows.contains(Pair(from: viewer, to: subject))
        let seesProfile =
            switch visibilities[subject] {
            case .public: true
            case .followers: isFollower
            case .private: false
            }
        return switch facet {
        case .act: true
        case .existence: visibilities[subject] != .private
        case .profile: seesProfile
        case .stats: seesProfile && showsStats[subject]
        }
    }

    func followState(_ viewer: Int, _ subject: Int) -> FollowState {
        let pair = Pair(from: viewer, to: subject)
        return follows.contains(pair) ? .following : asked.contains(pair) ? .requested : .none
    }

    func list(_ list: PeopleList, of own: Int) -> [Int] {
        switch list {
        case .following:
            follows.reversed().filter { $0.from == own && canSee(.existence, own, $0.to) }.map(\.to)
        case .followers: follows.reversed().filter { $0.to == own && canSee(.act, own, $0.from) }.map(\.from)
        case .blocked: blocks.reversed().filter { $0.from == own && isActive($0.to) }.map(\.to)
        }
    }

    func requests(to own: Int) -> [Int] {
        asked.reversed().filter { $0.to == own && canSee(.act, own, $0.from) }.map(\.from)
    }

    func counts(of own: Int) -> FollowCounts {
        FollowCounts(
            followers: follows.count { $0.to == own && isActive($0.from) },
            following: follows.count { $0.from == own && isActive($0.to) })
    }

    // MARK: Acts

    /// An act of the first person, toward the second.
    enum Act: Sendable {
        case follow(Int, Int), unfollow(Int, Int), removeFollower(Int, Int), accept(Int, Int), decline(Int, Int)
        case block(Int, Int), unblock(Int, Int)
        case setVisibility(Int, ProfileVisibility), setShowsStats(Int, Bool), suspend(Int), reinstate(Int), close(Int)

        init(using random: inout SeededRandom, people: Int) {
            let (one, other) = (
                Int.random(in: 0..<people, using: &random), Int.random(in: 0..<people, using: &random)
            )
            self =
                switch Int.random(in: 0..<40, using: &random) {
                case 0..<14: .follow(one, other)
                case 14..<17: .unfollow(one, other)
                case 17..<19: .removeFollower(one, other)
                case 19..<24: .accept(one, other)
                case 24..<26: .decline(one, other)
                case 26..<28: .block(one, other)
                case 28..<30: .unblock(one, other)
                case 30..<36:
                    .setVisibility(one, ProfileVisibility.allCases.randomElement(using: &random) ?? .public)
                case 36: .setShowsStats(one, Bool.random(using: &random))
                case 37: .suspend(one)
                case 38: .reinstate(one)
                default: Int.random(in: 0..<3, using: &random) == 0 ? .close(one) : .reinstate(one)
                }
        }
    }

    /// What an act answers.
    enum Answer: Equatable, Sendable {
        case followed(FollowOutcome)
        case done
        case refused(PeopleRefusal)
    }

    private func refusal(_ own: Int, _ other: Int) -> PeopleRefusal? {
        if !isActive(own) || states[other] == .erased { return .unknownPerson }
        return own == other ? .selfTarget : nil
    }

    /// Whether somebody may block or report a person.
    private func isKnown(_ other: Int, to own: Int) -> Bool {
        let theirs = Pair(from: other, to: own)
        return canSee(.existence, own, other) || isActive(other) && blocks.contains(Pair(from: own, to: other))
            || canSee(.act, own, other) && (follows.contains(theirs) || asked.contains(theirs))
    }

    mutating func perform(_ act: Act) -> Answer {
        switch act {
        case .setVisibility(let own, let visibility):
            visibilities[own] = visibility
            return .done
        case .setShowsStats(let own, let shows):
            showsStats[own] = shows
            return .done
        case .suspend(let own):
            if states[own] == .active { states[own] = .suspended }
            return .done
        case .reinstate(let own):
            if states[own] == .suspended { states[own] = .active }
            return .done
        case .close(let own):
            states[own] = .gone
            return .done
        case .follow(let own, let other), .unfollow(let own, let other), .removeFollower(let own, let other),
            .accept(let own, let other), .decline(let own, let other), .block(let own, let other),
            .unblock(let own, let other):
            if let refusal = refusal(own, other) { return .refused(refusal) }
            return perform(act, own, other)
        }
    }

    private mutating func perform(_ act: Act, _ own: Int, _ other: Int) -> Answer {
        let (mine, theirs) = (Pair(from: own, to: other), Pair(from: other, to: own))
        let unknown = Answer.refused(.unknownPerson)
        let exists = canSee(.existence, own, other)
        let isShown = canSee(.act, own, other)
        switch act {
        case .follow:
            guard exists else { return unknown }
            if follows.contains(mine) { return .followed(FollowOutcome(state: .following, isFirst: false)) }
            if visibilities[other] == .public { return .followed(.init(state: .following, isFirst: begin(mine))) }
            if asked.contains(mine) { return .followed(FollowOutcome(state: .requested, isFirst: false)) }
            asked.append(mine)
            let isFirst = everAsked.insert(mine).inserted && !everFollowed.contains(mine)
            return .followed(FollowOutcome(state: .requested, isFirst: isFirst))
        case .unfollow:
            guard exists else { return unknown }
            follows.removeAll { $0 == mine }
            asked.removeAll { $0 == mine }
        case .removeFollower:
            guard exists || isShown && follows.contains(theirs) else { return unknown }
            follows.removeAll { $0 == theirs }
        case .accept:
            guard isShown, asked.contains(theirs) || follows.contains(theirs) else { return unknown }
            if asked.contains(theirs) { begin(theirs) }
        case .decline:
            guard exists || isShown && asked.contains(theirs) else { return unknown }
            asked.removeAll { $0 == theirs }
        case .block:
            guard isKnown(other, to: own) else { return unknown }
            if !blocks.contains(mine) { blocks.append(mine) }
            follows.removeAll { $0 == mine || $0 == theirs }
            asked.removeAll { $0 == mine || $0 == theirs }
        case .unblock:
            guard isKnown(other, to: own) else { return unknown }
            blocks.removeAll { $0 == mine }
        case .setVisibility, .setShowsStats, .suspend, .reinstate, .close: break
        }
        return .done
    }

    /// Makes a follow, and returns whether it is the first one of the pair.
    @discardableResult
    private mutating func begin(_ pair: Pair) -> Bool {
        asked.removeAll { $0 == pair }
        if follows.contains(pair) { return false }
        follows.append(pair)
        return everFollowed.insert(pair).inserted
    }

    // MARK: Erasures

    var gone: [Int] { states.indices.filter { states[$0] == .gone } }

    /// Ends the erasures of everybody who is gone.
    mutating func erase() {
        let gone = Set(gone)
        for person in gone { states[person] = .erased }
        func isOfGone(_ pair: Pair) -> Bool { gone.contains(pair.from) || gone.contains(pair.to) }
        follows.removeAll(where: isOfGone)
        asked.removeAll(where: isOfGone)
        blocks.removeAll(where: isOfGone)
    }
}

extension PeopleModel.Act {
    /// Performs the act on a database.
    ///
    /// - Parameter prefix: in front of the people's numbers in their ids.
    func perform(in transaction: WriteTransaction, prefix: String, now: Timestamp) throws -> PeopleModel.Answer {
        func id(_ number: Int) -> String { prefix + "\(number)" }
        let (store, visibility) = (transaction.people, transaction.visibility)
        do {
            switch self {
            case .follow(let own, let other): return .followed(try store.follow(id(other), by: id(own), now: now))
            case .accept(let own, let other): try store.accept(id(other), by: id(own), now: now)
            case .unfollow(let own, let other): try store.unfollow(id(other), by: id(own))
            case .removeFollower(let own, let other): try store.removeFollower(id(other), of: id(own))
            case .decline(let own, let other): try store.decline(id(other), by: id(own))
            case .block(let own, let other): try store.block(id(other), by: id(own), now: now)
            case .unblock(let own, let other): try store.unblock(id(other), by: id(own), now: now)
            case .setVisibility(let own, let value): try visibility.setVisibility(value, userID: id(own))
            case .setShowsStats(let own, let value): try visibility.setShowsStats(value, userID: id(own))
            case .suspend(let own): try visibility.suspend(userID: id(own))
            case .reinstate(let own): try visibility.reinstate(userID: id(own))
            case .close(let own): try visibility.close(userID: id(own))
            }
            return .done
        } catch let refusal as PeopleRefusal {
            return .refused(refusal)
        }
    }
}
