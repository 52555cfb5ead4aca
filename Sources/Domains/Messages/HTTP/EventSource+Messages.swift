import Gateway
import Messages
import Model
import Storage
import Timeline
import Visibility

extension EventSource {
    /// A person's threads, as the person sees them at the moment of sending.
    static func threads(_ writer: MessageWriter) -> EventSource {
        EventSource(
            .thread, topics: [.messages],
            count: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return 0 }
                return try reader.messages.changedThreads(for: viewer, after: after, limit: limit, now: .now()).count
            },
            changes: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
                let threads = try reader.messages.changedThreads(for: viewer, after: after, limit: limit, now: .now())
                let documents = try writer.documents(of: threads, for: viewer, in: reader)
                return zip(threads, documents).map { thread, document in
                    Change(number: thread.change, id: thread.id, data: document)
                }
            })
    }

    /// The messages of a person's threads. A thread that is gone takes its messages with it.
    static func messages(_ writer: MessageWriter) -> EventSource {
        EventSource(
            .message, topics: [.messages], goneKinds: [.thread],
            // Nothing is opened in order to count it.
            count: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return 0 }
                return try reader.messages.changedMessages(for: viewer, after: after, limit: limit).count
            },
            changes: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
                return try reader.messages.changedMessages(for: viewer, after: after, limit: limit).map { change in
                    Change(
                        number: change.number, id: change.message.id.text, data: writer.document(of: change.message))
                }
            })
    }
}

extension FeedItemSource {
    /// The songs that people have sent to the reader.
    static func sentSongs(_ writer: MessageWriter) -> FeedItemSource {
        FeedItemSource(.sentSong) { _, _, ids in
            ids.reduce(into: [:]) { numbers, id in numbers[id] = MessageID(id)?.number }
        } contents: { reader, viewer, subjects in
            let found = try reader.messages.sentSongs(subjects, to: viewer)
            let cards = try writer.cards(of: found.map(\.sender), for: viewer, in: reader)
            return found.reduce(into: [:]) { contents, song in
                guard let card = cards[song.sender.key] else { return }
                contents[song.message.id.number] = FeedContent(
                    id: song.message.id.text, foldSource: song.sender.userID,
                    json: JSONWriter.object { json in
                        json.member("person") { json in
                            json.object { card.writeMembers(to: &$0, writer.pictures) }
                        }
                        json.member("message") { json in
                            json.object { writer.write(song.message, to: &$0) }
                        }
                    })
            }
        }
    }
}
