import Foundation

/// The paths of links that work without an account, whose secret is in the path. Logs have the path without it.
package struct SecretPaths: Sendable {
    /// Such as `p` for `/p/…`.
    private let prefixes: [[String]]

    /// - Parameter prefixes: each begins and ends with a slash, such as `/p/`.
    package init(_ prefixes: [String]) {
        self.prefixes = prefixes.map { Self.words(of: $0) }
    }

    /// A path without what follows one of the prefixes. It errs on the safe side: paths that only resemble a link, by
    /// another case, an encoded letter or a further slash, do not lead to it, but may be a link that somebody mistyped.
    package func masked(_ path: String) -> String {
        let words = Self.words(of: path)
        guard
            let prefix = prefixes.first(where: { prefix in
                words.count > prefix.count && words.starts(with: prefix)
            })
        else { return path }
        return "/" + prefix.joined(separator: "/") + "/…"
    }

    private static func words(of path: String) -> [String] {
        (path.removingPercentEncoding ?? path).split { $0 == "/" || $0 == "\\" }
            .map { $0.lowercased() }
    }
}
