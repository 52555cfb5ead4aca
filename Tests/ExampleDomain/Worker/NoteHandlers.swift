import Contracts
import Jobs
import Notes
import Storage
import Workers

extension JobHandler {
    /// Handles `notes.count`: read, count, reply.
    static func notesCount(database: Database) -> JobHandler {
        JobHandler(.notesCount) { _, context in
            let notes = try await database.read { try $0.notes.all(userID: context.job.userID) }
            return JobResult(NoteCountResult(notes: notes.count, words: Note.wordCount(of: notes)))
        }
    }
}

extension WorkerDomain {
    /// The jobs of people's notes.
    package static let notes = WorkerDomain { process in [.notesCount(database: process.database)] }
}
