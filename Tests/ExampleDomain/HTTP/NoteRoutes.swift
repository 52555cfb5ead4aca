import Gateway
import HTTPTypes
import Hummingbird
import Model
import Notes
import Storage

/// `/v1/notes`: a person's notes.
struct NoteRoutes {
    let database: Database
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("notes", use: list)
        group.post("notes", use: add)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let notes = try await database.read { try $0.notes.all(userID: userID) }
        return .cacheable(JSONWriter.items(notes) { json, note in note.writeMembers(to: &json) }, for: request)
    }

    @Sendable private func add(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["words", "provider"])
        guard let words = try fields["words"]?.string(limit: Note.maximumLength), !words.isEmpty else {
            throw body.refuse("the field words is missing or empty.")
        }
        let provider = try fields["provider"]?.value("expected a service, such as spotify") { Provider(rawValue: $0) }
        do {
            let note = try await database.write {
                try $0.notes.add(words, about: provider, userID: userID, now: .now())
            }
            return .json(.created, note.json)
        } catch let refusal as NoteRefusal {
            throw Problem(refusal)
        }
    }
}

extension Note {
    /// The note as the API shows it.
    var json: [UInt8] { JSONWriter.object { writeMembers(to: &$0) } }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("words", words)
        json.member("provider", provider?.rawValue)
        json.member("createdAt", createdAt)
    }
}

extension Problem {
    fileprivate init(_ refusal: NoteRefusal) {
        switch refusal {
        case .tooManyNotes: self = .conflict(code: .tooManyNotes, refusal.description)
        }
    }
}
