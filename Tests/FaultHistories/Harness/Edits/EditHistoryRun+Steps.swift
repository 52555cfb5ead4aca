import Foundation
import Model
import NIOHTTP1
import Storage
import TestProcesses
import TestSupport

extension EditHistoryRun {
    func perform(_ operation: EditOperation) async throws {
        switch operation {
        case .edit(let edit): await ask(edit)
        case .others(let change): await order(change)
        case .injectFault(let call, let fault, let times, let retryAfter):
            var extra: [String: Int] = [:]
            if let retryAfter { extra["retryAfter"] = retryAfter }
            if fault == "slow" { extra["ms"] = 700 }
            try await upstream(call.service).injectFault(fault, endpoint: call.endpoint, times: times, extra: extra)
        case .hold(let call): try await upstream(call.service).injectFault("hold", endpoint: call.endpoint, times: 1)
        case .whileHeld(let service, let disturbance): try await disturbWhileHeld(service, disturbance)
        case .disturb(let disturbance): try await disturb(disturbance)
        case .start(let role): try await start(role)
        case .resume(let role): resume(role)
        case .reconnect(let service, let isWithheld): try await reconnect(service, isWithheld: isWithheld)
        case .sync: await request { _ = try? await self.person.post("/v1/library/syncs", "{}") }
        case .setClock(let seconds):
            try clock.set(offsetSeconds: seconds)
            // According to that clock the consent has expired, and the tokens with it.
            if Duration.seconds(seconds) >= Self.consentLifetime { disconnected.insert(.spotify) }
        case .backUp: try await backUp()
        case .restore: try await restore()
        case .await(let tag): await awaitEnd(of: tag)
        case .pause(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
        }
    }

    // MARK: Edits

    private func ask(_ edit: AskedEdit) async {
        record.requests.append(EditRecord.Request(tag: edit.tag, kind: edit.kind))
        let index = record.requests.count - 1
        await request { await self.send(index) }
    }

    /// Sends the request of an edit, or repeats the same one if it was sent before.
    func send(_ index: Int) async {
        guard let call = try? await call(of: index) else { return }
        record.requests[index].answer = .lost
        let response = try? await person.send(
            call.method, call.path, body: Array(call.body.utf8),
            headers: ["Idempotency-Key": "edit-\(record.requests[index].tag)"])
        guard let response else { return }
        struct SubmissionAnswer: Decodable {
            var id: String
            var playlistId: String?
        }
        switch response.status {
        case 202:
            guard let accepted = try? response.decode(SubmissionAnswer.self) else { return }
            record.requests[index].answer = .accepted(accepted.id)
            if case .create = record.requests[index].kind { record.requests[index].madeID = accepted.playlistId }
        case 500...: return
        default: record.requests[index].answer = .refused(response.status, (try? response.problem.code) ?? "")
        }
    }

    /// The request of an edit. The first call determines it, including the entries that it removes.
    private func call(of index: Int) async throws -> EditRecord.Call? {
        if let known = record.requests[index].call { return known }
        let request = record.requests[index]
        var call: EditRecord.Call
        switch request.kind {
        case .add(let list, let numbers):
            guard let id = try await libraryID(of: list) else { return nil }
            let chosen = numbers.map { songs[list.service]![$0] }
            call = .init(
                .POST, "/v1/library/playlists/\(id)/tracks",
                ["trackIds": .array(chosen.map { .string($0.reference) })])
            record.requests[index].songs = chosen.map(\.id)
        case .remove(let list, let positions):
            guard let id = try await libraryID(of: list), let shown = try await shownList(id),
                !shown.songs.isEmpty
            else { return nil }
            let chosen = Set(positions.map { $0 % shown.songs.count }).sorted()
            let named = chosen.map { shown.songs[$0] }
            guard !named.contains("") else { return nil }
            call = .init(
                .DELETE, "/v1/library/playlists/\(id)/tracks",
                ["version": .string(shown.version), "positions": .array(chosen.map { .integer($0) })])
            (record.requests[index].songs, record.requests[index].positions) = (named, chosen)
        case .create(let service, let numbers):
            let chosen = numbers.map { songs[service]![$0] }
            call = .init(
                .POST, "/v1/library/playlists",
                [
                    "name": .string(Self.name(request.tag)), "source": .string(service.rawValue),
                    "trackIds": .array(chosen.map { .string($0.reference) }),
                ])
            record.requests[index].songs = chosen.map(\.id)
        case .rename(let list):
            guard let id = try await libraryID(of: list) else { return nil }
            call = .init(.PATCH, "/v1/library/playlists/\(id)", ["name": .string("Renamed \(request.tag)")])
        case .copy(let list):
            guard let id = try await libraryID(of: list) else { return nil }
            call = .init(
                .POST, "/v1/library/playlists/\(id)/copies",
                ["to": .string(list.service.other.rawValue), "again": .bool(true)])
        }
        record.requests[index].call = call
        return call
    }

    /// The name of the playlist that an edit makes.
    static func name(_ tag: Int) -> String { "Made \(tag)" }

    /// Backline's id of a playlist; `nil` if there is none.
    private func libraryID(of list: ListName) async throws -> String? {
        switch list {
        case .given(let service, let index):
            let id = given[service]?[index] ?? ""
            return try await installation.withDatabase { database in
                try await database.read { reader in
                    try reader.row(
                        """
                        SELECT id FROM library_playlists WHERE source = \(service.source.number) AND source_id = \(id)
                        """
                    ).map { LibraryID(key: try $0["id"]).text }
                }
            }
        case .made(_, let tag): return record.requests.first { $0.tag == tag }?.madeID
        }
    }

    /// A playlist as the person sees it in Backline: the services' ids of its songs, empty for other entries.
    private func shownList(_ id: String) async throws -> (version: String, songs: [String])? {
        struct Page: Decodable {
            struct Entry: Decodable {
                struct Track: Decodable { var id: String }

                var track: Track?
            }

            var source: String
            var version: String
            var entries: [Entry]
        }
        let response = try await person.get("/v1/library/playlists/\(id)?limit=200")
        guard response.status == 200, let page = try? response.decode(Page.self),
            let service = Service(rawValue: page.source)
        else { return nil }
        let keys = page.entries.compactMap { $0.track?.id }.compactMap { LibraryID($0)?.key }
        let names: [Int64: String] = try await installation.withDatabase { database in
            try await database.read { reader in
                var names: [Int64: String] = [:]
                for row in try reader.rows(
                    """
                    SELECT track_id, source_id FROM library_source_tracks
                    WHERE source = \(service.source.number) AND track_id IN (\(list: keys.isEmpty ? [-1] : keys))
                    ORDER BY id
                    """)
                {
                    let key: Int64 = try row["track_id"]
                    names[key] = try row["source_id"]
                }
                return names
            }
        }
        return (
            page.version,
            page.entries.map { entry in entry.track.flatMap { LibraryID($0.id) }.flatMap { names[$0.key] } ?? "" }
        )
    }

    private func awaitEnd(of tag: Int) async {
        guard let request = record.requests.first(where: { $0.tag == tag }), case .accepted(let id) = request.answer
        else { return }
        let path = request.isCopy ? "/v1/library/copies/\(id)" : "/v1/library/edits/\(id)"
        struct State: Decodable { var state: String }
        await self.request(atMost: .seconds(3)) {
            let end = ContinuousClock.now.advanced(by: .seconds(3))
            while ContinuousClock.now < end {
                let state = try? await self.person.get(path).decode(State.self).state
                if let state, ["complete", "failed", "unclear"].contains(state) { return }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    // MARK: Others

    private func order(_ change: OthersChange) async {
        let service = change.list.service
        var edit = SimulatedUpstream.PlaylistEdit("append")
        func id(_ song: Int) -> [String] { [songs[service]![song].id] }
        switch change.kind {
        case .append(let song): (edit.edit, edit.songs) = ("append", id(song))
        case .insert(let song, let position): (edit.edit, edit.songs, edit.position) = ("insert", id(song), position)
        case .removeEntry(let position): (edit.edit, edit.position, edit.count) = ("remove", position, 1)
        case .removeSong(let song): (edit.edit, edit.songs) = ("remove", id(song))
        case .move(let from, let to): (edit.edit, edit.position, edit.to) = ("reorder", from, to)
        case .delete: edit.edit = "delete"
        case .createTwin:
            guard case .made(_, let tag) = change.list else { return }
            // An empty one without a description is as good as the requested one.
            (edit.edit, edit.name, edit.songs) = ("create", Self.name(tag), id(0))
        }
        switch change.list {
        case .given(_, let index): edit.id = given[service]?[index]
        case .made(_, let tag): edit.called = Self.name(tag)
        }
        let moment = change.moment.map {
            SimulatedUpstream.RequestMoment($0.isAfter, $0.call.endpoint, request: $0.request)
        }
        // A playlist that no longer exists, or does not exist yet, is not changed.
        _ = try? await upstream(service).changeLibrary(playlists: [edit], at: moment)
    }

    // MARK: Disturbances

    private func disturb(_ disturbance: Disturbance) async throws {
        switch disturbance {
        case .kill(let role): try await kill(role)
        case .killWorkers: for role in Role.workers { try await kill(role) }
        case .drain(let role): drain(role)
        case .stop(let role): stop(role)
        case .stopWorkers(let milliseconds):
            for role in Role.workers { stop(role) }
            try await Task.sleep(for: .milliseconds(milliseconds))
            for role in Role.workers { resume(role) }
        case .revoke(let service): try await revoke(service)
        case .cancel(let tag): await cancel(tag)
        }
        if case .revoke = disturbance { return }
        record.interruptions.append(Int(MonotonicInstant.now().microseconds))
    }

    private func disturbWhileHeld(_ service: Service, _ disturbance: Disturbance) async throws {
        let upstream = upstream(service)
        struct Entry: Decodable {
            struct Rule: Decodable { var fault: String }

            var rule: Rule
            var struck: Int
        }
        _ = try? await eventually("a request that is held back", within: .milliseconds(1_500)) { () -> Bool in
            let entries: [Entry] = try await upstream.ask("faults")
            return entries.contains { $0.rule.fault == "hold" && $0.struck > 0 }
        }
        try await disturb(disturbance)
        try await upstream.order("faults/release")
    }

    private func revoke(_ service: Service) async throws {
        disconnected.insert(service)
        switch service {
        case .spotify: try await upstreams.spotify.endTokens(access: "revoke", refresh: "revoke")
        case .appleMusic: try await upstreams.appleMusic.configure(["userTokens": .object([:])])
        }
    }

    private func reconnect(_ service: Service, isWithheld: Bool) async throws {
        let scopes: [JSON] = isWithheld ? ["playlist-modify-public", "playlist-modify-private"] : []
        // It may have failed.
        disconnected.insert(service)
        try await upstreams.spotify.configure(["withheldScopes": .array(scopes)])
        await request(atMost: .seconds(2)) { _ = try? await self.connect(service) }
        try await upstreams.spotify.configure(["withheldScopes": .array([])])
    }

    private func cancel(_ tag: Int) async {
        guard let request = record.requests.first(where: { $0.tag == tag }), case .accepted(let id) = request.answer,
            let key = LibraryID(id)?.key
        else { return }
        let job: String? = try? await installation.withDatabase { database in
            try await database.read { reader in
                try reader.row("SELECT job_id FROM library_edits WHERE id = \(key)").flatMap { try $0["job_id"] }
            }
        }
        guard let job else { return }
        await self.request { _ = try? await self.person.post("/v1/jobs/\(job)/cancel") }
    }
}
