/// The shape of a model's answer, limited to what the schemas of all providers support.
package indirect enum AnswerSchema: Sendable, Hashable {
    case integer
    case text
    case choice([String])
    case list(AnswerSchema)
    /// - Parameter required: the names of the members that an answer must have.
    case object([Member], required: [String])

    package struct Member: Sendable, Hashable {
        package var name: String
        package var schema: AnswerSchema

        init(_ name: String, _ schema: AnswerSchema) { (self.name, self.schema) = (name, schema) }
    }

    /// The schema for songs with kinds of evidence.
    ///
    /// - Parameters:
    ///   - hasNumbers: whether the answer names candidates by their numbers.
    ///   - hasNames: whether the answer names songs by title and artist.
    static func songs(hasNumbers: Bool, hasNames: Bool) -> AnswerSchema {
        let why = Member("why", .list(.choice(SongEvidence.Kind.offered.map(\.rawValue))))
        var members: [Member] = []
        if hasNumbers {
            members.append(Member("songs", .list(.object([Member("number", .integer), why], required: ["number"]))))
        }
        if hasNames {
            let names = [Member("title", .text), Member("artist", .text)]
            members.append(Member("discoveries", .list(.object(names + [why], required: names.map(\.name)))))
        }
        return .object(members, required: members.map(\.name))
    }

    /// The schema for a ``CurationPlan``, with artists by their numbers.
    static let plan = AnswerSchema.object(
        [
            Member("genres", .list(.text)), Member("artists", .list(.integer)), Member("from", .integer),
            Member("to", .integer), Member("order", .choice(CurationPlan.Order.allCases.map(\.rawValue))),
        ], required: ["order"])
}
