import Foundation
import Model
import Platform

/// The rule of a key's values: parses and writes them, and describes in words what is allowed.
package struct ConfigurationRule<Value: Sendable>: Sendable {
    /// Completes the sentence "allowed: …".
    package let allowed: String
    /// `nil` when the text is not allowed.
    package let parse: @Sendable (String) -> Value?
    /// The value as it is written in the file; `nil` for a value that means "unset".
    package let text: @Sendable (Value) -> String?
    /// Removes secrets from a refused text.
    package let redact: @Sendable (String) -> String

    package init(
        allowed: String, parse: @escaping @Sendable (String) -> Value?, text: @escaping @Sendable (Value) -> String?,
        redact: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.allowed = allowed
        self.parse = parse
        self.text = text
        self.redact = redact
    }

    /// The same rule for an optional key.
    package var optional: ConfigurationRule<Value?> {
        ConfigurationRule<Value?>(
            allowed: allowed, parse: { self.parse($0).map(Optional.some) }, text: { $0.flatMap(self.text) },
            redact: redact)
    }

    /// The same rule for values that are represented as another type, such as a number of seconds as a `Duration`.
    fileprivate func converted<Other: Sendable>(
        to make: @escaping @Sendable (Value) -> Other, from take: @escaping @Sendable (Other) -> Value
    ) -> ConfigurationRule<Other> {
        ConfigurationRule<Other>(
            allowed: allowed, parse: { self.parse($0).map(make) }, text: { self.text(take($0)) }, redact: redact)
    }
}

extension ConfigurationRule where Value == Int {
    package static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            parse: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, text: { String($0) })
    }
}

extension ConfigurationRule where Value == Duration {
    package static func milliseconds(_ range: ClosedRange<Int>) -> Self {
        ConfigurationRule<Int>.integer(range)
            .converted(to: { .milliseconds($0) }, from: { Int($0.microseconds / 1_000) })
    }

    package static func seconds(_ range: ClosedRange<Int>) -> Self {
        ConfigurationRule<Int>.integer(range)
            .converted(to: { .seconds($0) }, from: { Int($0.components.seconds) })
    }

    package static func hours(_ range: ClosedRange<Int>) -> Self {
        ConfigurationRule<Int>.integer(range)
            .converted(to: { .seconds($0 * 3_600) }, from: { Int($0.components.seconds) / 3_600 })
    }

    package static func days(_ range: ClosedRange<Int>) -> Self {
        ConfigurationRule<Int>.integer(range)
            .converted(to: { .seconds($0 * 86_400) }, from: { Int($0.components.seconds) / 86_400 })
    }
}

extension ConfigurationRule where Value: RawRepresentable<String> & CaseIterable {
    /// One of the enum's raw values.
    package static var choice: Self {
        Self(
            allowed: Value.allCases.map(\.rawValue).joined(separator: ", "), parse: { Value(rawValue: $0) },
            text: { $0.rawValue })
    }
}

extension ConfigurationRule where Value == String {
    /// Texts that are stored as they are written.
    package static func text(_ allowed: String, where isAllowed: @escaping @Sendable (String) -> Bool) -> Self {
        Self(allowed: allowed, parse: { isAllowed($0) ? $0 : nil }, text: { $0 })
    }

    /// The path of a file. A relative path is relative to the working folder.
    package static var filePath: Self {
        text("the path of a file") { isPlainPath($0) }
    }

    /// The path of a folder. A relative path is relative to the working folder.
    package static var folderPath: Self {
        text("the path of a folder") { isPrintable($0) && $0.contains { $0 != " " } }
    }

    /// The path of a database file. Several processes open it, so it cannot be in memory.
    package static var databasePath: Self {
        text("the path of a file (the database is shared by processes, so it cannot live in memory)") { path in
            isPlainPath(path) && !path.hasPrefix(":") && !path.hasPrefix("file:")
        }
    }

    /// Whether `text` has no control characters, NUL and line breaks included.
    package static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func isPlainPath(_ path: String) -> Bool {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return !["", ".", ".."].contains(name) && isPrintable(path) && path.contains { $0 != " " }
    }

    /// An address that a server can listen on.
    package static var host: Self {
        text("an IP address or a host name, without scheme, port or brackets") { NetworkHost.isHost($0) }
    }

    /// A short name that people and logs show.
    package static var name: Self {
        text("1 to 64 letters, digits, dots, hyphens and underscores") { name in
            (1...64).contains(name.utf8.count)
                && name.utf8.allSatisfy { byte in
                    (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
                        || byte == 0x2e || byte == 0x2d || byte == 0x5f
                }
        }
    }

    /// The base of an upstream's URLs, stored without a trailing slash so that paths can be appended.
    package static var baseURL: Self {
        Self(
            allowed: "an https:// URL (http:// for loopback addresses only)"
                + " without user, query or fragment",
            parse: { ConfiguredURL.normalized($0) }, text: { $0 }, redact: { ConfiguredURL.redacted($0) })
    }

    /// Scheme, host and port of a site (RFC 6454), as browsers write them in `Origin`.
    package static var origin: Self {
        Self(
            allowed: "an https:// or http:// URL with a host, perhaps a port, and nothing after them",
            parse: { ConfiguredURL.origin($0) }, text: { $0 }, redact: { ConfiguredURL.redacted($0) })
    }

    package static var jsonObject: Self {
        text(#"a JSON object in single quotes, such as '{"message": "hello"}'"#) { text in
            (try? JSONSerialization.jsonObject(with: Data(text.utf8))) is [String: Any]
        }
    }
}

extension ConfigurationRule where Value == String {
    /// An OAuth client id.
    package static var clientID: Self {
        text("1 to 200 letters, digits, dots, hyphens and underscores") { isClientID($0) }
    }

    fileprivate static func isClientID(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
                    || [0x2e, 0x2d, 0x5f].contains(byte)
            }
    }
}

extension ConfigurationRule where Value == [String] {
    package static var clientIDs: Self {
        list("client ids of letters, digits, dots, hyphens and underscores") { id in
            ConfigurationRule<String>.isClientID(id) ? id : nil
        }
    }

    /// Scheme, host and port of sites that a page may call.
    package static var origins: Self {
        list("https:// (http:// for loopback addresses only) with a host and perhaps a port") { text in
            ConfiguredURL.normalized(text).flatMap(ConfiguredURL.origin)
        }
    }

    /// Names of hosts, and a dot with a domain for all hosts below it.
    package static var hostNames: Self {
        list("names of hosts, or a dot and a domain for all hosts below it") { text in
            let name = text.lowercased()
            return MediaHosts.isName(name) ? name : nil
        }
    }

    /// Values that are separated by commas.
    ///
    /// - Parameter element: normalizes one value; returns `nil` if it is not allowed.
    package static func list(_ allowed: String, element: @escaping @Sendable (String) -> String?) -> Self {
        Self(
            allowed: "\(allowed), separated by commas",
            parse: { text in
                let values = text.split(separator: ",", omittingEmptySubsequences: false)
                    .map { element($0.trimmingCharacters(in: .whitespaces)) }
                return values.contains(nil) ? nil : values.compactMap(\.self)
            },
            text: { $0.isEmpty ? nil : $0.joined(separator: ", ") })
    }
}

extension ConfigurationRule where Value == [AddressRange] {
    package static var addressRanges: Self {
        Self(
            allowed: "IP addresses or networks such as 10.0.0.0/8, separated by commas",
            parse: { text in
                let ranges = text.split(separator: ",", omittingEmptySubsequences: false)
                    .map { AddressRange($0.trimmingCharacters(in: .whitespaces)) }
                return ranges.contains(nil) ? nil : ranges.compactMap(\.self)
            },
            text: { $0.isEmpty ? nil : $0.map(\.description).joined(separator: ", ") })
    }
}

extension ConfigurationRule where Value == Secret {
    package static var secret: Self {
        Self(
            allowed: "1 to 512 visible ASCII characters",
            parse: { text in
                let isVisible = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
                return isVisible && (1...512).contains(text.utf8.count) ? Secret(text) : nil
            },
            text: { _ in nil })
    }
}
