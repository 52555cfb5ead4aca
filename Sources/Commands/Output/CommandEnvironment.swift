import Foundation

/// What the shell told the command.
enum CommandEnvironment {
    static var variables: [String: String] { ProcessInfo.processInfo.environment }
}
