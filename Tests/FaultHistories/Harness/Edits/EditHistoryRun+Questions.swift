import Foundation
import Model
import Storage
import TestProcesses

/// Answers the person's questions according to what has happened at the services.
extension EditHistoryRun {
    /// An edit that asks its person a question, with its first write that is not done.
    private struct Question: Sendable {
        var id: String
        var service: Service
        var playlist: String
        var name: String
        var action: String
    }

    func answerQuestions() async throws {
        let (questions, copies) = try await installation.withDatabase { database in
            try await database.read { reader in
                let questions = try reader.rows(
                    """
                    SELECT library_edits.id AS id, library_edits.source AS source, library_edits.title AS title,
                        COALESCE(library_playlists.source_id, '') AS playlist,
                        (SELECT action FROM library_edit_steps WHERE edit_id = library_edits.id AND state <> 'done'
                            ORDER BY number LIMIT 1) AS action
                    FROM library_edits LEFT JOIN library_playlists ON library_playlists.id = playlist_id
                    WHERE library_edits.state = 'unclear'
                    """
                ).map { row in
                    let (key, source): (Int64, Int) = (try row["id"], try row["source"])
                    let action: String? = try row["action"]
                    return Question(
                        id: LibraryID(key: key).text,
                        service: source == Service.spotify.source.number ? .spotify : .appleMusic,
                        playlist: try row["playlist"], name: try row["title"], action: action ?? "")
                }
                let copies: [String] = try reader.rows("SELECT id FROM library_copies WHERE state = 'unclear'").map {
                    LibraryID(key: try $0["id"]).text
                }
                return (questions, copies)
            }
        }
        for question in questions {
            let events = try await upstream(question.service).record()
            let isDone = try await wasMade(question, events)
            record.answers.append("\(question.id) \(isDone)")
            _ = try? await person.post("/v1/library/edits/\(question.id)/answer", #"{"done":\#(isDone)}"#)
        }
        for copy in copies { _ = try? await person.post("/v1/library/copies/\(copy)/answer", #"{"done":true}"#) }
    }

    /// Whether a write took effect, as a person who looks into the service's app sees it.
    private func wasMade(_ question: Question, _ events: [SimulatedUpstream.RecordedEvent]) async throws -> Bool {
        guard let action = try? JSONDecoder().decode(JSON.self, from: Data(question.action.utf8)) else { return false }
        if action["create"] != nil {
            let known = try await knownIDs(of: question.service)
            return events.contains {
                $0.kind == .created && $0.author == .app && $0.name == question.name
                    && !known.contains($0.playlist ?? "")
            }
        }
        if let removal = action["remove"] {
            let catalog = try await catalog(of: question.service)
            let songs = Set((removal["_0"]?.items ?? []).compactMap(\.text).map { catalog[$0] ?? $0 })
            // Other edits have made some of them.
            let made = timeline(of: question, events).moments.count {
                $0.event.author == .app && !songs.isDisjoint(with: $0.removed)
            }
            return try await made > doneRemovals(to: question, of: Set((removal["_0"]?.items ?? []).compactMap(\.text)))
        }
        let written = (action["append"] ?? action["insert"]).map { step -> [String] in
            let tracks = (step["_0"]?.items ?? []).dropFirst(step["placed"]?.integer ?? 0)
            return tracks.compactMap { $0["id"]?.text }
        }
        guard let written else { return false }
        let catalog = try await catalog(of: question.service)
        let songs = written.map { catalog[$0] ?? $0 }
        let made = timeline(of: question, events).additions.count { $0 == songs }
        // Other edits have made some of them.
        let others = try await doneAdditions(to: question, of: Set(written))
        return made > others
    }

    private func timeline(
        of question: Question, _ events: [SimulatedUpstream.RecordedEvent]
    ) -> EditTimeline {
        EditTimeline(
            question.playlist, first: record.lists[.init(question.service, question.playlist)]?.first ?? [], events)
    }

    /// The services' ids of the playlists that the library knows.
    private func knownIDs(of service: Service) async throws -> Set<String> {
        try await installation.withDatabase { database in
            try await database.read { reader in
                Set(
                    try reader.rows(
                        "SELECT source_id FROM library_playlists WHERE source = \(service.source.number)"
                    ).map { try $0["source_id"] as String })
            }
        }
    }

    /// How many writes of the same songs to the same playlist are done.
    private func doneAdditions(to question: Question, of written: Set<String>) async throws -> Int {
        try await doneActions(to: question).count { action in
            guard let step = action["append"] ?? action["insert"] else { return false }
            return Set((step["_0"]?.items ?? []).compactMap { $0["id"]?.text }) == written
        }
    }

    /// How many removals of some of the same songs from the same playlist are done.
    private func doneRemovals(to question: Question, of removed: Set<String>) async throws -> Int {
        try await doneActions(to: question).count { action in
            !removed.isDisjoint(with: (action["remove"]?["_0"]?.items ?? []).compactMap(\.text))
        }
    }

    private func doneActions(to question: Question) async throws -> [JSON] {
        let actions: [String] = try await installation.withDatabase { database in
            try await database.read { reader in
                try reader.rows(
                    """
                    SELECT action FROM library_edit_steps JOIN library_edits ON library_edits.id = edit_id
                    JOIN library_playlists ON library_playlists.id = playlist_id
                    WHERE library_edit_steps.state = 'done' AND source_id = \(question.playlist)
                    """
                ).map { try $0["action"] }
            }
        }
        return actions.compactMap { try? JSONDecoder().decode(JSON.self, from: Data($0.utf8)) }
    }

    /// The ids in the service's library, by the ids in its catalog.
    func catalog(of service: Service) async throws -> [String: String] {
        var ids: [String: String] = [:]
        for list in try await upstream(service).shownPlaylists() {
            for (catalog, id) in zip(list.catalogIds, list.entries) { ids[catalog] = id }
        }
        for song in songs[service] ?? [] {
            ids[String(song.reference.split(separator: ":").last ?? "")] = song.id
        }
        return ids
    }
}
