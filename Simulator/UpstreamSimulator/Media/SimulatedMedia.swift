/// The addresses of pictures and previews in the answers of upstreams.
enum SimulatedMedia {
    /// The address at which the current call reached the simulator; `nil` outside of a call.
    @TaskLocal static var origin: String?

    /// - Parameters:
    ///   - real: the address that the service would give.
    ///   - path: the path of the simulator's own file.
    static func address(real: String, path: String) -> String {
        origin.map { $0 + path } ?? real
    }

    /// A square picture of a subject.
    ///
    /// - Parameter size: in pixels, or a placeholder such as `{w}x{h}`.
    static func picturePath(_ subject: String, _ size: String) -> String {
        "\(MediaFiles.pictureFolder)/i/\(subject)/\(size).jpg"
    }

    static func previewPath(_ song: String) -> String { "\(MediaFiles.previewFolder)/\(song).wav" }
}
