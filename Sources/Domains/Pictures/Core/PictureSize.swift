import Model

/// The widths in which pictures are served, in pixels.
package enum PictureSize: Int, Sendable, CaseIterable {
    case small = 64
    case medium = 300
    case large = 600

    /// Used when the request has no size.
    package static let standard = PictureSize.medium
}

extension Picture {
    /// The address of the smallest version that is at least as wide as requested; the widest one if there is none.
    package func address(for size: PictureSize) -> String? {
        let known = offers.flatMap(\.sizes)
        let sized = known.filter { $0.width != nil }
        func width(_ offer: Offer) -> Int { offer.width ?? 0 }
        let best =
            sized.filter { width($0) >= size.rawValue }.min { width($0) < width($1) }
            ?? sized.max { width($0) < width($1) } ?? known.first
        return best?.address
    }
}

extension Picture.Offer {
    /// The offer in all sizes that can be requested through its address.
    fileprivate var sizes: [Picture.Offer] {
        AddressForm.allCases.lazy.compactMap { $0.sizes(of: address) }.first ?? [self]
    }
}

/// The forms of addresses that contain a picture's size.
private enum AddressForm: CaseIterable {
    case template, spotify, google, iTunes

    /// - Returns: `nil` for an address of another form.
    func sizes(of address: String) -> [Picture.Offer]? {
        switch self {
        case .template: Self.template(address)
        case .spotify: Self.spotify(address)
        case .google: Self.google(address)
        case .iTunes: Self.iTunes(address)
        }
    }

    private static func atEachSize(_ address: (Int) -> String) -> [Picture.Offer] {
        PictureSize.allCases.map { Picture.Offer(address: address($0.rawValue), width: $0.rawValue) }
    }

    /// Apple Music's placeholders (developer.apple.com/documentation/applemusicapi/artwork).
    private static func template(_ address: String) -> [Picture.Offer]? {
        guard address.contains("{w}") else { return nil }
        return atEachSize { width in
            address.replacing("{w}", with: "\(width)").replacing("{h}", with: "\(width)").replacing("{c}", with: "bb")
                .replacing("{f}", with: "jpg")
        }
    }

    /// The first 16 digits of a file's name are its kind and size; the rest identifies the picture.
    private static let spotifyWidths: [String: [(code: String, width: Int)]] = [
        "ab67616d": [("0000b273", 640), ("00001e02", 300), ("00004851", 64)],
        "ab676161": [("0000e5eb", 640), ("00005174", 320), ("0000f178", 160)],
    ]

    private static func spotify(_ address: String) -> [Picture.Offer]? {
        let prefix = "https://i.scdn.co/image/"
        guard address.hasPrefix(prefix) else { return nil }
        let name = address.dropFirst(prefix.count)
        let (kind, code, rest) = (name.prefix(8), name.dropFirst(8).prefix(8), name.dropFirst(16))
        guard let widths = spotifyWidths[String(kind)], widths.contains(where: { $0.code == code }), !rest.isEmpty
        else { return nil }
        return widths.map { Picture.Offer(address: prefix + kind + $0.code + rest, width: $0.width) }
    }

    /// `=s96-c` at the end is the size of a profile picture.
    private static func google(_ address: String) -> [Picture.Offer]? {
        guard let match = address.firstMatch(of: /=s[0-9]+-c$/), address.contains(".googleusercontent.com/") else {
            return nil
        }
        return atEachSize { address[..<match.range.lowerBound] + "=s\($0)-c" }
    }

    /// `/100x100bb.jpg` at the end is the size of a cover.
    private static func iTunes(_ address: String) -> [Picture.Offer]? {
        guard let match = address.firstMatch(of: /\/[0-9]+x[0-9]+bb\.(jpg|png|webp)$/),
            address.contains(".mzstatic.com/")
        else { return nil }
        return atEachSize { "\(address[..<match.range.lowerBound])/\($0)x\($0)bb.\(match.output.1)" }
    }
}
