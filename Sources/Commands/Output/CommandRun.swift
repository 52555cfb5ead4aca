import ArgumentParser

/// Runs what a command does, and tells of its errors the way all commands do.
enum CommandRun {
    /// - Throws: nothing but what ArgumentParser ends the process with.
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

/// What a command was asked for cannot be done, in words for a person.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
}
