import Accounts
import ArgumentParser
import Messaging
import Storage
import Vault

/// The exit statuses that all commands share, after BSD's sysexits.h where it has one.
enum CommandExit {
    /// What was asked for was not done, or what was looked at is not well.
    static let failure = ExitCode(1)
    /// Cancelled, or out of time.
    static let cancelled = ExitCode(2)
    static let usage = ExitCode(64)
    /// A file that was named is not there, or is not what it should be.
    static let unusableInput = ExitCode(66)
    static let unreachable = ExitCode(69)
    /// A file is there already, or cannot be made.
    static let cannotCreate = ExitCode(73)
    static let unwritable = ExitCode(74)
    /// Something else has what the command needs; it may work in a moment.
    static let busy = ExitCode(75)
    static let notAuthorized = ExitCode(77)
    static let configuration = ExitCode(78)

    /// The table of `backline --help` and of the documents.
    static let table: [(status: Int32, meaning: String)] = [
        (0, "done"),
        (failure.rawValue, "not done, or not well; standard error says why"),
        (cancelled.rawValue, "cancelled, or out of time"),
        (usage.rawValue, "the command makes no sense"),
        (unusableInput.rawValue, "a file that was named is missing, or is not what it should be"),
        (unreachable.rawValue, "the gateway cannot be reached"),
        (cannotCreate.rawValue, "a file is there already, or cannot be made"),
        (unwritable.rawValue, "the result cannot be written"),
        (busy.rawValue, "something else has what is needed: a running process, the write lock"),
        (notAuthorized.rawValue, "there is no token, or it is not accepted"),
        (configuration.rawValue, "the configuration cannot be used"),
        (130, "Ctrl-C"),
    ]

    /// The table for the help, numbers one below the other.
    static var lines: [String] {
        table.map { status, meaning in
            let blanks = String(repeating: " ", count: 5 - "\(status)".count)
            return "\(blanks)\(status)  \(meaning)"
        }
    }

    /// The status for an error that ended a command.
    static func status(for error: any Error) -> ExitCode {
        switch error {
        case let error as ExitCode: error
        case let error as GatewayError: status(for: error)
        case let error as StorageError: status(for: error)
        case let error as BackupError: status(for: error)
        case let error as KeyFileError: status(for: error)
        case let error as VaultKeyFileError: status(for: error)
        case let error as VaultPublicKeyFileError: status(for: error)
        case is UnwritableOutput: unwritable
        default: failure
        }
    }

    private static func status(for error: GatewayError) -> ExitCode {
        switch error {
        case .unreachable: unreachable
        case .plainHTTP: usage
        case .unauthorized, .forbidden: notAuthorized
        // What the gateway does not understand was asked wrongly: 21 artists, an empty list.
        case .refused(status: 400, _), .refused(status: 422, _): usage
        case .refused, .unreadable: failure
        }
    }

    private static func status(for error: StorageError) -> ExitCode {
        switch error {
        case .busy: busy
        default: failure
        }
    }

    private static func status(for error: BackupError) -> ExitCode {
        switch error {
        case .exists, .isTheDatabase, .cannotWrite: cannotCreate
        case .missing, .notADatabase, .notBackline, .schemaTooNew, .damaged: unusableInput
        case .inUse: busy
        }
    }

    private static func status(for error: VaultKeyFileError) -> ExitCode {
        switch error {
        case .missing, .unreadable, .notPrivate, .malformed: unusableInput
        case .unwritable, .exists: cannotCreate
        }
    }

    private static func status(for error: VaultPublicKeyFileError) -> ExitCode {
        switch error {
        case .missing, .unreadable, .malformed: unusableInput
        case .unwritable: cannotCreate
        }
    }

    private static func status(for error: KeyFileError) -> ExitCode {
        switch error {
        case .missing, .unreadable, .notPrivate, .malformed: unusableInput
        case .unwritable, .exists: cannotCreate
        case .unknownName: failure
        case .invalidName: usage
        }
    }
}
