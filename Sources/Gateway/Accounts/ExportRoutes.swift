import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Storage

/// `/v1/me/export`: all that is a person's, as one JSON document without secrets.
struct ExportRoutes {
    let database: Database

    /// Rows of a table that are read and sent at once, and bytes of theirs after which there are fewer, so that an
    /// archive of any size takes little memory, however slowly it is read.
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

    /// A part is read when the connection has taken the one before.
    func archive(of userID: String) -> ResponseBody {
        ResponseBody { [database] writer in
            try await writer.write(ByteBuffer(string: #"{"exportedAt":"\#(Timestamp.now())""#))
            for table in PersonalTable.all {
                try await writer.write(ByteBuffer(string: ",\n\"\(table.member)\":["))
                var last: Row?
                while true {
                    let position = last
                    let rows = try await database.read {
                        try table.page(
                            of: userID, after: position, limit: Self.pageSize, maximumBytes: Self.pageBytes, in: $0)
                    }
                    guard let end = rows.last else { break }
                    var buffer = ByteBuffer()
                    for (index, row) in rows.enumerated() {
                        if position != nil || index > 0 { buffer.writeString(",\n") }
                        buffer.writeBytes(JSONWriter.object { $0.members(of: row, table) })
                    }
                    try await writer.write(buffer)
                    last = end
                }
                try await writer.write(ByteBuffer(string: "]"))
            }
            try await writer.write(ByteBuffer(string: "}\n"))
            try await writer.finish(nil)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of row: Row, _ table: PersonalTable) {
        for (index, column) in table.columns.enumerated() {
            switch (table.value(index, of: row), column.kind) {
            case (.integer(let value), .time):
                member(column.member, Timestamp(microseconds: value))
            case (.integer(let value), .flag): member(column.member, value != 0)
            case (.integer(let value), _): member(column.member, Int(value))
            case (.text(let text), .json): member(column.member, raw: text)
            case (.text(let text), _): member(column.member, text)
            // No table has other columns to export.
            case (.null, _), (.real, _), (.blob, _): member(column.member, raw: nil)
            }
        }
    }
}
