import Model

// The values of requests that are about music in any domain.

extension GatewayContext {
    /// The row of the path's parameter `id`. Text that is not one of our ids is as unknown as an id that nobody has.
    package func libraryID(of what: String) throws -> LibraryID {
        guard let id = LibraryID(try parameters.require("id")) else { throw Problem.notFound(what) }
        return id
    }

    /// The source of a path's parameter `source`.
    package var musicSource: MusicSource {
        get throws {
            guard let source = MusicSource(service: try parameters.require("source")) else {
                throw Problem(
                    .notFound, code: .notFound, title: "Not found",
                    detail: "A library has no such source: its sources are "
                        + "\(MusicSource.services.map(\.rawValue).joined(separator: " and ")).")
            }
            return source
        }
    }
}

extension RequestField {
    /// A service by its name.
    package func musicSource() throws -> MusicSource {
        try value(MusicSource.expectation, MusicSource.init(service:))
    }

    /// The name of a playlist, on one line like the names of playlists in files.
    package func playlistName() throws -> String {
        let name = SongText.label(try string(limit: 100))
        guard !name.isEmpty else { throw refuse("a playlist needs a name.") }
        return name
    }
}

extension MusicSource {
    package static let expectation = "expected one of \(services.map(\.rawValue).joined(separator: ", "))"
}

extension TopRange {
    package static let expectation = "expected one of \(allCases.map(\.rawValue).joined(separator: ", "))"
}
