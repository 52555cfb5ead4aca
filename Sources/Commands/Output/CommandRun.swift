import ArgumentParser

/// Runs a command's body and prints its errors, the same way for all commands.
enum CommandRun {
    /// - Throws: only errors with which ArgumentParser ends the process.
    static func run(_ body: () async throws -> Void) async throws {
        CommandOutput.surviveClosedPipes()
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

/// A failure of a command, in words for a person.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
}
