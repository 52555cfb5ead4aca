extension ImageResponse {
    /// The width in pixels: sharp in a list row on a high-density screen, and smaller than a poster.
    private static let wantedWidth = 640

    /// The image to show: own images before Ticketmaster's stock pictures, then 16:9 before other ratios, then the
    /// width closest to 640 pixels. `nil` when none has a usable URL.
    static func best(of images: [ImageResponse]) -> String? {
        images
            .sorted { ($0.penalty, $0.url) < ($1.penalty, $1.url) }
            .lazy
            .compactMap { pictureURL($0.url) }
            .first
    }

    private var penalty: Int {
        // Larger than any difference in width, so that the first two criteria take precedence.
        (isFallback ? 4_000_000 : 0) + (ratio == "16_9" ? 0 : 2_000_000)
            + (width.map { min(Int(($0 - Self.wantedWidth).magnitude), 900_000) } ?? 1_000_000)
    }
}
