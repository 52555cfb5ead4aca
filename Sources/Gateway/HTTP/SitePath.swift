/// Pages that people are sent back to: of this site, so that nobody is sent elsewhere.
enum SitePath {
    /// Whether a browser takes a text for a path of this site, with or without a query.
    static func isPath(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }
        return text.hasPrefix("/") && !text.hasPrefix("//") && isPlain && !text.contains("#")
    }
}
