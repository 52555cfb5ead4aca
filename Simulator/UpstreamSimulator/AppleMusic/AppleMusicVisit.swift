/// A call below `/v1/me` with both tokens.
struct AppleMusicVisit: Sendable {
    let call: Call
    /// The account whose user token the call carries.
    let account: String
    /// The person's country, such as `fr`.
    let storefront: String
    /// Whether lists of the library have `meta.total`.
    let hasTotals: Bool
    /// Whether `next` names another list than the requested one.
    let misnamesNext: Bool
    /// The number of calls to the library after a change that do not show it yet.
    let callsUntilWritesShow: Int
    /// Whether the date of a playlist changes before the songs are shown.
    let showsDatesAtOnce: Bool

    /// The path as Apple has it, such as `/v1/me/library/songs`.
    var path: String { String(call.target.path.dropFirst("/apple-music".count)) }

    /// The parts of the path below `/v1/me`.
    var parts: [String] { path.split(separator: "/").dropFirst(2).map(String.init) }

    /// Where `next` leads. Apple's own example for songs leads to albums.
    var nextPath: String {
        guard misnamesNext else { return path }
        return "/v1/me/library/" + (parts == ["library", "albums"] ? "songs" : "albums")
    }

    func includes(_ relation: String) -> Bool { call.target.list("include").contains(relation) }
}
