import Gateway
import Listening
import Model

/// The body of `POST /1/submit-listens`, checked by the rules of ListenBrainz: if one listen is invalid, all are
/// refused, since programs take "ok" to mean all of them.
struct ListenSubmission {
    enum Kind: String {
        case single
        case playingNow = "playing_now"
        case `import`
    }

    struct Item {
        let metadata: ListenMetadata
        /// The time in seconds since 1970; `nil` for the song that is playing now.
        let listenedAt: Int?
    }

    static let maximumBytes = 10_240_000
    static let maximumListens = 1_000
    private static let maximumListenBytes = 10_240
    /// The text of the refusal names a different number, as that of ListenBrainz does.
    private static let earliest = PossibleTimes.earliest.microseconds / 1_000_000
    private static let latestAhead = 3_600

    private static let tooLong = ListenBrainzError(
        "JSON document is too large. Each listens may not be larger than \(maximumListenBytes) bytes.")

    let kind: Kind
    let items: [Item]

    /// - Parameter now: in seconds since 1970.
    init(_ bytes: [UInt8], now: Int) throws(ListenBrainzError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
        let members = try Self.members(of: bytes)
        guard case .string(let text)? = members.first(where: { $0.name == "listen_type" })?.value.value,
            let kind = Kind(rawValue: text)
        else { throw ListenBrainzError("JSON document requires a valid listen_type key.") }
        let payload: [JSONNode]
        switch (members.first { $0.name == "payload" }?.value).map({ ($0, $0.value) }) {
        case (_, .array(let listens))?: payload = listens
        // A list of one, as converters from XML write it.
        case (let listen, .object(let members))? where !members.isEmpty: payload = [listen]
        default: throw ListenBrainzError("The payload in the JSON document should be a list of listens.")
        }
        guard !payload.isEmpty else { throw ListenBrainzError("JSON document does not contain any listens") }
        guard payload.count <= Self.maximumListens else {
            throw ListenBrainzError(
                "Too many listens. You may not submit more than \(Self.maximumListens) listens at once.")
        }
        guard bytes.count <= payload.count * Self.maximumListenBytes else { throw Self.tooLong }
        guard kind == .import || payload.count == 1 else {
            throw ListenBrainzError(
                "JSON document contains more than listen for a single/playing_now. It should contain only one.")
        }
        self.kind = kind
        var items: [Item] = []
        for node in payload { items.append(try Self.item(node, kind, in: bytes, now: now)) }
        self.items = items
    }

    /// - Throws: ``ListenBrainzError`` for anything that is not a JSON object.
    static func members(of bytes: [UInt8]) throws(ListenBrainzError) -> [JSONNode.Member] {
        let node: JSONNode
        do {
            node = try JSONParser.parse(bytes)
        } catch {
            throw .notJSON(error)
        }
        guard case .object(let members) = node.value else {
            throw ListenBrainzError(
                "Invalid JSON document submitted. Top level of JSON document should be a json object.")
        }
        guard !bytes.containsNullCharacter else {
            throw ListenBrainzError("\\u0000 is not allowed in a listen.")
        }
        return members
    }

    private static func item(
        _ node: JSONNode, _ kind: Kind, in bytes: [UInt8], now: Int
    ) throws(ListenBrainzError) -> Item {
        guard case .object(let members) = node.value else {
            throw ListenBrainzError("The payload in the JSON document should be a list of listens.")
        }
        // The size of each listen is checked, so that none is as large as the body of a thousand may be.
        guard node.range.count <= maximumListenBytes else { throw tooLong }
        let time = members.first { $0.name == "listened_at" }
        guard let metadata = members.first(where: { $0.name == "track_metadata" }) else {
            throw ListenBrainzError("JSON document must contain the key track_metadata at the top level.")
        }
        guard !metadata.value.isNull else {
            throw ListenBrainzError("JSON document may not have track_metadata with null value.")
        }
        if kind == .playingNow {
            guard time == nil else {
                throw ListenBrainzError("JSON document must not contain listened_at while submitting playing_now.")
            }
            guard members.count == 1 else {
                throw ListenBrainzError("JSON document may only contain track_metadata as top level key.")
            }
        } else {
            guard time != nil else {
                throw ListenBrainzError("JSON document must contain the key listened_at at the top level.")
            }
            guard members.count == 2 else {
                throw ListenBrainzError(
                    "JSON document may only contain listened_at and track_metadata top level keys")
            }
        }
        var listenedAt: Int?
        if let time { listenedAt = try seconds(time.value, now: now) }
        return Item(metadata: try ListenMetadata(metadata.value, in: bytes), listenedAt: listenedAt)
    }

    private static func seconds(_ node: JSONNode, now: Int) throws(ListenBrainzError) -> Int {
        guard let seconds = node.wholeNumber(in: Int.min...Int.max) else {
            throw ListenBrainzError("JSON document must contain an int value for listened_at.")
        }
        guard seconds >= earliest else {
            throw ListenBrainzError(
                "Value for key listened_at is too low. listened_at timestamp should be greater than 1033410600 "
                    + "(2002-10-01 00:00:00 UTC).")
        }
        guard seconds <= now + latestAhead else {
            throw ListenBrainzError("Value for key listened_at is too high.")
        }
        return seconds
    }

    /// The observations to record for these listens.
    var observations: [NewObservation] {
        items.compactMap { item in
            guard let seconds = item.listenedAt else { return nil }
            let metadata = item.metadata
            return NewObservation(
                source: .listenBrainz, song: metadata.song, time: Timestamp(microseconds: Int64(seconds) * 1_000_000),
                playedMilliseconds: metadata.playedMilliseconds, client: metadata.client, details: metadata.details)
        }
    }
}

extension [UInt8] {
    /// Whether a JSON text has the character U+0000, which is always escaped.
    fileprivate var containsNullCharacter: Bool {
        var index = startIndex
        while let found = self[index...].firstIndex(of: UInt8(ascii: "\\")) {
            if self[found...].starts(with: #"\u0000"#.utf8) { return true }
            index = found + 2
            if index >= endIndex { return false }
        }
        return false
    }
}
