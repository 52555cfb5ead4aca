import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Storage
import Vault

/// `/v1/me/export`: all data of a person, as one JSON document without secrets.
struct ExportRoutes {
    let database: Database
    let tables: PersonalTables
    /// Opens private texts; `nil` leaves them out.
    let textKeys: CurrentTextKeys?
    /// Limits reading to half of one processor for each person, however many exports they start.
    private let pace = UserThrottle()

    init(database: Database, tables: PersonalTables, textKeys: CurrentTextKeys? = nil) {
        self.database = database
        self.tables = tables
        self.textKeys = textKeys
    }

    /// The most rows in a part of the archive, and the size in bytes at which a part ends sooner. Only one part at a
    /// time is in memory, so an archive of any size needs little of it, however slowly it is read.
    private static let (pageSize, pageBytes) = (200, 256 << 10)

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("me/export", use: export)
    }

    @Sendable private func export(_ request: Request, _ context: GatewayContext) async throws -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/json", .cacheControl: "no-store",
                .contentDisposition: #"attachment; filename="backline-export.json""#,
            ], body: archive(of: try context.userID))
    }

    /// The archive as a body. Each part is read once the connection has accepted the one before.
    func archive(of userID: String) -> ResponseBody {
        ResponseBody { [database, tables, textKeys, pace] writer in
            try await writer.write(ByteBuffer(string: #"{"exportedAt":"\#(Timestamp.now())""#))
            // The wait before the next part; none follows the last one.
            var delay = Duration.zero
            for table in tables.all {
                guard case .rows(let member, let columns) = table.export else { continue }
                try await writer.write(ByteBuffer(string: ",\n\"\(member)\":["))
                var (position, isFirst): (PersonalTable.ExportPosition?, Bool) = (nil, true)
                repeat {
                    try await Task.sleep(for: delay)
                    let (start, continues) = (position, !isFirst)
                    let (part, end, took) = try await database.read { reader in
                        let began = MonotonicInstant.now()
                        var part = ByteBuffer()
                        let end = try table.forEachExportedRow(
                            of: userID, columns, after: start, limit: Self.pageSize, maximumBytes: Self.pageBytes,
                            in: reader
                        ) { values in
                            if continues || part.readableBytes > 0 { part.writeString(",\n") }
                            part.writeBytes(JSONWriter.object { $0.members(of: values, columns, textKeys) })
                        }
                        return (part, end, began.duration(to: .now()))
                    }
                    if part.readableBytes > 0 {
                        try await writer.write(part)
                        isFirst = false
                    }
                    delay = pace.delay(adding: took * 2, to: userID)
                    position = end
                } while position != nil
                try await writer.write(ByteBuffer(string: "]"))
            }
            try await writer.write(ByteBuffer(string: "}\n"))
            try await writer.finish(nil)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(
        of values: ArraySlice<SQLValue>, _ columns: [PersonalTable.Column], _ textKeys: CurrentTextKeys?
    ) {
        var name: SQLValue = .null
        for (value, column) in zip(values, columns) {
            switch (value, column.kind) {
            case (_, .textName): name = value
            case (.blob(let bytes), .sealedText):
                member(column.member, raw: textKeys.flatMap { Self.text(bytes, named: name, $0) })
            case (.integer(let value), .time):
                member(column.member, Timestamp(microseconds: value))
            case (.integer(let value), .duration): member(column.member, Int(value / 1_000_000))
            case (.integer(let value), .flag): member(column.member, value != 0)
            case (.integer(let value), .musicSource):
                member(column.member, MusicSource(number: Int(value))?.rawValue)
            case (.integer(let value), .libraryID): member(column.member, LibraryID(key: value).text)
            case (.integer(let value), _): member(column.member, Int(value))
            case (.text(let text), .json): member(column.member, raw: text)
            case (.text(let text), _): member(column.member, text)
            case (.blob(let bytes), .bytes): member(column.member, Data(bytes).base64EncodedString())
            // No table has other columns to export.
            case (.null, _), (.real, _), (.blob, _): member(column.member, raw: nil)
            }
        }
    }

    /// - Parameter name: a value of a column ``PersonalTable/Column/Kind/textName``.
    /// - Returns: `nil` for a text whose key is missing.
    private static func text(_ bytes: [UInt8], named name: SQLValue, _ textKeys: CurrentTextKeys) -> String? {
        guard case .text(let words) = name else { return nil }
        let parts = words.split(separator: " ").map(String.init)
        guard parts.count == 4 else { return nil }
        return try? textKeys.open(
            SealedText(keyID: parts[3], bytes: bytes), as: TextName(table: parts[0], row: parts[1], author: parts[2]))
    }
}
