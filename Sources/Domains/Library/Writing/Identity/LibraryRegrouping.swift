import Library
import Model
import Storage

/// Regroups a library under the current identity rules, in steps that each hold the write lock for about 10 ms.
///
/// The progress is stored with the library, so that another run continues after a crash. Source tracks whose assignment
/// already follows from the rules, usually nearly all of them, are examined without the lock; another run examines all
/// of them again.
package struct LibraryRegrouping: Sendable {
    /// The number of source tracks examined per read transaction.
    private static let batch = 500
    /// The minimum number of source tracks per step, no matter how long the steps take: one or two milliseconds of
    /// work. Each commit has a fixed cost, which is the longest part of a step on a slow disk, and smaller steps would
    /// pay it more often.
    private static let fewest = 20

    let database: Database
    let libraryID: Int64
    let userID: String
    let sync: Int64
    private var keys = StepSize(units: 100, maximum: 1_000)
    private var moves = StepSize(units: Self.fewest, maximum: 200)
    /// The library's progress after the last step.
    private var reached: RegroupProgress?
    /// The source tracks that still have to be examined; `nil` before they are first read.
    private var linked: LinkedSourceTracks?
    /// Groups of source tracks whose assignment does not follow from the rules.
    private var due: ArraySlice<[Int64]> = []

    /// - Parameter sync: the number of the sync that regroups the library; 0 if there is none.
    package init(database: Database, libraryID: Int64, userID: String, sync: Int64 = 0) {
        (self.database, self.libraryID, self.userID, self.sync) = (database, libraryID, userID, sync)
    }

    /// Performs the next step.
    ///
    /// - Parameter write: writes a step, and returns its effect and how long it held the lock.
    /// - Returns: the number of tracks that were merged into others; `nil` if the library is up to date.
    package mutating func step(
        _ write: (
            @escaping @Sendable (WriteTransaction) throws -> RegroupEffect
        ) async throws -> (RegroupEffect, Duration)
    ) async throws -> Int? {
        let library = libraryID
        guard let progress = try await database.read({ try $0.trackIdentity.regroupProgress(ofLibrary: library) })
        else {
            return nil
        }
        switch progress.stage {
        case .done: return nil
        case .dropKeys, .makeKeys:
            let limit = keys.units
            let (effect, held) = try await write { try $0.trackIdentity.regroupKeys(ofLibrary: library, limit: limit) }
            keys.took(held, for: effect.count)
            return 0
        case .group, .groupRemasters:
            // Another process, or a change of the setting, has changed the progress.
            if progress != reached { (due, linked) = ([], nil) }
            try await findDue(progress.stage == .group ? .all : .withRemasters)
            let part = takeDue()
            let next = part.isEmpty ? RegroupProgress(.done) : progress
            let (userID, sync) = (userID, sync)
            let (effect, held) = try await write {
                try $0.trackIdentity.regroupPart(
                    part, ofLibrary: library, userID: userID, from: progress, to: next, sync: sync, now: .now())
            }
            moves.took(held, for: part.count)
            reached = effect.progress == next ? next : nil
            return effect.merged
        }
    }

    /// Takes the groups for one step.
    private mutating func takeDue() -> [Int64] {
        var part: [Int64] = []
        let limit = max(moves.units, Self.fewest)
        while let group = due.first, part.isEmpty || part.count + group.count <= limit {
            part += group
            due.removeFirst()
        }
        return part
    }

    /// Examines source tracks until some are due, or none are left.
    ///
    /// Concurrent writes do not have to be seen: every writer reassigns all tracks that its write may affect.
    private mutating func findDue(_ selection: LinkedSourceTracks.Selection) async throws {
        if linked == nil { linked = try await LinkedSourceTracks(selection, ofLibrary: libraryID, in: database) }
        while due.isEmpty {
            try Task.checkCancellation()
            guard let groups = linked?.take(Self.batch), !groups.isEmpty else { return }
            due = try await database.read { [libraryID] in
                try $0.trackIdentity.groupsToRegroup(groups, inLibrary: libraryID)
            }[...]
        }
    }
}
