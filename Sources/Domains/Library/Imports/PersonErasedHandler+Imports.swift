import DomainEvents

extension PersonErasedHandler {
    /// Deletes the files that wait to be imported for a person. An upkeep step of the imports deletes what it leaves.
    package static func imports(in folder: ImportFolder) -> PersonErasedHandler {
        PersonErasedHandler { userID, database in await folder.removeFiles(ofUser: userID, in: database) }
    }
}
