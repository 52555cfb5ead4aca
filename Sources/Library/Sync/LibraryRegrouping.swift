import Model
import Storage

/// Brings a library under the present rules in steps, each of which holds the write lock for about 10 ms.
///
/// The library keeps how far it has come, so that a further run goes on after a crash. Source tracks whose tracks
/// follow from the rules already, usually nearly all, are looked at without the lock; a further run looks at all of
/// them again.
package struct LibraryRegrouping: Sendable {
    /// The source tracks that one reading looks at.
    private static let batch = 500
    /// The fewest source tracks of a step, however long the steps take: one or two milliseconds of work. A commit has a
    /// price of its own, which is the longest part of a step on a slow disk, and smaller steps would pay it more often.
    private static let fewest = 20

    let database: Database
    let libraryID: Int64
    let userID: String
    let sync: Int64
    private var keys = StepSize(units: 100, maximum: 1_000)
    private var moves = StepSize(units: Self.fewest, maximum: 200)
    /// How far the library was after the last step.
    private var reached: RegroupProgress?
    /// What is still to be looked at; `nil` before the first look.
    private var linked: LinkedSourceTracks?
    /// Groups of source tracks that do not follow from the rules.
    private var due: ArraySlice<[Int64]> = []

    /// - Parameter sync: the number of the sync that brings the library under the rules; 0 for none.
    package init(database: Database, libraryID: Int64, userID: String, sync: Int64 = 0) {
        (self.database, self.libraryID, self.userID, self.sync) = (database, libraryID, userID, sync)
    }

    /// Does the next step.
    ///
    /// - Parameter write: writes a step, and returns its effect and how long it held the lock.
    /// - Returns: the number of tracks that became part of others; `nil` when the library is under the rules.
    package mutating func step(
        _ write: (
            @escaping @Sendable (WriteTransaction) throws -> RegroupEffect
        ) async throws -> (RegroupEffect, Duration)
    ) async throws -> Int? {
        let library = libraryID
        guard let progress = try await database.read({ try $0.library.regroupProgress(ofLibrary: library) }) else {
            return nil
        }
        switch progress.stage {
        case .done: return nil
        case .dropKeys, .makeKeys:
            let limit = keys.units
            let (effect, held) = try await write { try $0.library.regroupKeys(ofLibrary: library, limit: limit) }
            keys.took(held, for: effect.count)
            return 0
        case .group, .groupRemasters:
            // Another process, or a setting, has moved it.
            if progress != reached { (due, linked) = ([], nil) }
            try await look(progress.stage == .group ? .all : .withRemasters)
            let part = takeDue()
            let next = part.isEmpty ? RegroupProgress(.done) : progress
            let (userID, sync) = (userID, sync)
            let (effect, held) = try await write {
                try $0.library.regroup(
                    part, ofLibrary: library, userID: userID, from: progress, to: next, sync: sync, now: .now())
            }
            moves.took(held, for: part.count)
            reached = effect.progress == next ? next : nil
            return effect.merged
        }
    }

    /// Groups for one step.
    private mutating func takeDue() -> [Int64] {
        var part: [Int64] = []
        let limit = max(moves.units, Self.fewest)
        while let group = due.first, part.isEmpty || part.count + group.count <= limit {
            part += group
            due.removeFirst()
        }
        return part
    }

    /// Looks at source tracks until some are due, or none are left.
    ///
    /// What is written meanwhile need not be seen: whoever writes finds the tracks of all that it may touch.
    private mutating func look(_ selection: LinkedSourceTracks.Selection) async throws {
        if linked == nil { linked = try await LinkedSourceTracks(selection, ofLibrary: libraryID, in: database) }
        while due.isEmpty {
            try Task.checkCancellation()
            guard let groups = linked?.take(Self.batch), !groups.isEmpty else { return }
            due = try await database.read { [libraryID] in
                try $0.library.groupsToRegroup(groups, inLibrary: libraryID)
            }[...]
        }
    }
}
