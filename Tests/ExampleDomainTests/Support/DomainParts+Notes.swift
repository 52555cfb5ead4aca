import Gateway
import Notes
import NotesCommands
import NotesHTTP
import NotesWorker

@testable import Composition

extension [DomainParts] {
    /// The domain of notes with all of its parts, as the list of the product would have it.
    static let notes: [DomainParts] = [
        DomainParts(
            .notes, gateway: { [.notes($0.services, settings: $0[NoteSettings.self])] }, workers: [.sync: [.notes]],
            commands: [.use: [NotesCommand.self]], subscribers: { _ in .notes }, problemCodes: ProblemCode.notes)
    ]
}
