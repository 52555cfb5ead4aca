import Foundation
import Model

extension String {
    /// The number that Spotify's versions of a list begin with: it rises by one with each change. Spotify does not
    /// document that, so nothing depends on it but a reading that would otherwise not be made.
    fileprivate var changeNumber: UInt32? {
        guard let bytes = Data(base64Encoded: self), bytes.count == 24 else { return nil }
        return bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether this version may be the one that a single change has made of another. Where it is not, others have
    /// changed the list between the reading of its version and the write, perhaps without changing its length.
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
    /// Such an edit goes on, whatever happens: what it has taken away is in no list of the service.
    package var isAmidRemoval: Bool {
        let mayHaveRemoved = contains { step in
            if case .remove = step.action { step.state == .done || step.state == .sent } else { false }
        }
        return mayHaveRemoved && contains { step in step.state.isOpen && step.action.putsBack }
    }

    /// Whether a write may have been made of which that is not known yet, and which would not be the same if it were
    /// made again.
    var hasUnknownOutcome: Bool {
        contains { step in
            if case .remove = step.action { return step.state == .sent }
            return step.state == .sent && !step.action.isRepeatable
        }
    }

    /// The version of the list after the steps that are done, if nothing else has changed the list since another
    /// version; `nil` where that is not certain: an answer was lost, or a version is not the one of the step before.
    ///
    /// - Parameter base: of the list that the library knew before the edit.
    func provenVersion(from base: String?) -> String? {
        var version = base
        for step in self where step.state == .done {
            switch step.action {
            case .save, .unsave, .rename: continue
            // The list was compared with the one of the library.
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

    /// The entries that were removed, were to be put back, and are not: the position of each in the final list, and the
    /// number of entries that the list then has of the song.
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

/// A song that an edit has removed from a playlist, was to put back, and has not.
package struct MissingSong: Codable, Sendable, Hashable {
    var track: EditTrack
    package var title: String
    package var artist: String
    /// Its place in the list as it was to be, from 0.
    package var position: Int
    /// The entries that the list is to have of the song.
    var upTo: Int

    /// The song as requests name it.
    package func reference(at source: MusicSource) -> String { EditTrackReference.catalog(source, track.id).text }
}
