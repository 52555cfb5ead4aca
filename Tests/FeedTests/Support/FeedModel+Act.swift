import TestSupport
import Timeline
import Visibility

extension FeedModel {
    /// What somebody does, or what schedules find.
    enum Act: Sendable {
        case share(by: Int, moment: Int64), edit(Int), takeBack(Int)
        case follow(Int, Int, moment: Int64), unfollow(Int, Int), removeFollower(Int, Int)
        case block(Int, Int), unblock(Int, Int)
        case setVisibility(Int, ProfileVisibility), suspend(Int), reinstate(Int), close(Int)
        case announce(topics: Set<Int>, moment: Int64), revise(Int, moment: Int64)
        case read(Int, topics: Set<Int>)
        case recommend(Int, moment: Int64)
        case mute(Int, TimelineKind), unmute(Int, TimelineKind)
        case hide(Int, place: Int), show(Int, place: Int)
        case mark(Int, place: Int)

        /// - Parameter step: how many steps were made before; moments rise with it, but not evenly.
        init(using random: inout SeededRandom, step: Int) {
            let (one, other) = (
                Int.random(in: 0..<people, using: &random), Int.random(in: 0..<people, using: &random)
            )
            let number = Int.random(in: 0..<1_000, using: &random)
            let topics = Set((0..<FeedModel.topics).filter { _ in Bool.random(using: &random) })
            // Many items have the same moment, and some were first seen late.
            let moment = Int64(step / 3 + (number % 5 == 0 ? -3 : 0)) * 600_000
            let kinds: [TimelineKind] = [.share, .concert, .follow, .recommendation]
            let kind = kinds.randomElement(using: &random) ?? .share
            self =
                switch Int.random(in: 0..<100, using: &random) {
                case 0..<26: .share(by: one, moment: moment)
                case 26..<30: .edit(number)
                case 30..<36: .takeBack(number)
                case 36..<56: .follow(one, other, moment: moment)
                case 56..<59: .unfollow(one, other)
                case 59..<61: .removeFollower(one, other)
                case 61..<64: .block(one, other)
                case 64..<68: .unblock(one, other)
                case 68..<74:
                    .setVisibility(
                        one, [.public, .public, .followers, .private].randomElement(using: &random) ?? .public)
                case 74: .suspend(one)
                case 75..<78: .reinstate(one)
                case 78: number % 3 == 0 ? .close(one) : .reinstate(one)
                case 79..<85: .announce(topics: topics.isEmpty ? [0] : topics, moment: moment)
                case 85..<88: .revise(number, moment: moment)
                case 88..<91: .read(one, topics: topics)
                case 91..<93: .recommend(one, moment: moment)
                case 93: .mute(one, kind)
                case 94: .unmute(one, kind)
                case 95..<97: .hide(one, place: number)
                case 97: .show(one, place: number)
                default: .mark(one, place: number)
                }
        }
    }

    /// What an act comes to in the state that the model has: the act, and what it is about.
    enum Effect: Sendable {
        case nothing
        case add(Item)
        case edit(Item), remove(Item)
        /// A later revision of an item of topics in place of the one before.
        case replace(Item, by: Item)
        case act(Act)
        case hide(Int, Entry), show(Int, name: String)
        case mark(Int, Entry)
    }
}
