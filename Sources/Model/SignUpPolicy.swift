import Foundation

/// Who gets an account by signing in with Google for the first time. Those who have one come in whatever it says.
package enum SignUpPolicy: Sendable, Equatable {
    case everyone
    case nobody
    /// People with one of these verified addresses, or whose account belongs to one of these Google Workspace domains.
    /// All in lower case.
    case only(addresses: Set<String>, domains: Set<String>)

    /// - Parameter text: `everyone`, `nobody`, or addresses and domains (`@example.org`) with commas between.
    /// - Returns: `nil` for anything else.
    package init?(_ text: String) {
        switch text {
        case "everyone": self = .everyone
        case "nobody": self = .nobody
        default:
            var (addresses, domains): (Set<String>, Set<String>) = ([], [])
            for entry in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
                let word = entry.trimmingCharacters(in: .whitespaces)
                let parts = word.split(separator: "@", omittingEmptySubsequences: false)
                guard parts.count == 2, parts[1].contains("."), !word.contains(" ") else { return nil }
                if parts[0].isEmpty {
                    domains.insert(String(parts[1]))
                } else {
                    addresses.insert(word)
                }
            }
            self = .only(addresses: addresses, domains: domains)
        }
    }

    /// As ``init(_:)`` reads it.
    package var text: String {
        switch self {
        case .everyone: "everyone"
        case .nobody: "nobody"
        case .only(let addresses, let domains): (addresses.sorted() + domains.sorted().map { "@\($0)" })
            .joined(separator: ", ")
        }
    }

    /// - Parameters:
    ///   - email: verified by Google; `nil` when there is none.
    ///   - hostedDomain: of the Workspace that the account belongs to. An address alone does not prove that: anybody
    ///     may have had it once.
    package func admits(email: String?, hostedDomain: String?) -> Bool {
        switch self {
        case .everyone: true
        case .nobody: false
        case .only(let addresses, let domains):
            email.map { addresses.contains($0.lowercased()) } ?? false
                || hostedDomain.map { domains.contains($0.lowercased()) } ?? false
        }
    }
}
