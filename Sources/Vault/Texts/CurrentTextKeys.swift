import Model
import PrivateFiles
import Storage
import Synchronization

/// The keys of private texts, for a process that shows or sends them.
///
/// The file is read again whenever it changes, so that keys can be restored at run time. A process also starts without a
/// usable file: sealing and opening then fail with the reason.
package final class CurrentTextKeys: Sendable {
    package let file: TextKeyFile
    /// All tables with private texts.
    package let tables: [SealedTextTable]
    /// The keys at the last read, and the identity of the file then.
    private let present = Mutex<(keys: [TextKey], identity: PrivateFile.Identity)?>(nil)

    /// - Parameter tables: all tables with private texts.
    package init(file: TextKeyFile, tables: [SealedTextTable] = []) {
        (self.file, self.tables) = (file, tables)
    }

    package convenience init(_ settings: TextKeySettings, tables: [SealedTextTable]) {
        self.init(file: TextKeyFile(path: settings.keyFile), tables: tables)
    }

    /// Seals a text in the transaction that stores it. A missing file is made, unless there are texts that need it.
    ///
    /// - Throws: ``TextKeyError``; `StorageError`.
    package func seal(_ text: String, as name: TextName, in transaction: WriteTransaction) throws -> SealedText {
        try seal(text, as: name, in: transaction, isFirst: try !transaction.hasSealedTexts(in: tables))
    }

    /// Seals a text in the transaction that stores it. A missing file is made.
    ///
    /// - Parameter isFirst: whether the database has no sealed text. With texts that need a missing file, none is made.
    /// - Throws: ``TextKeyError``; what `isFirst` throws.
    package func seal(
        _ text: String, as name: TextName, in _: WriteTransaction, isFirst: @autoclosure () throws -> Bool
    ) throws -> SealedText {
        do {
            return try keys()[0].seal(text, as: name)
        } catch let error as TextKeyError {
            guard case .missing = error, try isFirst() else { throw error }
        }
        try file.make()
        return try keys()[0].seal(text, as: name)
    }

    /// Opens a text.
    ///
    /// - Throws: ``TextKeyError``.
    package func open(_ sealed: SealedText, as name: TextName) throws(TextKeyError) -> String {
        guard let key = try keys().first(where: { $0.id == sealed.keyID }) else { throw .unknownKey(id: sealed.keyID) }
        guard let text = key.open(sealed, as: name) else { throw .doesNotOpen }
        return text
    }

    private func keys() throws(TextKeyError) -> [TextKey] {
        let identity = PrivateFile.identity(of: file.path)
        if let identity, let keys = present.withLock({ $0?.identity == identity ? $0?.keys : nil }) { return keys }
        let (keys, read) = try file.load()
        present.withLock { $0 = (keys, read) }
        return keys
    }
}
