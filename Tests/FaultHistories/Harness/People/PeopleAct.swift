/// What a person of a history does, toward another one or to their own account. People are numbers from zero on.
package enum PeopleAct: Codable, Sendable, Hashable {
    case follow(Int, Int)
    case unfollow(Int, Int)
    case removeFollower(Int, Int)
    case accept(Int, Int)
    case decline(Int, Int)
    case block(Int, Int)
    case unblock(Int, Int)
    case show(Int, to: Audience)
    /// Sets the display name to one with a number.
    case rename(Int, number: Int)
    /// Takes another username, once.
    case takeUsername(Int)
    /// An administrator suspends the person.
    case suspend(Int)
    case reinstate(Int)
    case erase(Int)

    /// The people whom the act concerns. Acts that concern different people may be carried out in any order.
    var people: Set<Int> {
        switch self {
        case .follow(let own, let other), .unfollow(let own, let other), .removeFollower(let own, let other),
            .accept(let own, let other), .decline(let own, let other), .block(let own, let other),
            .unblock(let own, let other):
            [own, other]
        case .show(let own, _), .rename(let own, _), .takeUsername(let own), .suspend(let own), .reinstate(let own),
            .erase(let own):
            [own]
        }
    }

    /// Whether the act may be refused once it has been done, since the person is no longer known to the one who acts.
    var endsAcquaintance: Bool {
        switch self {
        case .removeFollower, .decline, .unblock, .erase: true
        default: false
        }
    }
}

/// Those who may see a profile.
package enum Audience: String, Codable, Sendable, CaseIterable {
    case `public`, followers, `private`
}

extension PeopleAct: CustomStringConvertible {
    package var description: String {
        switch self {
        case .follow(let own, let other): "\(own) follows \(other)"
        case .unfollow(let own, let other): "\(own) unfollows \(other)"
        case .removeFollower(let own, let other): "\(own) removes the follower \(other)"
        case .accept(let own, let other): "\(own) accepts the request of \(other)"
        case .decline(let own, let other): "\(own) declines the request of \(other)"
        case .block(let own, let other): "\(own) blocks \(other)"
        case .unblock(let own, let other): "\(own) unblocks \(other)"
        case .show(let own, let audience): "\(own) sets the profile to \(audience.rawValue)"
        case .rename(let own, let number): "\(own) sets the display name with number \(number)"
        case .takeUsername(let own): "\(own) takes another username"
        case .suspend(let own): "an administrator suspends \(own)"
        case .reinstate(let own): "an administrator reinstates \(own)"
        case .erase(let own): "\(own) erases the account"
        }
    }
}
