/// The pictures of an entry: one motif in the ten sizes that recordings show.
enum Pictures {
    private static let sizes: [(name: String, ratio: String, width: Int, height: Int)] = [
        ("RECOMENDATION_16_9", "16_9", 100, 56), ("CUSTOM", "4_3", 305, 225), ("ARTIST_PAGE_3_2", "3_2", 305, 203),
        ("RETINA_PORTRAIT_16_9", "16_9", 640, 360), ("RETINA_PORTRAIT_3_2", "3_2", 640, 427),
        ("TABLET_LANDSCAPE_3_2", "3_2", 1024, 683), ("TABLET_LANDSCAPE_16_9", "16_9", 1024, 576),
        ("RETINA_LANDSCAPE_16_9", "16_9", 1136, 639), ("EVENT_DETAIL_PAGE_16_9", "16_9", 205, 115),
        ("TABLET_LANDSCAPE_LARGE_16_9", "16_9", 2048, 1152),
    ]

    /// - Parameters:
    ///   - motif: what the files are named after; `nil` for the stand-in of a segment.
    ///   - oddity: adds a ratio that no document names.
    static func write(motif: String?, oddity: Bool = false, nulls: Bool = false, to json: inout JSONWriter) {
        json.array("images") { json in
            if nulls { json.null() }
            let folder = motif.map { "dam/a/\($0.prefix(3).lowercased())/\($0)" } ?? "dam/c/MUSIC"
            for size in sizes {
                json.object { json in
                    json.string("ratio", oddity && size.width == 305 ? "1_1" : size.ratio)
                    json.string("url", "https://images.ticketmaster.example/\(folder)_\(size.name).jpg")
                    json.number("width", size.width)
                    json.number("height", size.height)
                    json.bool("fallback", motif == nil)
                }
            }
            guard let motif else { return }
            // The file as it was uploaded has no ratio of its own.
            json.object { json in
                json.string("url", "https://images.ticketmaster.example/dam/a/src/\(motif)_SOURCE")
                json.number("width", 2426)
                json.number("height", 1365)
                json.bool("fallback", false)
            }
        }
    }
}
