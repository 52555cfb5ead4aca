import Gateway
import HTTPTypes
import Hummingbird
import LibraryFiles
import Listening
import Model
import Storage

/// `/v1/listening/export`: all listens as a file, which an import reads without loss.
struct ListenExportRoutes {
    private enum Format: String, CaseIterable {
        case jsonl, csv

        var contentType: String {
            switch self {
            case .jsonl: "application/x-ndjson"
            case .csv: "text/csv; charset=utf-8"
            }
        }
    }

    /// The number of listens in a page. Each page is read once the connection has accepted the one before.
    private static let pageSize = 500

    let database: Database

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("listening/export", use: export)
    }

    @Sendable private func export(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let format = try Self.format(of: request)
        let body = ResponseBody { [database] writer in
            if format == .csv { try await writer.write(ByteBuffer(bytes: ListenCSV.head)) }
            var start = (startedAt: Timestamp(microseconds: .min), id: Int64.min)
            while true {
                let place = start
                let page = try await database.read {
                    try $0.listening.earliest(userID: userID, after: place, limit: Self.pageSize)
                }
                guard let last = page.last else { break }
                start = (last.startedAt, last.id.key)
                var bytes: [UInt8] = []
                for listen in page { bytes += format == .csv ? listen.csv : listen.line }
                try await writer.write(ByteBuffer(bytes: bytes))
            }
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [
            .contentType: format.contentType, .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"backline-listens.\(format.rawValue)\"",
        ]
        return Response(status: .ok, headers: headers, body: body)
    }

    private static func format(of request: Request) throws -> Format {
        guard let text = request.parameter("format") else { return .jsonl }
        guard let format = Format(rawValue: text) else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "format: expected jsonl or csv, found '\(text.prefix(40))'.", field: "format")
        }
        return format
    }
}

extension Listen {
    /// A line in the form of ListenBrainz's exports.
    fileprivate var line: [UInt8] {
        var json = JSONWriter()
        ListenAnswers.write(self, isExport: true, user: nil, to: &json)
        return json.bytes + [0x0A]
    }

    fileprivate var csv: [UInt8] {
        var listen = FileListen(title: song.title, artist: song.artist, album: song.album, time: startedAt)
        listen?.playedMs = playedMilliseconds
        listen?.durationMs = song.durationMilliseconds
        listen?.isrc = song.isrc
        listen?.recordingMBID = song.recordingMBID
        listen?.spotifyID = song.spotifyID
        listen?.client = client
        listen?.precision = FileListen.Precision(precision)
        return listen.map { ListenCSV.row($0, sources: sources.map(\.rawValue)) } ?? []
    }
}

extension FileListen.Precision {
    init(_ precision: NewObservation.Precision) {
        self =
            switch precision {
            case .millisecond: .millisecond
            case .second: .second
            case .minute: .minute
            }
    }
}
