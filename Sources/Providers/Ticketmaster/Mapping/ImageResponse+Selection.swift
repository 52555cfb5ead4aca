extension ImageResponse {
    /// Pixels; sharp in a list row on a dense screen without loading a poster.
    private static let wantedWidth = 640

    /// The image to show: a real one before Ticketmaster's stock pictures, 16:9 before other
    /// shapes, then the width closest to 640 pixels. `nil` when none has a usable URL.
    static func best(of images: [ImageResponse]) -> String? {
        images
            .sorted { ($0.penalty, $0.url) < ($1.penalty, $1.url) }
            .lazy
            .compactMap { secureURL($0.url) }
            .first
    }

    private var penalty: Int {
        // Beyond any distance between widths, so that the first two wishes always win.
        (isFallback ? 4_000_000 : 0) + (ratio == "16_9" ? 0 : 2_000_000)
            + (width.map { min(abs($0 - Self.wantedWidth), 900_000) } ?? 1_000_000)
    }
}
