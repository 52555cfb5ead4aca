import Foundation

/// Who gets an account at the first sign-in with Google. It does not affect people with an account.
package enum SignUpPolicy: Sendable, Equatable {
    case everyone
    case nobody
    /// People with one of these verified addresses, or with an account of one of these Google Workspace domains. All in
    /// lower case.
    case only(addresses: Set<String>, domains: Set<String>)

    /// - Parameter text: `everyone`, `nobody`, or addresses and domains (`@example.org`) separated by commas.
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

    /// The text that ``init(_:)`` reads.
    package var text: String {
        switch self {
        case .everyone: "everyone"
        case .nobody: "nobody"
        case .only(let addresses, let domains):
            (addresses.sorted() + domains.sorted().map { "@\($0)" })
                .joined(separator: ", ")
        }
    }

    /// - Parameters:
    ///   - email: an address that Google has verified; `nil` for none.
    ///   - hostedDomain: the Workspace domain of the account. An address of the domain does not prove it: the address
    ///     may have belonged to somebody else before.
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
