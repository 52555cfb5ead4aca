import Foundation

/// What a command prints: results on standard output, everything else on standard error.
enum CommandOutput {
    static func print(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data(("backline: " + text + "\n").utf8))
    }
}

enum CommandEnvironment {
    static var variables: [String: String] { ProcessInfo.processInfo.environment }
}
