import Foundation
import Library
import Model

extension String {
    /// The number at the beginning of Spotify's version of a list, which increases by one with each change. Spotify
    /// does not document this, so it is only used to decide whether a list has to be read again.
    fileprivate var changeNumber: UInt32? {
        guard let bytes = Data(base64Encoded: self), bytes.count == 24 else { return nil }
        return bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether this version may result from a single change of the former one. If not, others have changed the list
    /// between the reading of its version and the write, perhaps without changing its length.
    fileprivate func mayBeNext(after former: String) -> Bool {
        guard let number = changeNumber, let before = former.changeNumber else { return true }
        return number == before &+ 1
    }
}

/// What the steps of an edit say about the list at the service.
extension [EditStep] {
    /// Whether entries have been removed, some of which may have to be put back.
    var hasRemoved: Bool {
        contains { step in if case .remove = step.action { step.state == .done } else { false } }
    }

    /// Whether entries were removed, or may have been, and others of the same songs are not back in their places yet.
    /// Such an edit must continue no matter what: the service no longer has what it removed.
    package var isAmidRemoval: Bool {
        let mayHaveRemoved = contains { step in
            if case .remove = step.action { step.state == .done || step.state == .sent } else { false }
        }
        return mayHaveRemoved && contains { step in step.state.isOpen && step.action.putsBack }
    }

    /// Whether the outcome of a write is unknown and repeating the write would not be harmless.
    var hasUnknownOutcome: Bool {
        contains { step in
            if case .remove = step.action { return step.state == .sent }
            return step.state == .sent && !step.action.isRepeatable
        }
    }

    /// The version of the list after the steps that are done, if nothing else has changed the list since the base
    /// version; `nil` if that is not certain, because an answer was lost or a step's version does not follow from the
    /// one before.
    ///
    /// - Parameter base: the version of the list that the library had before the edit.
    func provenVersion(from base: String?) -> String? {
        var version = base
        for step in self where step.state == .done {
            switch step.action {
            case .save, .unsave, .rename: continue
            // The list was compared with the one in the library.
            case .verify: version = step.after?.version
            case .create:
                guard step.lostAt == nil else { return nil }
                version = step.after?.version
            case .append(_, let placed), .insert(_, _, let placed, _):
                guard placed == 0, step.lostAt == nil, let version, step.before?.version == version,
                    step.after?.version?.mayBeNext(after: version) != false
                else { return nil }
            case .remove:
                guard step.lostAt == nil, let version, step.before?.version == version,
                    step.after?.version?.mayBeNext(after: version) != false
                else { return nil }
            }
            if step.action.difference != 0 { version = step.after?.version }
        }
        return version
    }

    /// The entries that were removed and should have been put back, but were not: the position of each in the final
    /// list, and the number of entries that the list then has of the song.
    var missing: [(track: EditTrack, position: Int, upTo: Int)] {
        var removed: Set<String> = []
        var isPuttingBack = false
        for step in self {
            switch step.action {
            case .remove(let ids, _) where step.state == .done || step.state == .sent: removed.formUnion(ids)
            case .insert(_, _, _, _?): isPuttingBack = true
            default: break
            }
        }
        var present: [String: Int] = [:]
        var missing: [(track: EditTrack, position: Int, upTo: Int)] = []
        for step in self {
            guard case .insert(let tracks, let position, let placed, let wanted) = step.action else { continue }
            for (index, track) in tracks.enumerated() where isPuttingBack || removed.contains(track.id) {
                if step.state == .done || index < placed {
                    present[track.id, default: 0] += 1
                } else {
                    missing.append((track, position + index, wanted ?? 0))
                }
            }
        }
        guard !isPuttingBack else { return missing }
        return missing.map { entry in
            present[entry.track.id, default: 0] += 1
            return (entry.track, entry.position, present[entry.track.id] ?? 1)
        }
    }
}

extension EditAction {
    var putsBack: Bool { if case .insert = self { true } else { false } }
}

/// A song that an edit has removed from a playlist and failed to put back.
package struct MissingSong: Codable, Sendable, Hashable {
    var track: EditTrack
    package var title: String
    package var artist: String
    /// Its intended position in the list, counted from 0.
    package var position: Int
    /// The number of entries that the list should have of the song.
    var upTo: Int

    /// The song as requests refer to it.
    package func reference(at source: MusicSource) -> String { SongReference.catalog(source, track.id).text }
}
