import Gateway
import Hummingbird
import Library
import LibrarySync
import Model
import Storage

/// The longest text that can be searched for, in Unicode scalars.
private let maximumSearchLength = 200

extension TrackListQuery {
    /// `?source=&q=&artist=&sort=&cursor=&position=&limit=`
    ///
    /// - Throws: a ``Problem`` that names the wrong parameter.
    init(_ request: Request) throws {
        let sort: TrackSort = try request.choice("sort") ?? .recentlyAdded
        self.init(
            filter: try request.choice("source") ?? .all, search: try request.librarySearch,
            artist: try request.artist, sort: sort, start: try request.start { sort.order.place($0) },
            limit: try request.pageLimit(standard: 50, maximum: 200))
    }
}

extension NameListQuery {
    /// `?source=&q=&cursor=&position=&limit=`, and for albums `artist=`
    ///
    /// - Throws: a ``Problem`` that names the wrong parameter.
    init(_ request: Request, of list: Keyset<String, Int>, hasArtists: Bool = false) throws {
        let source: SourceChoice = try request.choice("source") ?? .all
        self.init(
            source: source.source, search: try request.librarySearch,
            artist: try hasArtists ? request.artist : nil, start: try request.start { list.cursor($0) },
            limit: try request.pageLimit(standard: 50, maximum: 200))
    }
}

extension ChangeListQuery {
    /// `?since=&kind=&trackId=&sort=&cursor=&position=&limit=`
    ///
    /// - Throws: a ``Problem`` that names the wrong parameter.
    init(_ request: Request) throws {
        let order: ChangeListQuery.Order = try request.choice("sort") ?? .earliest
        self.init(
            since: try request.since(), kind: try request.choice("kind"), track: try request.trackID, order: order,
            start: try request.start { order.list.cursor($0) },
            limit: try request.pageLimit(standard: 50, maximum: 200))
    }
}

/// `?source=` of items that each belong to one source.
private enum SourceChoice: String, CaseIterable {
    case all, appleMusic, spotify, file

    /// `nil` for all.
    var source: MusicSource? { MusicSource(rawValue: rawValue) }
}

extension LibrarySyncRequest {
    /// The body of `POST /v1/library/syncs`.
    ///
    /// - Throws: a ``Problem`` that names the wrong field.
    init(_ body: RequestField, userID: String) throws {
        let fields = try body.object(["source", "force"])
        let source = try fields["source"].map { field in
            let text = try field.string(limit: 100)
            guard let source = MusicSource(service: text) else {
                throw field.refuse(
                    "expected one of \(MusicSource.services.map(\.rawValue).joined(separator: ", ")), found "
                        + "'\(text.prefix(40))'; leave the field out for all sources.")
            }
            return source
        }
        self.init(userID: userID, source: source, force: try fields["force"]?.bool() ?? false)
    }
}

extension Request {
    /// A parameter that is one of a few words; `nil` when it is missing.
    ///
    /// - Throws: a ``Problem`` that lists the words.
    fileprivate func choice<Choice>(_ name: String) throws -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = parameter(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw Problem.invalidRequest(
                code: .invalidParameter,
                "\(name): expected one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")), found "
                    + "'\(text.prefix(40))'.", field: name)
        }
        return choice
    }

    /// `?q=`; `nil` when it is missing, and when it folds to nothing, which is a part of every text.
    fileprivate var librarySearch: SearchQuery? {
        get throws { try shortText("q").flatMap { SearchQuery($0) } }
    }

    /// `?artist=`; `nil` when it is missing.
    fileprivate var artist: ArtistFilter? {
        get throws {
            guard let text = try shortText("artist") else { return nil }
            guard let artist = ArtistFilter(text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter, "artist: expected an artist's name, found '\(text.prefix(40))'.",
                    field: "artist")
            }
            return artist
        }
    }

    /// `?trackId=`; `nil` when it is missing.
    fileprivate var trackID: LibraryID? {
        get throws {
            guard let text = parameter("trackId") else { return nil }
            guard let id = LibraryID(text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter, "trackId: expected the id of a song, found '\(text.prefix(40))'.",
                    field: "trackId")
            }
            return id
        }
    }

    /// A parameter of at most ``maximumSearchLength`` Unicode scalars; `nil` when it is missing.
    private func shortText(_ name: String) throws -> String? {
        guard let text = try self.text(name) else { return nil }
        guard text.unicodeScalars.count <= maximumSearchLength else {
            throw Problem.invalidRequest(
                code: .invalidParameter,
                "\(name): \(text.unicodeScalars.count) characters are too many; at most \(maximumSearchLength) are "
                    + "allowed.", field: name)
        }
        return text
    }

    /// More items than any list of a library has.
    private static var maximumPosition: Int { 1_000_000_000_000 }

    /// Where a page of a list begins: `?cursor=` or `?position=`, but not both.
    ///
    /// - Parameter read: reads a cursor; returns `nil` for text that is not a cursor of the list.
    func start<Position: Sendable>(_ read: (String) -> Position?) throws -> ListStart<Position> {
        let cursor = parameter("cursor")
        guard let position = try integer("position", in: 0...Self.maximumPosition) else {
            guard let cursor else { return .after(nil) }
            guard let place = read(cursor) else { throw Problem.invalidCursor }
            return .after(place)
        }
        guard cursor == nil else {
            throw Problem(
                .badRequest, code: .invalidParameter, title: "The request is not valid",
                detail: "A page begins after a cursor or at a position: send either cursor or position, not both.",
                field: "position")
        }
        return .position(position)
    }

    /// `?since=`; `nil` when it is missing.
    ///
    /// - Throws: a ``Problem``.
    func since() throws -> Timestamp? {
        try parameter("since").map { text in
            var text = text
            // The sign of an offset that was not escaped: `+02:00` has become ` 02:00`.
            if let sign = text.unicodeScalars.dropLast(5).indices.last, text.unicodeScalars[sign] == " " {
                text.unicodeScalars.replaceSubrange(sign...sign, with: ["+"])
            }
            guard let moment = Timestamp(rfc3339: text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "since: expected an RFC 3339 time, such as 2026-11-20T20:00:00Z, found '\(text.prefix(40))'.",
                    field: "since")
            }
            return moment
        }
    }
}
