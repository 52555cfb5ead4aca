import Accounts
import Gateway
import Messages
import Model
import People
import Storage
import Vault
import Visibility

/// Writes threads and messages as the API shows them.
struct MessageWriter: Sendable {
    let pictures: PicturePaths
    let songs: MessageSongs
    let textKeys: CurrentTextKeys

    /// Threads as a viewer sees them, in the same order.
    func documents(
        of threads: [MessageThread], for viewer: Viewer, in reader: some SQLReader
    ) throws -> [[UInt8]] {
        let cards = try cards(of: threads.compactMap(\.other), for: viewer, in: reader)
        return threads.map { thread in
            JSONWriter.object { write(thread, with: thread.other.flatMap { cards[$0.key] }, to: &$0) }
        }
    }

    /// The cards of people by their keys. Those of somebody who is being erased at this moment are missing.
    func cards(
        of people: [Standing], for viewer: Viewer, in reader: some SQLReader
    ) throws -> [PersonKey: PersonCard] {
        guard !people.isEmpty else { return [:] }
        let summaries = try reader.accounts.summaries(ofUsers: people.map(\.userID))
        let requests = try reader.people.requests(between: viewer, and: people.map(\.key))
        return people.reduce(into: [:]) { cards, person in
            guard let summary = summaries[person.userID] else { return }
            cards[person.key] = PersonCard(
                summary, person, follow: requests.state(toward: person), asksSince: requests.since(of: person))
        }
    }

    private func write(_ thread: MessageThread, with person: PersonCard?, to json: inout JSONWriter) {
        json.member("id", thread.id)
        json.member("state", thread.state.rawValue)
        json.member("writing", thread.writing.rawValue)
        json.member("person") { json in
            guard let person else { return json.raw("null") }
            json.object { person.writeMembers(to: &$0, pictures) }
        }
        json.member("last") { json in
            guard let last = thread.last else { return json.raw("null") }
            json.object { write(last, to: &$0) }
        }
        json.member("unread", thread.unread)
        json.member("readMark", thread.readNumber > 0 ? Int(thread.readNumber) : nil)
        json.member("otherReadMark", thread.otherReadNumber.map { Int($0) })
        json.member("at", thread.at)
        json.member("resetSeq", Int(thread.resetChange))
    }

    /// A message as JSON.
    func document(of message: Message) -> [UInt8] { JSONWriter.object { write(message, to: &$0) } }

    /// Writes the members of a message. One whose key is missing has no content; `doctor` says why.
    func write(_ message: Message, to json: inout JSONWriter) {
        let content = try? message.content(textKeys)
        let state: String =
            switch message.state {
            case .shown: content == nil ? "unreadable" : "shown"
            case .deleted: "deleted"
            case .hidden: "hidden"
            }
        json.member("id", message.id.text)
        json.member("threadId", message.threadID)
        json.member("number", Int(message.id.number))
        json.member("clientId", message.clientID)
        json.member("isMine", message.isMine)
        json.member("state", state)
        json.member("text", content?.text)
        json.member("song") { json in
            guard let song = content?.song?.shown else { return json.raw("null") }
            json.object { songs.write(song, &$0) }
        }
        json.member("at", message.at)
    }
}
