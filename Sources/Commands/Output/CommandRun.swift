import ArgumentParser

/// Runs a command's body and prints its errors, the same way for all commands.
enum CommandRun {
    /// - Throws: only errors with which ArgumentParser terminates the process.
    static func run(_ body: () async throws -> Void) async throws {
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

/// A failure of a command, as text for people.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    var status = CommandExit.failure
}
