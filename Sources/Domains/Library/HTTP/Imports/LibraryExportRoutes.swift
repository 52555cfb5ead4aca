import Gateway
import HTTPTypes
import Hummingbird
import Library
import LibraryFiles
import Model
import Platform
import Storage

/// `/v1/library/export`, and exports of single playlists: files that an import reads without loss.
struct LibraryExportRoutes {
    /// The number of songs in a page. Each page is read once the connection has accepted the one before.
    private static let pageSize = 200

    private enum Format: String, CaseIterable {
        case csv, json, jspf

        var contentType: String {
            switch self {
            case .csv: "text/csv; charset=utf-8"
            case .json, .jspf: "application/json"
            }
        }
    }

    let database: Database

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("library/export", use: library)
        group.get("library/playlists/:id/export", use: playlist)
    }

    @Sendable private func library(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let format = try Self.format(of: request, among: [.csv, .json])
        return Self.download("backline-library.\(format.rawValue)", format) { writer in
            if format == .csv {
                try await writer.write(LibraryFileWriter.csvHead)
                try await writeTracks(of: userID, savedOnly: true, to: &writer, separator: "") { track in
                    LibraryFileWriter.csv(track.track)
                }
                return
            }
            try await writer.write(LibraryFileWriter.jsonParts.beginning)
            try await writeTracks(of: userID, savedOnly: false, to: &writer, separator: ",\n") { track in
                LibraryFileWriter.json(track.track, isSaved: track.isSaved)
            }
            try await writer.write(LibraryFileWriter.jsonParts.middle)
            try await writePlaylists(of: userID, to: &writer)
            try await writer.write(LibraryFileWriter.jsonParts.end)
        }
    }

    @Sendable private func playlist(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "playlist")
        let format = try Self.format(of: request, among: [.jspf, .csv])
        guard let playlist = try await database.read({ try $0.playlists.playlist(id, userID: userID) }) else {
            throw Problem.notFound("playlist")
        }
        return Self.download("\(playlist.name).\(format.rawValue)", format) { writer in
            let isCSV = format == .csv
            try await writer.write(
                isCSV ? LibraryFileWriter.playlistCSVHead : LibraryFileWriter.jspfBeginning(playlist.file))
            try await writeEntries(of: playlist, userID: userID, to: &writer, separator: isCSV ? "" : ",\n") { entry in
                guard let track = entry.track else {
                    return isCSV
                        ? LibraryFileWriter.csv(entry.file, of: playlist.file) : LibraryFileWriter.jspf(entry.file)
                }
                return isCSV
                    ? LibraryFileWriter.csv(track, of: playlist.file, addedAt: entry.addedAt)
                    : LibraryFileWriter.jspf(track, addedAt: entry.addedAt)
            }
            if !isCSV { try await writer.write(LibraryFileWriter.jspfEnd) }
        }
    }

    private static func format(of request: Request, among formats: [Format]) throws -> Format {
        guard let text = request.parameter("format") else { return formats[0] }
        guard let format = Format(rawValue: text), formats.contains(format) else {
            throw Problem.invalidRequest(
                code: .invalidParameter,
                "format: expected one of \(formats.map(\.rawValue).joined(separator: ", ")), found "
                    + "'\(text.prefix(40))'.", field: "format")
        }
        return format
    }

    private static func download(
        _ filename: String, _ format: Format,
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: format.contentType, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename*=UTF-8''\(filename.percentEncoded)",
            ],
            body: ResponseBody { body in
                var writer: any ResponseBodyWriter = body
                try await write(&writer)
                try await body.finish(nil)
            })
    }

    // MARK: Pages

    private func writeTracks(
        of userID: String, savedOnly: Bool, to writer: inout any ResponseBodyWriter, separator: String,
        _ text: (ExportTrack) -> String
    ) async throws {
        var last: Int64 = 0
        while true {
            let page = try await database.read { [last] reader in
                try reader.tracks.exportedTracks(
                    userID: userID, after: last, savedOnly: savedOnly, limit: Self.pageSize)
            }
            guard let end = page.last else { return }
            let part = page.map(text).joined(separator: separator)
            try await writer.write(last == 0 ? part : separator + part)
            last = end.id
        }
    }

    private func writePlaylists(of userID: String, to writer: inout any ResponseBodyWriter) async throws {
        var last: Int64 = 0
        while true {
            let page = try await database.read { [last] reader in
                try reader.playlists.exportedPlaylists(userID: userID, after: last, limit: Self.pageSize)
            }
            guard let end = page.last else { return }
            for playlist in page {
                try await writer.write((last == 0 ? "" : ",\n") + LibraryFileWriter.jsonBeginning(playlist.file))
                try await writeEntries(of: playlist, userID: userID, to: &writer, separator: ",") { entry in
                    LibraryFileWriter.json(entry.file)
                }
                try await writer.write(LibraryFileWriter.jsonPlaylistEnd)
                last = playlist.id.key
            }
            last = end.id.key
        }
    }

    private func writeEntries(
        of playlist: LibraryPlaylist, userID: String, to writer: inout any ResponseBodyWriter, separator: String,
        _ text: (ExportEntry) -> String
    ) async throws {
        var (last, isFirst) = (-1, true)
        while true {
            let page = try await database.read { [last] reader in
                try reader.playlists.exportedEntries(of: playlist, userID: userID, after: last, limit: Self.pageSize)
            }
            guard let end = page.last else { return }
            last = end.position
            let part = page.map(text).joined(separator: separator)
            try await writer.write(isFirst ? part : separator + part)
            isFirst = false
        }
    }
}

extension ResponseBodyWriter {
    fileprivate mutating func write(_ text: String) async throws {
        try await write(ByteBuffer(string: text))
    }
}
