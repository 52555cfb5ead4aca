import TestProcesses

/// What happened to one playlist at its service.
package struct EditTimeline: Sendable {
    /// A request of Backline, or a change.
    package struct Moment: Sendable {
        package var event: SimulatedUpstream.RecordedEvent
        /// For a change, the songs that were added and removed, in order. A song that only moved is in neither list.
        package var added: [String] = []
        package var removed: [String] = []
    }

    package private(set) var moments: [Moment] = []
    /// Who made the playlist; `nil` for an initial one.
    package private(set) var maker: SimulatedUpstream.RecordedEvent.Author?

    /// - Parameter first: the songs at the beginning.
    package init(_ playlist: String, first: [String], _ events: [SimulatedUpstream.RecordedEvent]) {
        var entries = first
        for event in events where event.playlist == playlist {
            var moment = Moment(event: event)
            if event.kind == .created { maker = event.author }
            if event.kind == .changed || event.kind == .created, let after = event.entries {
                (moment.added, moment.removed) = (
                    Self.songs(after, without: entries), Self.songs(entries, without: after)
                )
                entries = after
            }
            moments.append(moment)
        }
    }

    /// The songs of each of Backline's writes that added some.
    package var additions: [[String]] {
        moments.filter { $0.event.author == .app && !$0.added.isEmpty }.map(\.added)
    }

    /// Whether Backline has removed entries of a song.
    package func hasRemoved(_ song: String) -> Bool {
        moments.contains { $0.event.author == .app && $0.removed.contains(song) }
    }

    /// Whether other people changed the playlist.
    package var isOthers: Bool { moments.contains { $0.event.author == .person } }

    /// How many entries of a song other people added, less those that they removed.
    package func others(_ song: String) -> Int {
        moments.filter { $0.event.author == .person }.reduce(0) { sum, moment in
            sum + moment.added.count { $0 == song } - moment.removed.count { $0 == song }
        }
    }

    /// How many entries of a song other people added or removed.
    package func othersTouched(_ song: String) -> Int {
        moments.filter { $0.event.author == .person }.reduce(0) { sum, moment in
            sum + moment.added.count { $0 == song } + moment.removed.count { $0 == song }
        }
    }

    /// The elements of a list that are not in another one, counted by how many more of them there are.
    private static func songs(_ list: [String], without other: [String]) -> [String] {
        var left: [String: Int] = [:]
        for song in other { left[song, default: 0] += 1 }
        // The lists are compared from the end, where most new songs are added.
        var counts: [String: Int] = [:]
        for song in list { counts[song, default: 0] += 1 }
        var more = counts.mapValues { $0 }
        for (song, count) in left { more[song] = max(0, (more[song] ?? 0) - count) }
        var found: [String] = []
        for song in list.reversed() where more[song] ?? 0 > 0 {
            more[song]! -= 1
            found.append(song)
        }
        return found.reversed()
    }
}

extension EditTimeline: CustomStringConvertible {
    /// The requests and changes, for people.
    package var description: String {
        moments.suffix(30).map { moment in
            if moment.event.kind == .request {
                let fault = moment.event.fault.map { " (\($0))" } ?? ""
                let milliseconds = (moment.event.at - (moments.first?.event.at ?? 0)) / 1_000
                return "\(moment.event.endpoint?.prefix { $0 != " " } ?? "")\(fault) at \(milliseconds) ms"
            }
            let author = moment.event.author == .app ? "Backline" : "others"
            let songs = moment.added.map { "+\($0)" } + moment.removed.map { "-\($0)" }
            return "\(author) \(moment.event.kind.rawValue) \(songs.joined(separator: " "))"
        }.joined(separator: ", ")
    }
}

/// Changes by others that no service distinguishes from a write of Backline, or that Backline could not know about.
extension EditTimeline {
    /// How many entries of a song more or fewer than requested are also correct.
    ///
    /// - A song that others add or remove between Backline's last look at the list and its removal of the same song: no
    ///   service supports conditional removal. The look must come right before the removal, within the consistency
    ///   delay.
    /// - A song that others add or remove while the answer to a write of the same song is lost: what the list shows
    ///   then fits both.
    ///
    /// Nothing else counts: what others do to songs that Backline does not write at that moment has to be preserved.
    ///
    /// - Parameters:
    ///   - song: a song that edits of the list name.
    ///   - removals: the songs of each edit that removes entries from the list.
    ///   - consistencyDelay: in microseconds.
    ///   - interruptions: when processes were stopped or killed, in microseconds.
    package func uncertainty(
        of song: String, removals: [[String]], consistencyDelay: Int, interruptions: [Int]
    ) -> Int {
        moments.indices.reduce(0) { sum, index in
            let moment = moments[index]
            guard moment.event.author == .person else { return sum }
            let count = moment.added.count { $0 == song } + moment.removed.count { $0 == song }
            guard count > 0 else { return sum }
            let isUncertain =
                isUnseen(index, song, removals, consistencyDelay)
                || isLikeLostWrite(index, song, consistencyDelay, interruptions)
            return sum + (isUncertain ? count : 0)
        }
    }

    /// Whether a write has changed the entries of a song, or may have been meant to: the songs of a write without
    /// effect are unknown.
    private func mayWrite(_ write: Int, _ song: String) -> Bool {
        let next = moments[(write + 1)...].prefix { $0.event.kind != .request || $0.event.endpoint?.isLook == true }
        guard let effect = next.first(where: { $0.event.author == .app && $0.event.kind != .request }) else {
            return true
        }
        return effect.added.contains(song) || effect.removed.contains(song)
    }

    /// Whether a removal that took other songs away may have named this one, which others had removed just before.
    private func isAlsoNamed(_ song: String, by write: Int, _ removals: [[String]]) -> Bool {
        let next = moments[(write + 1)...].prefix { $0.event.kind != .request }
        guard let effect = next.first(where: { $0.event.author == .app }) else { return false }
        return removals.contains { $0.contains(song) && !Set($0).isDisjoint(with: effect.removed) }
    }

    private func request(before index: Int) -> Int? {
        moments[..<index].lastIndex { $0.event.kind == .request }
    }

    private func request(after index: Int) -> Int? {
        moments[(index + 1)...].firstIndex { $0.event.kind == .request }
    }

    private func isLook(_ index: Int) -> Bool { moments[index].event.endpoint?.isLook == true }

    private func isRemoval(_ index: Int) -> Bool {
        let endpoint = moments[index].event.endpoint ?? ""
        return endpoint.hasPrefix("DELETE") || endpoint.hasPrefix("PUT")
    }

    /// Whether a change came between a look and the removal right after it.
    private func isUnseen(_ index: Int, _ song: String, _ removals: [[String]], _ consistencyDelay: Int) -> Bool {
        func isPair(_ look: Int?, _ write: Int?) -> Bool {
            guard let look, let write, isLook(look), isRemoval(write),
                mayWrite(write, song) || isAlsoNamed(song, by: write, removals)
            else { return false }
            return moments[write].event.at - moments[look].event.at < consistencyDelay
        }
        guard let before = request(before: index) else { return false }
        // Between the two, or between the arrival of the removal and its effect, if it has one.
        let refusals = ["limit429", "drop", "status500", "status503"]
        let takesEffect = !refusals.contains(moments[before].event.fault ?? "")
        return isPair(before, request(after: index)) || takesEffect && isPair(request(before: before), before)
    }

    /// Whether a change came while an answer to a write was lost, or right before a write whose answer was lost.
    private func isLikeLostWrite(
        _ index: Int, _ song: String, _ consistencyDelay: Int, _ interruptions: [Int]
    ) -> Bool {
        func isLost(_ write: Int?) -> Bool {
            guard let write, !isLook(write), mayWrite(write, song) else { return false }
            let event = moments[write].event
            let lossy = ["loseAnswer", "done500", "drop", "status500", "status503", "slow", "truncated", "hold"]
            return lossy.contains(event.fault ?? "")
                || interruptions.contains { (event.at - consistencyDelay..<event.at + consistencyDelay).contains($0) }
        }
        // A look without an answer has not shown anything.
        let before = moments[..<index].lastIndex {
            $0.event.kind == .request && !($0.event.endpoint?.isLook == true && $0.event.fault != nil)
        }
        return isLost(before) || isLost(request(after: index))
    }
}

extension String {
    /// Whether an endpoint reads.
    fileprivate var isLook: Bool { hasPrefix("GET") }
}
