/// A call that the Web API refuses.
struct SpotifyRefusal: Error {
    let answer: Answer

    static func badRequest(_ message: String) -> SpotifyRefusal {
        SpotifyRefusal(answer: SpotifySimulator.error(400, message))
    }

    /// The error for a URI of something that the catalog does not have.
    static let unknownID = badRequest("Payload contains a non-existing ID")
    static let notFound = SpotifyRefusal(answer: SpotifySimulator.error(404, "Resource not found"))
    /// The error for an endpoint that was removed, or for somebody else's playlist.
    static let forbidden = SpotifyRefusal(answer: SpotifySimulator.error(403, "Forbidden"))
    /// The error for a path that the API does not have.
    static let service = SpotifyRefusal(answer: SpotifySimulator.error(404, "Service not found"))
    /// The error for a player command of somebody who has no active device.
    static let noActiveDevice = SpotifyRefusal(
        answer: SpotifySimulator.error(
            404, "Player command failed: No active device found", reason: "NO_ACTIVE_DEVICE"))
    static let deviceNotFound = SpotifyRefusal(answer: SpotifySimulator.error(404, "Device not found"))
    static let scope = SpotifyRefusal(answer: SpotifySimulator.error(403, "Insufficient client scope"))
}
