import ArgumentParser
import Messaging
import Storage
import Vault

/// The exit statuses that all commands share, taken from BSD's sysexits.h where it has one.
package enum CommandExit {
    /// The command failed, or it found a problem.
    package static let failure = ExitCode(1)
    /// Cancelled, or timed out.
    package static let cancelled = ExitCode(2)
    static let usage = ExitCode(64)
    /// A given file is missing or cannot be used.
    package static let unusableInput = ExitCode(66)
    package static let unreachable = ExitCode(69)
    /// A file already exists, or cannot be created.
    static let cannotCreate = ExitCode(73)
    static let unwritable = ExitCode(74)
    /// Another process holds what the command needs; a retry may succeed.
    package static let busy = ExitCode(75)
    static let notAuthorized = ExitCode(77)
    package static let configuration = ExitCode(78)

    /// The table in `backline --help` and in the documents.
    static let table: [(status: Int32, meaning: String)] = [
        (0, "success"),
        (failure.rawValue, "failure; standard error has the reason"),
        (cancelled.rawValue, "cancelled, or timed out"),
        (usage.rawValue, "invalid command line"),
        (unusableInput.rawValue, "an input file is missing or invalid"),
        (unreachable.rawValue, "the gateway cannot be reached"),
        (cannotCreate.rawValue, "a file already exists, or cannot be created"),
        (unwritable.rawValue, "the result cannot be written"),
        (busy.rawValue, "something needed is in use: by a running process, or the write lock"),
        (notAuthorized.rawValue, "no token, or an invalid one"),
        (configuration.rawValue, "invalid configuration"),
        (130, "Ctrl-C"),
    ]

    /// The table as lines for the help, with aligned numbers.
    package static var lines: [String] {
        table.map { status, meaning in
            let blanks = String(repeating: " ", count: 5 - "\(status)".count)
            return "\(blanks)\(status)  \(meaning)"
        }
    }

    /// The status for an error that ended a command.
    static func status(for error: any Error) -> ExitCode {
        switch error {
        case let error as ExitCode: error
        case let error as any FailureWithStatus: error.status
        case let error as GatewayError: status(for: error)
        case let error as StorageError: status(for: error)
        case let error as BackupError: status(for: error)
        case let error as KeyFileError: status(for: error)
        case let error as VaultKeyFileError: status(for: error)
        case let error as VaultPublicKeyFileError: status(for: error)
        case let error as TextKeyError: status(for: error)
        case is GatewayRunning: busy
        case is UnwritableOutput: unwritable
        default: failure
        }
    }

    private static func status(for error: GatewayError) -> ExitCode {
        switch error {
        case .unreachable: unreachable
        case .plainHTTP: usage
        case .unauthorized, .forbidden: notAuthorized
        // Invalid requests follow from wrong arguments, such as 21 artists.
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
        case .exists, .isTheDatabase, .cannotWrite, .noRoom: cannotCreate
        case .missing, .notADatabase, .notBackline, .schemaTooNew, .schemaUnreleased, .damaged: unusableInput
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

    private static func status(for error: TextKeyError) -> ExitCode {
        switch error {
        case .missing, .unreadable, .notPrivate, .malformed, .unknownKey, .doesNotOpen: unusableInput
        case .unwritable, .exists: cannotCreate
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
