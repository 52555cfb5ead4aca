import Bootstrap
import Foundation
import Model

/// The source of the user's token. The token is never an argument, since every account on the machine can read those.
package enum TokenSource: Equatable {
    case file(String)
    case variable(Secret)
    case nowhere

    /// - Parameter file: the path of `--token-file`, which takes precedence over the environment.
    package init(file: String?, environment: [String: String]) {
        func value(of variable: CommandLineVariable) -> String? {
            environment[variable.rawValue].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let path = file ?? value(of: .tokenFile) {
            self = .file(path)
        } else if let text = value(of: .token) {
            self = .variable(Secret(text))
        } else {
            self = .nowhere
        }
    }

    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Far longer than any token.
    private static let maximumBytes = 4_096

    package func token() throws(Problem) -> Secret {
        switch self {
        case .nowhere:
            throw Problem(
                description: """
                    There is no token for the gateway. Create one with 'backline user add NAME', store it in a file, \
                    and name that file with --token-file or BACKLINE_TOKEN_FILE, or put the token into BACKLINE_TOKEN.
                    """)
        case .variable(let secret):
            return try Self.checked(secret.reveal(), origin: CommandLineVariable.token.rawValue)
        case .file(let path):
            // Any readable file, so that a shell's <(…) works as well.
            guard let file = FileHandle(forReadingAtPath: path) else {
                let reason = String(cString: strerror(errno))
                throw Problem(description: "The token file '\(path)' cannot be opened: \(reason).")
            }
            defer { try? file.close() }
            guard let data = try? file.read(upToCount: Self.maximumBytes) ?? Data() else {
                throw Problem(description: "The token file '\(path)' cannot be read.")
            }
            return try Self.checked(String(decoding: data, as: UTF8.self), origin: "The token file '\(path)'")
        }
    }

    /// Checks that a token fits into a header: visible ASCII, and no longer than the gateway accepts.
    private static func checked(_ text: String, origin: String) throws(Problem) -> Secret {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...200).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem(
                description: "\(origin) does not contain a token, which is one word of visible ASCII characters. "
                    + "'backline user add NAME' prints a new one.")
        }
        return Secret(token)
    }
}
