import Composition
import Bootstrap
import Domains
import Model

@testable import Storage

extension WriteTransaction {
    /// Gives a person a row in every table of the registry in which they have none, with values for the columns that
    /// need one, so that no test has to know a domain's tables.
    func insertMissingPersonalRows(of person: String) throws {
        // Rows that others belong to come first; a person's erasure deletes them last.
        let tables = PersonalTables(of: .all).all
        for table in tables.filter({ !$0.belongsToRow }) + tables.filter(\.belongsToRow) {
            let name = table.name.description
            switch table.owner {
            case .person: continue
            case .column(let column):
                // A row about an erasure exists only for an erased person.
                if case .atEnd = table.erasure { continue }
                let found: SQL = SQL(stringLiteral: "SELECT 1 FROM \(name) WHERE \(column) = ") + "\(person)"
                guard try rows(found).isEmpty else { continue }
                try insertRow(
                    into: name, table.documents.merging([column.description: .text(person)]) { $1 }, of: person,
                    by: column.description)
            case .row(let column, let parent, let key, let parentOwner):
                let parents = SQL(stringLiteral: "SELECT \(key) AS id FROM \(parent) WHERE \(parentOwner) = ")
                let ids = try rows(parents + "\(person)").compactMap(\.values.first)
                let theirs: SQL = SQL(stringLiteral: "SELECT 1 FROM \(name) WHERE \(column) IN (") + "\(list: ids))"
                guard let id = ids.first, try rows(theirs).isEmpty else { continue }
                try insertRow(
                    into: name, table.documents.merging([column.description: id]) { $1 }, of: person,
                    by: column.description)
            }
        }
    }

    /// - Parameters:
    ///   - known: values of columns, by their names.
    ///   - owner: the column by which the row is the person's.
    private func insertRow(
        into table: String, _ known: [String: SQLValue], of person: String, by owner: String
    ) throws {
        let columns = try map(
            .onlySQLite("SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info(\(table))")
        ) { row -> (name: String, value: SQLValue)? in
            let (name, type): (String, String) = (try row["name"], try row["type"])
            // A message without the id of its client is one of an erased person.
            let isDemanded =
                try row["notnull"] as Bool && row["dflt_value"] as String? == nil || row["pk"] as Int > 0
                || table == "messages" && name == "client"
            if let value = known[name] { return (name, value) }
            guard isDemanded else { return nil }
            return switch type {
            // A report stays when its reporter is erased.
            case "TEXT" where table == "reports" && name == "id": (name, .text(UUIDv7.next()))
            case "TEXT": (name, .text("\(name) of \(person)"))
            case "BLOB": (name, .blob([1, 2, 3]))
            // A table of what passes between two people has a row in which the person is the one, and another in which
            // the person is the other.
            case _ where name == "number": (name, .integer(Self.key(of: person + owner)))
            // Keys differ between people, and the key of a library is that of its rows.
            default: (name, .integer(["id", "key", "library_id"].contains(name) ? Self.key(of: person) : 1))
            }
        }.compactMap(\.self)
        let names = columns.map(\.name).joined(separator: ", ")
        var sql: SQL = SQL(stringLiteral: "INSERT INTO \(table) (\(names)) VALUES (")
        for (index, column) in columns.enumerated() {
            sql = sql + (index == 0 ? "\(column.value)" : ", \(column.value)")
        }
        try run(sql + ")")
    }

    private static func key(of person: String) -> Int64 {
        Int64(person.utf8.reduce(1) { ($0 &* 31 &+ Int($1)) & 0xffff_ffff })
    }
}

extension PersonalTable {
    fileprivate var belongsToRow: Bool {
        if case .row = owner { true } else { false }
    }

    /// An empty document for each column whose text is JSON, by the column's name.
    fileprivate var documents: [String: SQLValue] {
        guard case .rows(_, let columns) = export else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: columns.filter { $0.kind == .json }.map { ($0.name.description, .text("{}")) })
    }
}
