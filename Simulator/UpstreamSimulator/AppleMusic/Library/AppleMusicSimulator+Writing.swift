import Foundation

extension AppleMusicSimulator {
    /// A song or video as callers name it.
    private struct Reference: Decodable {
        var id: String
        var type: String
    }

    private struct References: Decodable {
        var data: [Reference]
    }

    private struct NewPlaylist: Decodable {
        struct Attributes: Decodable {
            var name: String
            var description: String?
        }

        struct Relationships: Decodable {
            var tracks: References?
        }

        var attributes: Attributes
        var relationships: Relationships?
    }

    /// The three calls that change a library: they save songs, make a playlist, and append tracks to a playlist. No
    /// call removes or moves anything.
    func write(_ visit: AppleMusicVisit) throws(AppleMusicRefusal) -> Answer {
        guard visit.call.method == .post else { throw .notFound }
        let library = libraries.library(of: visit.account)
        let delay = visit.callsUntilWritesShow
        if visit.parts == ["library"] {
            let ids = visit.call.target.list("ids[songs]")
            guard !ids.isEmpty else { throw .parameter("ids", "Value is required") }
            let contents = try self.contents(ids.map { Reference(id: $0, type: "songs") }, library, visit)
            let entries = contents.compactMap { content in
                if case .catalogSong(let entry) = content { entry } else { nil }
            }
            libraries.edit(visit.account) { $0.save(entries, after: delay) }
            return Answer(status: 202, contentType: "", body: "")
        }
        guard visit.parts.starts(with: ["library", "playlists"]) else { throw .notFound }
        if visit.parts.count == 2 {
            let asked = try document(NewPlaylist.self, of: visit, naming: "attributes.name")
            let contents = try self.contents(asked.relationships?.tracks?.data ?? [], library, visit)
            let made = libraries.edit(visit.account) { library in
                library.addPlaylist(
                    named: asked.attributes.name, description: asked.attributes.description, contents, after: delay)
            }
            let documents = AppleMusicLibraryDocuments(
                library: library, storefront: visit.storefront, includesCatalog: false)
            return Self.list(status: 201, [documents.playlist(made)])
        }
        guard visit.parts.count == 4, visit.parts[3] == "tracks" else { throw .notFound }
        guard library.hasPlaylist(visit.parts[2]) else { throw .notFound }
        let asked = try document(References.self, of: visit, naming: "data")
        let contents = try self.contents(asked.data, library, visit)
        guard !contents.isEmpty else { throw .parameter("data", "Value must not be empty") }
        libraries.edit(visit.account) { library in
            library.addItems(
                contents, toPlaylist: visit.parts[2], after: delay, showsDateAtOnce: visit.showsDatesAtOnce)
        }
        return Answer(status: 204, contentType: "", body: "")
    }

    private func document<Document: Decodable>(
        _ type: Document.Type, of visit: AppleMusicVisit, naming parameter: String
    ) throws(AppleMusicRefusal) -> Document {
        guard let document = try? JSONDecoder().decode(type, from: Data(visit.call.body.utf8)) else {
            throw .parameter(parameter, "Value is required")
        }
        return document
    }

    /// The items that the references name; songs of the catalog come from the person's storefront.
    private func contents(
        _ references: [Reference], _ library: PersonalLibrary, _ visit: AppleMusicVisit
    ) throws(AppleMusicRefusal) -> [SavedPlaylist.Content] {
        let catalog = AppleMusicDocuments(catalog: library.catalog, storefront: visit.storefront)
        var contents: [SavedPlaylist.Content] = []
        for reference in references {
            switch reference.type {
            case "songs":
                guard let entry = catalog.entry(ofID: reference.id) else { throw .notFound }
                contents.append(.catalogSong(entry))
            case "library-songs":
                guard let track = library.song(ofID: reference.id) else { throw .notFound }
                contents.append(track.kind == .upload ? .upload(track.entry) : .track(track.entry))
            case "library-music-videos":
                guard let number = library.video(ofID: reference.id) else { throw .notFound }
                contents.append(.video(number))
            default: throw .parameter("type", "\(reference.type) cannot be in a playlist")
            }
        }
        return contents
    }
}
