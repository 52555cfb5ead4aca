import Foundation
import Model
import Storage
import TestProcesses

/// After the last step, everything is repaired, the person answers the questions, and the final states are compared.
extension EditHistoryRun {
    func heal() async throws {
        for role in Role.allCases { resume(role) }
        for service in Service.allCases {
            try await upstream(service).heal()
            try await upstream(service).forgetChanges()
        }
        try await upstreams.spotify.configure(["withheldScopes": .array([])])
        try clock.set(offsetSeconds: 0)
        for task in pending {
            try superviseAll()
            await task.value
        }
        try superviseAll()
        try await wait(for: "the gateway") {
            try superviseAll()
            return await isReady()
        }
        for service in disconnected.sorted() {
            // The answer does not come in time, or a worker is missing.
            try await wait(for: "\(service) to be connected") {
                try superviseAll()
                return (try? await connect(service)) ?? false
            }
        }
        for index in record.requests.indices
        where record.requests[index].answer == .lost && record.requests[index].forgotten == nil {
            try await wait(for: "an answer to edit \(record.requests[index].tag)") {
                try superviseAll()
                await send(index)
                return record.requests[index].answer != .lost
            }
        }
        try await waitForEnd()
        if try await putBackMissing() { try await waitForEnd() }
    }

    /// Accepts every second offer to put back what an edit has left missing.
    ///
    /// - Returns: whether there was one.
    private func putBackMissing() async throws -> Bool {
        var isAsked = false
        for request in record.requests where request.tag % 2 == 0 && !request.isCopy && request.forgotten == nil {
            guard case .accepted(let id) = request.answer else { continue }
            let outcome = try? await whenListening { try await person.get("/v1/library/edits/\(id)") }
                .decode(EditRecord.Outcome.self)
            guard let missing = outcome?.missing, !missing.isEmpty else { continue }
            let answer = try await whenListening {
                // It is accepted again if the first answer was lost.
                try await person.post(
                    "/v1/library/edits/\(id)/missing", #"{"putBack":true}"#,
                    headers: ["Idempotency-Key": "put-back-\(request.tag)"])
            }
            isAsked = isAsked || answer.status == 202
        }
        return isAsked
    }

    func superviseAll() throws {
        for role in Role.allCases { try revive(role) }
    }

    /// Whether all processes answer, and continue to: a gateway that is shutting down may still answer before it exits.
    private func isReady() async -> Bool {
        guard processes[.gateway]?.isLeaving == false,
            let response = try? await person.visitor.get("/readyz"), response.status == 200
        else { return false }
        return (try? response.decode(JSON.self)["workers"]) == .integer(Role.workers.count)
    }

    /// Waits until all edits, copies and syncs have ended, and answers the person's questions truthfully meanwhile.
    private func waitForEnd() async throws {
        let end = ContinuousClock.now.advanced(by: Self.limit)
        while true {
            try superviseAll()
            try await answerQuestions()
            let unended = try await unended()
            if unended.isEmpty { return }
            guard ContinuousClock.now < end else {
                record.unended = unended
                return
            }
            try await Task.sleep(for: .milliseconds(40))
        }
    }

    /// What has not ended, in one sentence each.
    func unended() async throws -> [String] {
        try await installation.withDatabase { database in
            try await database.read { reader in
                try reader.rows(
                    """
                    SELECT 'the edit' AS what, id, state, kind AS detail FROM library_edits WHERE finished_at IS NULL
                    UNION ALL SELECT 'the copy', id, state, name FROM library_copies WHERE finished_at IS NULL
                    """
                ).map { row in
                    let (what, key, state, detail): (String, Int64, String, String) = (
                        try row["what"], try row["id"], try row["state"], try row["detail"]
                    )
                    return "\(what) \(LibraryID(key: key).text) (\(detail)) is \(state)"
                }
                    + reader.rows(
                        """
                        SELECT id, kind, state, run_at, started_at FROM jobs
                        WHERE finished_at IS NULL AND kind IN ('library.sync', 'library.edit', 'library.copy')
                        """
                    ).map(Self.sentence)
            }
        }
    }

    private static func sentence(aboutJob row: Row) throws -> String {
        let (id, kind, state): (String, String, String) = (try row["id"], try row["kind"], try row["state"])
        let (runAt, startedAt): (Timestamp, Timestamp?) = (try row["run_at"], try row["started_at"])
        func fromNow(_ moment: Timestamp) -> String { "\(Timestamp.now().duration(to: moment).components.seconds) s" }
        let last = startedAt.map { ", and ran last in \(fromNow($0))" } ?? ""
        return "the job \(id) (\(kind)) is \(state), is due in \(fromNow(runAt))\(last)"
    }

    // MARK: The final states

    func collect() async throws {
        try await readLibraries()
        for service in Service.allCases {
            let upstream = upstream(service)
            record.events[service] = try await upstream.record()
            for list in try await upstream.shownPlaylists() {
                let key = EditRecord.ListKey(service, list.id)
                record.lists[key, default: .init(name: list.name, first: [])].final = list.entries
            }
            let catalog = try await catalog(of: service)
            for list in try await libraryLists(of: service) {
                let key = EditRecord.ListKey(service, list.id)
                record.lists[key, default: .init(name: list.name, first: [])].library = list.songs.map {
                    $0.id.hasPrefix("i.") ? $0.id : catalog[$0.catalog] ?? catalog[$0.id] ?? $0.id
                }
            }
        }
        try await collectEdits()
        for role in Role.allCases { drain(role) }
        for role in Role.allCases {
            guard let running = processes[role] else { continue }
            note(try await running.process.waitForEnd(), of: role, running)
        }
    }

    /// Makes Backline read both libraries when everything is shown and no item is held back any longer: an hour after
    /// the latest edit that does not count as made by a clock that was ahead.
    private func readLibraries() async throws {
        try await upstreams.appleMusic.showAll()
        try clock.set(offsetSeconds: 2 * 3_600)
        struct Sync: Decodable {
            struct Source: Decodable {
                struct Failure: Decodable {
                    var code: String
                    var message: String
                }

                var source: String
                var state: String
                var error: Failure?
            }

            var state: String
            var sources: [Source]
        }
        var last = ""
        for _ in 0..<3 {
            let asked = try await whenListening { try await person.post("/v1/library/syncs", #"{"force":true}"#) }
            guard asked.status == 202 else {
                last = "\(asked.status) \(asked.text)"
                continue
            }
            try await wait(for: "the last sync") {
                try superviseAll()
                return try await unended().allSatisfy { !$0.contains("library.sync") }
            }
            let sync: Sync = try await whenListening { try await person.get("/v1/library/syncs/latest") }.decode()
            last +=
                " " + sync.state + " "
                + sync.sources.map { "\($0.source): \($0.state) \($0.error.map { "\($0.code) \($0.message)" } ?? "")" }
                .joined(separator: "; ")
            if sync.state == "complete", sync.sources.allSatisfy({ $0.state == "complete" }) { return }
        }
        record.unended.append("the last sync did not read everything: \(last)")
    }

    private struct LibraryList: Sendable {
        var id: String
        var name: String
        var songs: [(id: String, catalog: String)]
    }

    /// The playlists as the library has them.
    private func libraryLists(of service: Service) async throws -> [LibraryList] {
        try await installation.withDatabase { database in
            try await database.read { reader in
                try reader.rows(
                    """
                    SELECT id, source_id, name, entries_version FROM library_playlists
                    WHERE source = \(service.source.number) AND missing_since IS NULL
                    """
                ).map { row in
                    let (key, version): (Int64, Int64) = (try row["id"], try row["entries_version"])
                    let songs = try reader.rows(
                        """
                        SELECT COALESCE(source_id, '') AS source_id, COALESCE(catalog_id, '') AS catalog_id
                        FROM library_playlist_entries
                        LEFT JOIN library_source_tracks ON library_source_tracks.id = source_track_id
                        WHERE playlist_id = \(key) AND version = \(version) ORDER BY position
                        """
                    ).map { row -> (id: String, catalog: String) in (try row["source_id"], try row["catalog_id"]) }
                    return LibraryList(id: try row["source_id"], name: try row["name"], songs: songs)
                }
            }
        }
    }

    private func collectEdits() async throws {
        for index in record.requests.indices {
            guard case .accepted(let id) = record.requests[index].answer, record.requests[index].forgotten == nil
            else { continue }
            if record.requests[index].isCopy {
                record.requests[index].copy = try await copy(id)
                continue
            }
            let response = try await whenListening { try await person.get("/v1/library/edits/\(id)") }
            guard response.status == 200 else {
                record.unended.append("edit \(record.requests[index].tag): \(response.status) \(response.text)")
                continue
            }
            record.requests[index].outcome = try response.decode()
            record.requests[index].list = try await list(ofEdit: id)
        }
    }

    /// The playlist that an edit changed.
    private func list(ofEdit id: String) async throws -> EditRecord.ListKey? {
        guard let key = LibraryID(id)?.key else { return nil }
        return try await installation.withDatabase { database in
            try await database.read { reader in
                try reader.row(
                    """
                    SELECT library_playlists.source AS source, source_id FROM library_edits
                    JOIN library_playlists ON library_playlists.id = playlist_id WHERE library_edits.id = \(key)
                    """
                ).map { row in
                    let source: Int = try row["source"]
                    return EditRecord.ListKey(
                        source == Service.spotify.source.number ? .spotify : .appleMusic, try row["source_id"])
                }
            }
        }
    }

    private func copy(_ id: String) async throws -> EditRecord.Copy? {
        guard let key = LibraryID(id)?.key else { return nil }
        let found = try await installation.withDatabase { database in
            try await database.read { reader -> (EditRecord.Copy, [String])? in
                guard
                    let row = try reader.row(
                        """
                        SELECT state, target, error_code, library_playlists.source_id AS playlist FROM library_copies
                        LEFT JOIN library_playlists ON library_playlists.id = made_id WHERE library_copies.id = \(key)
                        """)
                else { return nil }
                let (target, playlist): (Int, String?) = (try row["target"], try row["playlist"])
                let service: Service = target == Service.spotify.source.number ? .spotify : .appleMusic
                var copy = EditRecord.Copy(state: try row["state"], list: playlist.map { .init(service, $0) })
                copy.error = try row["error_code"]
                // If a copy failed, any of its songs may have been written.
                let isComplete = copy.state == "complete"
                let written = try reader.rows(
                    """
                    SELECT written_id, state FROM library_copy_entries
                    WHERE copy_id = \(key) AND written_id IS NOT NULL ORDER BY position
                    """
                ).compactMap { row -> String? in
                    let (id, state): (String, String) = (try row["written_id"], try row["state"])
                    return !isComplete || ["placed", "sent"].contains(state) ? id : nil
                }
                return (copy, written)
            }
        }
        guard var (copy, written) = found, let service = copy.list?.service else { return found?.0 }
        let catalog = try await catalog(of: service)
        written = written.map { $0.hasPrefix("i.") ? $0 : catalog[$0] ?? $0 }
        copy.songs = written
        return copy
    }
}
