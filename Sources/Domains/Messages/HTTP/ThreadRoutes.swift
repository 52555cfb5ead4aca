import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Model
import Storage
import Visibility

/// `/v1/threads` and `/v1/me/message-requests`: a person's threads, what is new in them, and who asks to write.
struct ThreadRoutes {
    let parts: MessageParts
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.put("users/:username/thread", use: open)
        group.get("threads", use: list)
        group.get("threads/unread", use: unread)
        group.get("threads/:id", use: show)
        group.put("threads/:id/read-mark", use: moveMark)
        group.get("me/message-requests") { try await page(of: .requests, $0, $1) }
        group.put("me/message-requests/:id", use: accept)
        group.delete("me/message-requests/:id", use: decline)
    }

    // MARK: Threads

    @Sendable private func open(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let name = try context.username
        let writer = parts.writer
        let document = try await parts.act(context) { transaction, userID -> [UInt8]? in
            let thread = try transaction.messages.openThread(
                with: try transaction.accounts.user(named: name)?.id, by: userID, now: .now())
            guard let viewer = try transaction.visibility.viewer(userID: userID) else { return nil }
            return try writer.documents(of: [thread], for: viewer, in: transaction).first
        }
        guard let document else { throw Problem.unknownPerson }
        return .json(.ok, document)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        switch request.parameter("state") {
        case nil, "open": return try await page(of: .open, request, context)
        case "blocked": return try await page(of: .blocked, request, context)
        case let text?:
            throw Problem.invalidRequest(
                code: .invalidParameter, "state: expected open or blocked, found '\(text.prefix(40))'.", field: "state")
        }
    }

    @Sendable private func page(
        of kind: ThreadListKind, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 20, maximum: 50)
        let cursor = try request.cursor(of: threadList)
        let writer = parts.writer
        let list = try await parts.read(as: userID, or: .unauthorized) { reader, viewer -> ReadList? in
            let page = try reader.messages.threads(kind, for: viewer, after: cursor, limit: limit, now: .now())
            let documents = try writer.documents(of: page.items, for: viewer, in: reader)
            let json = JSONWriter.object { json in
                json.member("items") { json in
                    json.array(documents) { $0.raw(String(decoding: $1, as: UTF8.self)) }
                }
                json.member("nextCursor", page.nextCursor)
            }
            return ReadList(json: json, seq: try reader.lastChange())
        }
        return .cacheable(list.json, seq: list.seq, for: request)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (userID, id) = (try context.userID, try context.threadID)
        let writer = parts.writer
        let document = try await parts.read(as: userID, or: .unknownThread) { reader, viewer -> [UInt8]? in
            guard let thread = try reader.messages.thread(id, for: viewer, now: .now()) else { return nil }
            return try writer.documents(of: [thread], for: viewer, in: reader).first
        }
        return .cacheable(document, for: request)
    }

    // MARK: What is new

    @Sendable private func unread(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let document = try await parts.read(as: context.userID, or: .unauthorized) { reader, viewer -> [UInt8]? in
            let unread = try reader.messages.unread(of: viewer)
            let seq = try reader.lastChange()
            return JSONWriter.object { json in
                json.member("messages", unread.messages)
                json.member("threads", unread.threads)
                json.member("requests", unread.requests)
                json.member("seq", Int(seq))
            }
        }
        return .json(.ok, document)
    }

    @Sendable private func moveMark(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.threadID
        let body = try await request.json(limit: maximumBodyBytes)
        guard let number = try body.object(["number"])["number"]?.integer(in: 0...(1 << 53)) else {
            throw body.refuse("the field number is missing: send the number of a message.")
        }
        let (mark, unread) = try await parts.act(context) {
            try $0.messages.moveMark(to: Int64(number), in: id, of: $1, now: .now())
        }
        let document = JSONWriter.object { json in
            json.member("readMark", Int(mark))
            json.member("unread", unread)
        }
        return .json(.ok, document)
    }

    // MARK: Requests

    @Sendable private func accept(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.threadID
        try await parts.act(context) { try $0.messages.accept(id, by: $1, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func decline(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.threadID
        try await parts.act(context) { try $0.messages.decline(id, by: $1, now: .now()) }
        return Response(status: .noContent)
    }
}
