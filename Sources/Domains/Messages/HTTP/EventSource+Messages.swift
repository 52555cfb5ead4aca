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
            authors: Authors(.profile) { try Change.nothing(for: $1, in: $0) },
            count: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return 0 }
                return try reader.messages.changedThreads(for: viewer, after: after, limit: limit, now: .now()).count
            },
            changes: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
                let changes = try reader.messages.changedThreads(for: viewer, after: after, limit: limit, now: .now())
                let documents = try writer.documents(of: changes.map(\.thread), for: viewer, in: reader)
                return zip(changes, documents).map { change, document in
                    change.isGone
                        ? Change(number: change.number, gone: .thread, id: change.thread.id)
                        : Change(number: change.number, id: change.thread.id, data: document)
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

extension EventSource.Change {
    /// That nothing has changed, for those of several people who have no thread with anybody who shows something else.
    /// The others are missing, and read alone: each has an item of their own.
    fileprivate static func nothing(
        for readers: [ChangeReader], in reader: ReadTransaction
    ) throws -> [ChangeReader: [EventSource.Change]] {
        let viewers = try reader.visibility.viewers(userIDs: Set(readers.map(\.userID)))
        var positions: [ChangeReader: ViewerPosition] = [:]
        for one in readers { positions[one] = viewers[one.userID].map { ViewerPosition($0, after: one.after) } }
        let unconcerned = try reader.messages.viewersWithoutChangedPeople(Array(Set(positions.values)))
        return readers.reduce(into: [:]) { all, one in
            // Whoever is suspended or gone reads nothing.
            if positions[one].map(unconcerned.contains) ?? true { all[one] = [] }
        }
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
