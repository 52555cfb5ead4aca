import Foundation
import TestProcesses

/// Sharing songs, and what is left of it at the end.
extension HistoryRun {
    /// Reports a listen of a user, and returns its id.
    static func listen(of user: APIClient) async throws -> String {
        let sent = try await user.post(
            "/1/submit-listens",
            """
            {"listen_type":"import","payload":[{"listened_at":1700000000,
            "track_metadata":{"artist_name":"Röyksopp","track_name":"Eple"}}]}
            """)
        let listens: ListenLines = try await user.get("/v1/listening/listens").decode()
        guard sent.status == 200, let listen = listens.items.first else {
            throw UnexpectedAnswer(description: "no listen: \(sent.status) \(sent.text)")
        }
        return listen.id
    }

    private struct ListenLines: Decodable {
        struct Line: Decodable { var id: String }

        var items: [Line]
    }

    private struct ShareLine: Decodable {
        var id: String
        var gone: Bool?
    }

    private struct ShareLines: Decodable { var items: [ShareLine] }

    func share(_ number: Int, by user: Int) async {
        guard user <= users.count else { return }
        if record.shares[number] == nil { record.shares[number] = Record.Share(user: user) }
        await request { await self.send(share: number) }
    }

    private func send(share number: Int) async {
        guard let share = record.shares[number] else { return }
        guard let response = try? await put(number, of: share.user) else { return }
        guard (200..<300).contains(response.status), let line = try? response.decode(ShareLine.self) else {
            // The gateway was stopping, or its database was locked.
            if response.status < 500 { record.shares[number]?.refusals.append(response.status) }
            return
        }
        record.shares[number]?.ids.insert(line.id)
        if line.gone == true { record.shares[number]?.wasGone = true }
    }

    private func put(_ number: Int, of user: Int) async throws -> APIResponse {
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
        let body = #"{"song":{"listenId":"\#(listens[user - 1])"},"message":"share \#(number)"}"#
        return try await users[user - 1].send(.PUT, "/v1/shares/\(id)", body: Array(body.utf8))
    }

    /// Takes a share back whose id is known.
    func takeShareBack(_ number: Int) async {
        guard let share = record.shares[number], let id = share.ids.first else { return }
        record.shares[number]?.isTakenBack = true
        let client = users[share.user - 1]
        await request { _ = try? await client.send(.DELETE, "/v1/shares/\(id)") }
    }

    /// Sends every share once more, and reads what is there.
    func collectShares() async throws {
        for number in record.shares.keys.sorted() { await send(share: number) }
        for (index, user) in users.enumerated() {
            let list: ShareLines = try await user.get("/v1/me/shares?limit=100").decode()
            for number in record.shares.keys where record.shares[number]?.user == index + 1 {
                let ids = record.shares[number]?.ids ?? []
                record.shares[number]?.listed = list.items.count { ids.contains($0.id) }
            }
            record.unexplainedShares += list.items.filter { line in
                !record.shares.values.contains { $0.ids.contains(line.id) }
            }.map(\.id)
        }
    }
}
