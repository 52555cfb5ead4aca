import ArgumentParser

/// Runs a command's body and prints its errors, the same way for all commands.
package enum CommandRun {
    /// - Throws: only errors with which ArgumentParser terminates the process.
    package static func run(_ body: () async throws -> Void) async throws {
        CommandOutput.ignoreBrokenPipes()
        do {
            try await body()
        } catch let error as ExitCode {
            throw error
        } catch let error as CleanExit {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch {
            CommandOutput.complain("\(error)")
            throw CommandExit.status(for: error)
        }
    }
}

/// An error that knows the status with which it ends a command.
package protocol FailureWithStatus: Error {
    var status: ExitCode { get }
}

/// A failure of a command, as text for people.
package struct CommandFailure: FailureWithStatus, CustomStringConvertible {
    package let description: String
    package let status: ExitCode

    package init(description: String, status: ExitCode = CommandExit.failure) {
        self.description = description
        self.status = status
    }
}
