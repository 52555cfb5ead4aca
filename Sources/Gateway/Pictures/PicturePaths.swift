import Crypto
import Model
import Platform

/// Makes the paths at which this site serves pictures, and reads them back. A path contains the picture's addresses and
/// a signature, so that nobody can make the installation fetch anything else.
///
/// A resource of the API writes `json.member("picture", pictures.path(of: …))`, and clients append `?size=`.
package struct PicturePaths: Sendable {
    package static let prefix = "/v1/pictures/"

    /// 128 bits.
    private static let signatureLength = 16
    /// The most bytes of a path, far fewer than a request's header may have.
    private static let mostBytes = 3_000

    package let hosts: MediaHosts
    private let key: SymmetricKey

    package init(hosts: MediaHosts, key: PicturePathKey) {
        self.hosts = hosts
        self.key = key.key
    }

    /// - Returns: `nil` where there is no picture, or none at a host from which pictures are fetched.
    package func path(of picture: Picture?) -> String? {
        guard let picture else { return nil }
        var bytes: [UInt8] = []
        for offer in picture.offers where hosts.provider(of: offer.address) != nil {
            let line = (offer.width.map { "\($0) " } ?? "") + offer.address
            guard bytes.count + line.utf8.count < Self.mostBytes else { continue }
            if !bytes.isEmpty { bytes.append(0x0A) }
            bytes.append(contentsOf: line.utf8)
        }
        guard !bytes.isEmpty else { return nil }
        return Self.prefix + Base64URL.text(of: bytes) + "." + Base64URL.text(of: signature(of: bytes))
    }

    /// The path of a picture with one known address.
    package func path(of address: String?) -> String? {
        path(of: Picture(address: address))
    }

    /// The picture of a path's last segment.
    ///
    /// - Returns: `nil` for a segment that this installation has not signed.
    package func picture(of segment: some StringProtocol) -> Picture? {
        let parts = segment.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Base64URL.bytes(of: parts[0]), let given = Base64URL.bytes(of: parts[1]),
            Self.areEqual(given, signature(of: bytes))
        else { return nil }
        return Picture(
            String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
                let words = line.split(separator: " ", maxSplits: 1)
                guard words.count == 2 else { return Picture.Offer(address: String(line)) }
                return Picture.Offer(address: String(words[1]), width: Int(words[0]))
            })
    }

    private func signature(of bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key).prefix(Self.signatureLength))
    }

    /// Compares two signatures in a time that does not depend on where they differ.
    private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
