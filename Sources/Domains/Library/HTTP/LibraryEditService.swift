import Connections
import Contracts
import Gateway
import Jobs
import Library
import LibraryEdits
import Model
import Storage

/// Begins and answers changes of libraries at their services.
package struct LibraryEditService: Sendable {
    let queue: JobQueue
    private let requireConnection: RequireConnection

    /// Refuses a service that is not connected, or with which a scope was not granted.
    ///
    /// - Throws: ``Problem`` `spotifyNotConnected`, `appleMusicNotConnected` or `scopeMissing`.
    package typealias RequireConnection =
        @Sendable (
            _ source: MusicSource, _ scopes: [String], _ userID: String, _ transaction: WriteTransaction
        ) throws -> Void

    /// The most edits without a job that one upkeep run submits.
    private static let submissionBatch = 100
    /// The edits that one transaction deletes, each with its steps.
    private static let pruneBatch = 20

    package init(queue: JobQueue, requireConnection: @escaping RequireConnection) {
        (self.queue, self.requireConnection) = (queue, requireConnection)
    }

    /// - Throws: ``Problem``; the errors of submitting.
    package func begin(
        _ change: EditChange, userID: String, idempotencyKey: JobQueue.IdempotencyKey?
    ) async throws -> LibraryEdit {
        let staged = try await stage(change, userID: userID)
        do {
            return try await queue.write { transaction, submissions in
                let ids = try transaction.once(idempotencyKey, userID: userID) { ids in
                    try Self.edit(ids, userID: userID, in: transaction) != nil
                } make: {
                    let record = try change.source(userID: userID, in: transaction).map { source in
                        try checkConnection(to: source, for: change, userID: userID, in: transaction)
                    }
                    let edit = try transaction.edits.begin(
                        change, userID: userID, ownIDs: record??.ownIDs ?? [], staged: staged, now: .now())
                    try Self.submit(edit, isSubmission: true, in: transaction, &submissions)
                    return [edit.id.text]
                }
                guard let edit = try Self.edit(ids, userID: userID, in: transaction) else { throw EditRefusal.noEdit }
                return edit
            }
        } catch let refusal as EditRefusal {
            throw Problem(refusal)
        }
    }

    /// Stages the entries of a long list that remain after a removal.
    ///
    /// - Returns: their version; `nil` where nothing is staged.
    private func stage(_ change: EditChange, userID: String) async throws -> Int64? {
        guard case .removeEntries(let positions, let version, let playlist) = change else { return nil }
        var staged: Int64?
        var next: Int? = 0
        while let start = next {
            let part = try await queue.database.write { [staged] transaction in
                try transaction.edits.stage(
                    positions, version: version, of: playlist, as: staged, from: start, userID: userID, now: .now())
            }
            guard let part else { return nil }
            (staged, next) = (part.version, part.next)
        }
        return staged
    }

    /// Records the answer to an edit's question, after which the edit continues.
    ///
    /// - Throws: ``Problem``; the errors of submitting.
    func answer(_ id: LibraryID, isDone: Bool, userID: String) async throws -> LibraryEdit {
        do {
            return try await queue.write { transaction, submissions in
                let edit = try transaction.edits.answer(id, isDone: isDone, userID: userID, now: .now())
                try Self.submit(edit, isSubmission: true, in: transaction, &submissions)
                return edit
            }
        } catch let refusal as EditRefusal {
            throw Problem(refusal)
        }
    }

    /// Leaves out the songs that an edit failed to put back.
    ///
    /// - Throws: ``Problem``.
    func abandon(missingOf id: LibraryID, userID: String) async throws -> LibraryEdit {
        do {
            return try await queue.database.write { try $0.edits.abandon(missingOf: id, userID: userID) }
        } catch let refusal as EditRefusal {
            throw Problem(refusal)
        }
    }

    private static func edit(
        _ ids: [String], userID: String, in transaction: WriteTransaction
    ) throws -> LibraryEdit? {
        try ids.first.flatMap { LibraryID($0) }.flatMap { try transaction.edits.edit($0, userID: userID) }
    }

    /// Submits the job of an edit, unless an earlier edit of the same list is unfinished, or another job makes it.
    private static func submit(
        _ edit: LibraryEdit, isSubmission: Bool, in transaction: WriteTransaction,
        _ submissions: inout JobSubmissions
    ) throws {
        guard edit.partOf == nil, try transaction.edits.isFirst(edit) else { return }
        var job = try NewJob(
            .libraryEdit, LibraryEditPayload(edit: edit.id.text), priority: JobPriority.interactive)
        job.isSubmission = isSubmission
        let id = try submissions.submit(job, userID: edit.userID, in: transaction)
        try transaction.edits.set(job: id, of: edit)
    }

    /// Refuses to create a playlist at a service that is not connected.
    ///
    /// - Throws: ``Problem``.
    func checkConnection(to source: MusicSource, userID: String, in transaction: WriteTransaction) throws {
        let change = EditChange.createPlaylist(name: "", description: nil, isPublic: false, tracks: [], source)
        _ = try checkConnection(to: source, for: change, userID: userID, in: transaction)
    }

    /// - Returns: the connection.
    /// - Throws: ``Problem`` `spotifyNotConnected`, `appleMusicNotConnected` or `scopeMissing`.
    private func checkConnection(
        to source: MusicSource, for change: EditChange, userID: String, in transaction: WriteTransaction
    ) throws -> ConnectionRecord? {
        let scopes = source == .spotify ? change.spotifyScopes : []
        do {
            try requireConnection(source, scopes, userID, transaction)
        } catch var problem as Problem where problem.recovery == Recovery.reconnect.rawValue {
            let page = source == .spotify ? "/setup/spotify" : "/setup/apple-music"
            problem.detail =
                "Changes are written to \(source.displayName), which is not connected. Connect it at "
                + "\(page). Nothing has changed."
            throw problem
        }
        guard let provider = source.provider else { return nil }
        return try transaction.connections.record(userID: userID, provider: provider.rawValue)
    }

    // MARK: Upkeep

    /// Submits the jobs of edits that waited for earlier ones.
    func submitWaiting() async throws {
        guard try await !queue.database.read({ try $0.edits.edits(toSubmit: 1) }).isEmpty else { return }
        try await queue.write { transaction, submissions in
            for edit in try transaction.edits.edits(toSubmit: Self.submissionBatch) {
                try Self.submit(edit, isSubmission: false, in: transaction, &submissions)
            }
        }
    }

    /// Deletes old edits that are finished.
    func prune(at time: PruningTime) async throws {
        try await queue.database.deleteInBatches(at: time, of: Self.pruneBatch) {
            try $0.edits.prune(finishedBefore: $1, limit: $2)
        }
    }
}

extension EditChange {
    /// The service that is changed; `nil` for a playlist that the person does not have, or that came with a file.
    fileprivate func source(userID: String, in reader: some SQLReader) throws -> MusicSource? {
        switch self {
        case .save(_, let source), .unsave(_, let source), .createPlaylist(_, _, _, _, let source): source
        case .addTracks(_, let playlist), .removeEntries(_, _, let playlist), .rename(_, _, let playlist):
            try reader.playlists.playlist(playlist, userID: userID).flatMap { $0.isOfFile ? nil : $0.source }
        case .putBackMissing(let edit): try reader.edits.edit(edit, userID: userID)?.source
        }
    }

    fileprivate var spotifyScopes: [String] {
        switch self {
        case .save, .unsave: SpotifyScopes.libraryWriting
        case .createPlaylist, .addTracks, .removeEntries, .rename, .putBackMissing: SpotifyScopes.playlistWriting
        }
    }
}

extension SQLReader {
    /// A person's ids at Spotify, which identify their own playlists.
    func ownSpotifyIDs(userID: String) throws -> [String] {
        try connections.record(userID: userID, provider: Provider.spotify.rawValue)?.ownIDs ?? []
    }
}

extension ConnectionRecord {
    /// The person's ids at Spotify.
    var ownIDs: [String] { [accountUserID, accountID].compactMap { $0 } }
}

extension Problem {
    init(_ refusal: EditRefusal) {
        self =
            switch refusal {
            case .noTrack: .notFound("track")
            case .noPlaylist: .notFound("playlist")
            case .noEdit: .notFound("edit")
            case .invalidCatalogID: .invalidRequest(code: .invalidField, "\(refusal)")
            case .nothingMissing: .conflict(code: .nothingMissing, "\(refusal)")
            case .notUnclear: .conflict(code: .notUnclear, "\(refusal)")
            case .sourceNotRead: .conflict(code: .sourceNotRead, "\(refusal)")
            case .trackNotInSource, .entryNotRemovable: .conflict(code: .trackNotInSource, "\(refusal)")
            case .notYourPlaylist: .conflict(code: .notYourPlaylist, "\(refusal)")
            case .playlistNotRead, .entriesNotShown: .conflict(code: .playlistNotRead, "\(refusal)")
            case .playlistChanged, .playlistGone: .conflict(code: .playlistChanged, "\(refusal)")
            case .notSupported, .playlistOfFile: .conflict(code: .notSupportedBySource, "\(refusal)")
            case .tooManyEdits: .conflict(code: .tooManyEdits, "\(refusal)")
            }
    }
}
