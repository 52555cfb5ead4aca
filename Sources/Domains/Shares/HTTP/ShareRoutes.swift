import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import People
import Shares
import Storage
import Visibility

/// `/v1/shares`: sharing songs, and what people do with shares. Every act may be repeated: the second one changes
/// nothing and is answered like the first.
struct ShareRoutes {
    let database: Database
    let songs: ShareSongs
    let writer: ShareWriter

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("shares") { try await share($0, $1, clientID: try $0.clientID()) }
        group.put("shares/:id") { try await share($0, $1, clientID: try $1.clientID) }
        group.get("shares/:id", use: show)
        group.delete("shares/:id", use: takeBack)
        group.put("shares/:id/reaction", use: react)
        group.delete("shares/:id/reaction", use: withdrawReaction)
        group.put("shares/:id/thanks") { try await thank(true, $1) }
        group.delete("shares/:id/thanks") { try await thank(false, $1) }
        group.get("shares/:id/reactions", use: reactors)
        group.get("me/shares", use: own)
        group.get("users/:username/shares", use: ofPerson)
        group.put("me/pin", use: pin)
        group.delete("me/pin", use: unpin)
    }

    // MARK: Sharing

    private func share(_ request: Request, _ context: GatewayContext, clientID: String) async throws -> Response {
        let userID = try context.userID
        let draft = try ShareDraft(
            clientID: clientID, body: try await request.json(limit: ShareDraft.maximumBodyBytes))
        do {
            // A repeated request needs no song, which may be gone since the first one.
            let known = try await database.read { reader -> ShareOutcome? in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return nil }
                return try reader.shares.outcome(of: draft, by: viewer)
            }
            if let known { return try await answer(known, draft, userID: userID) }
            let found = try await songs.song(draft.song, of: userID)
            let outcome = try await database.write { [songs] transaction in
                try transaction.shares.share(
                    draft, showing: try songs.song(draft.song, found: found, of: userID, in: transaction), by: userID,
                    zone: try transaction.accounts.profile(userID: userID)?.timeZone, now: .now())
            }
            return try await answer(outcome, draft, userID: userID)
        } catch let refusal as ShareRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
    }

    private func answer(_ outcome: ShareOutcome, _ draft: ShareDraft, userID: String) async throws -> Response {
        let (id, status): (ShareID, HTTPResponse.Status) =
            switch outcome {
            case .made(let id): (id, .created)
            case .known(let id), .gone(let id): (id, .ok)
            }
        let gone = JSONWriter.object { json in
            json.member("id", id.text)
            json.member("clientId", draft.clientID)
            json.member("gone", true)
        }
        if case .gone = outcome { return .json(status, gone) }
        let document = try await database.read { [writer] reader -> [UInt8]? in
            guard let viewer = try reader.visibility.viewer(userID: userID),
                let share = try reader.shares.share(id, for: viewer, now: .now())
            else { return nil }
            return try writer.document(of: share, for: viewer, in: reader)
        }
        // It was taken back on another device meanwhile.
        guard let document else { return .json(.ok, gone) }
        let clientID = JSONWriter.object { $0.member("clientId", draft.clientID) }
        return .json(status, document.dropLast() + Array(",".utf8) + clientID.dropFirst())
    }

    @Sendable private func takeBack(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await act(context) { try $0.shares.takeBack($1, by: $2, now: .now()) }
    }

    /// Runs an act on the share of the path.
    private func act(
        _ context: GatewayContext,
        _ act: @escaping @Sendable (WriteTransaction, _ id: ShareID, _ userID: String) throws -> Void
    ) async throws -> Response {
        let (id, userID) = (try context.shareID, try context.userID)
        do {
            try await database.write { try act($0, id, userID) }
        } catch let refusal as ShareRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
        return Response(status: .noContent)
    }

    // MARK: Reading

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.shareID, try context.userID)
        let found = try await database.read { [writer] reader -> [UInt8]? in
            guard let viewer = try reader.visibility.viewer(userID: userID),
                let share = try reader.shares.share(id, for: viewer, now: .now())
            else { return nil }
            return try writer.document(of: share, for: viewer, in: reader)
        }
        guard let found else { throw Problem.unknownShare }
        return .cacheable(found, for: request)
    }

    @Sendable private func own(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await list(request, context) { _, viewer in viewer.key }
    }

    @Sendable private func ofPerson(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let name = try context.username
        return try await list(request, context) { reader, viewer in
            guard let user = try reader.accounts.user(named: name),
                let relation = try reader.visibility.relation(of: viewer, to: user.id), relation.canSee(.profile)
            else { return nil }
            return relation.person.key
        }
    }

    /// - Parameter sender: whose shares to list; `nil` for nobody whom the viewer may see.
    private func list(
        _ request: Request, _ context: GatewayContext,
        of sender: @escaping @Sendable (ReadTransaction, Viewer) throws -> PersonKey?
    ) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 20, maximum: 100)
        let cursor = try request.cursor(of: shareList)
        let read = try await database.read { [writer] reader -> (list: [UInt8], seq: Int64)? in
            let seq = try reader.lastChange()
            guard let viewer = try reader.visibility.viewer(userID: userID), let sender = try sender(reader, viewer)
            else { return nil }
            let page = try reader.shares.page(of: sender, for: viewer, after: cursor, limit: limit, now: .now())
            let documents = try writer.documents(
                of: page.items + [page.pinned].compactMap(\.self), for: viewer, in: reader)
            let list = JSONWriter.object { json in
                json.member("items") { json in
                    json.array(page.items.compactMap { documents[$0.id] }) {
                        $0.raw(String(decoding: $1, as: UTF8.self))
                    }
                }
                json.member("nextCursor", page.nextCursor)
                let pinned = page.pinned.flatMap { documents[$0.id] }
                json.member("pinned", raw: pinned.map { String(decoding: $0, as: UTF8.self) })
            }
            return (list, seq)
        }
        guard let read else { throw Problem.unknownPerson }
        return .cacheable(read.list, seq: read.seq, for: request)
    }

    // MARK: Reactions

    @Sendable private func react(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: ShareDraft.maximumBodyBytes)
        let names = ShareReaction.allCases.map(\.rawValue).joined(separator: ", ")
        guard let field = try body.object(["reaction"])["reaction"] else {
            throw body.refuse("the field reaction is missing: one of \(names).")
        }
        let reaction = try field.value("expected one of \(names)") { ShareReaction(rawValue: $0) }
        return try await act(context) { try $0.shares.react(reaction, to: $1, by: $2, now: .now()) }
    }

    @Sendable private func withdrawReaction(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await act(context) { try $0.shares.react(nil, to: $1, by: $2, now: .now()) }
    }

    private func thank(_ thanks: Bool, _ context: GatewayContext) async throws -> Response {
        try await act(context) { try $0.shares.thank(thanks, for: $1, by: $2, now: .now()) }
    }

    @Sendable private func reactors(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, userID) = (try context.shareID, try context.userID)
        let limit = try request.pageLimit(standard: 50, maximum: 100)
        let cursor = try request.cursor(of: shareReactionList)
        let read = try await database.read { [writer] reader -> (list: [UInt8], seq: Int64)? in
            let seq = try reader.lastChange()
            guard let viewer = try reader.visibility.viewer(userID: userID),
                let page = try reader.shares.reactors(to: id, for: viewer, after: cursor, limit: limit)
            else { return nil }
            let summaries = try reader.accounts.summaries(ofUsers: page.items.map(\.person.userID))
            let requests = try reader.people.requests(between: viewer, and: page.items.map(\.person.key))
            let list = JSONWriter.object { json in
                json.member("items") { json in
                    json.array(page.items.filter { summaries[$0.person.userID] != nil }) { json, reactor in
                        guard let summary = summaries[reactor.person.userID] else { return }
                        let standing = reactor.person.standing
                        let card = PersonCard(
                            summary, standing, follow: requests.state(toward: standing),
                            asksSince: requests.since(of: standing))
                        json.object { json in
                            json.member("person") { json in json.object { card.writeMembers(to: &$0, writer.pictures) }
                            }
                            json.member("reaction", reactor.reaction?.rawValue)
                            json.member("thanked", reactor.hasThanked)
                            json.member("at", reactor.person.since)
                        }
                    }
                }
                json.member("others", page.others)
                json.member("nextCursor", page.nextCursor)
            }
            return (list, seq)
        }
        guard let read else { throw Problem.unknownShare }
        return .cacheable(read.list, seq: read.seq, for: request)
    }

    // MARK: The pinned share

    @Sendable private func pin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let body = try await request.json(limit: ShareDraft.maximumBodyBytes)
        let now = Timestamp.now()
        let (id, until) = try SharePinRequest.parse(body, now: now)
        do {
            let end = try await database.write { try $0.shares.pin(id, until: until, by: userID, now: now) }
            return .json(
                .ok,
                JSONWriter.object { json in
                    json.member("shareId", id.text)
                    json.member("pinnedUntil", end)
                })
        } catch let refusal as ShareRefusal {
            throw Problem(refusal)
        }
    }

    @Sendable private func unpin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        try await database.write { try $0.shares.unpin(by: userID, now: .now()) }
        return Response(status: .noContent)
    }
}
