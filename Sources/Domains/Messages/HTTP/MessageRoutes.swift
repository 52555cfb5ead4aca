import Accounts
import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Model
import People
import Shares
import Storage

/// `/v1/threads/{id}/messages`: sending, reading, deleting and reporting messages. Every act may be repeated: the
/// second one changes nothing and is answered like the first.
struct MessageRoutes {
    let parts: MessageParts
    let songs: MessageSongs

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("threads/:id/messages", use: list)
        group.put("threads/:id/messages/:messageId", use: send)
        group.delete("threads/:id/messages/:messageId", use: delete)
        group.post("threads/:id/messages/:messageId/report", use: report)
    }

    // MARK: Sending

    @Sendable private func send(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (userID, threadID, clientID) = (try context.userID, try context.threadID, try context.clientMessageID)
        let body = try await request.json(limit: MessageParts.maximumBodyBytes)
        let (writer, textKeys, songs) = (parts.writer, parts.textKeys, self.songs)
        let sending = try MessageRequest(body, clientID: clientID, song: songs.choose)
        let (draft, choice) = (sending.draft, sending.choice)
        return try await parts.answering(context) { () async throws -> Response in
            // A repeated request needs no song, which may be gone since the first one.
            let known = try await parts.database.read {
                try $0.messages.message(of: draft, in: threadID, by: userID, openedBy: textKeys, now: .now())
            }
            if let known { return .json(.ok, writer.document(of: known)) }
            var chosen: (choice: ShareChoice, song: ShareSong)?
            if let choice { chosen = (choice, try await songs.find(choice, userID)) }
            let found = chosen
            let outcome = try await parts.database.write { transaction in
                try transaction.messages.send(
                    draft,
                    showing: try found.map {
                        MessageSong(try songs.confirm($0.choice, $0.song, userID, transaction))
                    }, in: threadID, by: userID,
                    zone: try transaction.accounts.timeZone(userID: userID), sealedBy: textKeys, now: .now())
            }
            return switch outcome {
            case .sent(let message): .json(.created, writer.document(of: message))
            case .known(let message): .json(.ok, writer.document(of: message))
            }
        }
    }

    // MARK: Reading

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (userID, threadID) = (try context.userID, try context.threadID)
        let limit = try request.pageLimit(standard: 50, maximum: 100)
        let cursor = try request.cursor(of: messageList)
        let since = try request.integer("since", in: 0...(1 << 53)).map { Int64($0) }
        let writer = parts.writer
        let list = try await parts.read(as: userID, or: .unknownThread) { reader, viewer -> ReadList? in
            guard let thread = try reader.messages.thread(threadID, for: viewer, now: .now()) else { return nil }
            let page = try reader.messages.messages(
                in: thread, for: viewer, since: since, after: cursor, limit: limit)
            let json = JSONWriter.object { json in
                json.member("items") { json in
                    json.array(page.items) { json, message in json.object { writer.write(message, to: &$0) } }
                }
                json.member("nextCursor", page.nextCursor)
                json.member("gapBefore", page.hasGap)
            }
            return ReadList(json: json, seq: try reader.lastChange())
        }
        return .cacheable(list.json, seq: list.seq, for: request)
    }

    // MARK: Deleting and reporting

    @Sendable private func delete(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (threadID, id) = (try context.threadID, try context.messageID)
        try await parts.act(context) { try $0.messages.delete(id, in: threadID, by: $1, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func report(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (threadID, id) = (try context.threadID, try context.messageID)
        let body = try await request.json(limit: MessageParts.maximumBodyBytes)
        guard let field = try body.object(["text"])["text"] else {
            throw body.refuse("the field text is missing: say what is wrong.")
        }
        let text = WrittenText.cleaned(try field.string(limit: PersonReport.maximumLength))
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw field.refuse("the text is empty: say what is wrong.") }
        let (textKeys, report) = (parts.textKeys, parts.report)
        try await parts.act(context) { transaction, userID in
            let received = try transaction.messages.received(
                id, in: threadID, by: userID, openedBy: textKeys, now: .now())
            let song = received.content.song
            let copy = ReportedMessage(
                id: received.message.id.text, at: received.message.at, text: received.content.text,
                songTitle: song?.title, songArtists: song?.artists ?? [])
            try report(received.senderID, userID, text, copy, transaction)
        }
        return Response(status: .accepted)
    }
}
