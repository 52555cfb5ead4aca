/// A picture that the documents name: its owner and its size.
///
/// Ticketmaster serves pictures separately from its API, on a host that requires no key. Here they are files of the
/// simulator's own server, below ``folder``; ``TicketmasterSimulator`` draws each one on request.
struct PictureFile: Equatable {
    /// The path below which all pictures are.
    static let folder = "/images"

    /// The attraction or event whose picture it is; `nil` for the stock picture, used by everybody who has none.
    var id: String?
    var size: PictureSize

    /// - Parameter path: returns `nil` unless this is exactly the ``path`` of some picture.
    init?(path: String) {
        guard let name = path.split(separator: "/").last,
            let separator = name.firstIndex(of: "_"),
            let size = PictureSize.all.first(where: { name[separator...].dropFirst() == $0.fileName })
        else { return nil }
        let id = String(name[..<separator])
        self.init(id: id == Self.stockName ? nil : id, size: size)
        guard self.path == path else { return nil }
    }

    init(id: String?, size: PictureSize) {
        self.id = id
        self.size = size
    }

    var path: String {
        guard let id else { return "\(Self.folder)/dam/c/\(Self.stockName)_\(size.fileName)" }
        return "\(Self.folder)/dam/a/\(id.prefix(3).lowercased())/\(id)_\(size.fileName)"
    }

    private static let stockName = "MUSIC"
}

/// One of the forms in which recordings show every picture.
struct PictureSize: Equatable {
    /// The name of the size, as in the file's name.
    var name: String
    /// `nil` for the picture as it was uploaded.
    var ratio: String?
    /// The width in pixels.
    var width: Int
    var height: Int

    /// The file's name; the upload has no extension.
    var fileName: String { ratio == nil ? name : name + ".jpg" }

    static let scaled = [
        PictureSize(name: "RECOMENDATION_16_9", ratio: "16_9", width: 100, height: 56),
        PictureSize(name: "CUSTOM", ratio: "4_3", width: 305, height: 225),
        PictureSize(name: "ARTIST_PAGE_3_2", ratio: "3_2", width: 305, height: 203),
        PictureSize(name: "RETINA_PORTRAIT_16_9", ratio: "16_9", width: 640, height: 360),
        PictureSize(name: "RETINA_PORTRAIT_3_2", ratio: "3_2", width: 640, height: 427),
        PictureSize(name: "TABLET_LANDSCAPE_3_2", ratio: "3_2", width: 1024, height: 683),
        PictureSize(name: "TABLET_LANDSCAPE_16_9", ratio: "16_9", width: 1024, height: 576),
        PictureSize(name: "RETINA_LANDSCAPE_16_9", ratio: "16_9", width: 1136, height: 639),
        PictureSize(name: "EVENT_DETAIL_PAGE_16_9", ratio: "16_9", width: 205, height: 115),
        PictureSize(name: "TABLET_LANDSCAPE_LARGE_16_9", ratio: "16_9", width: 2048, height: 1152),
    ]
    static let source = PictureSize(name: "SOURCE", width: 2426, height: 1365)
    static let all = scaled + [source]
}
