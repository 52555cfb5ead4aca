import Accounts
import Foundation
import Gateway
import Hummingbird
import Jobs
import Library
import Model
import Shares

extension ShareDraft {
    /// The most bytes of a body: the longest message with every character escaped, and room for the rest.
    static let maximumBodyBytes = 32_768

    /// Reads the body of a request to share a song.
    init(clientID: String, body: RequestField) throws {
        let fields = try body.object(["song", "message"])
        guard let song = fields["song"] else { throw body.refuse("the field song is missing: say what to share.") }
        self.init(
            clientID: clientID, song: try ShareChoice(song),
            message: try fields["message"].map { WrittenText.cleaned(try $0.string(limit: Self.longestMessage)) })
    }
}

extension ShareChoice {
    /// The names of the members that name a song in one of the possible ways.
    private static let ways = [
        ["libraryTrackId"], ["source", "sourceId"], ["listId", "itemId"], ["listenId"], ["shareId"],
        ["messageId"],
    ]

    /// In Unicode scalars.
    private static let longestID = 200

    init(_ field: RequestField) throws {
        let members = try field.object(Self.ways.flatMap(\.self))
        let given = Self.ways.filter { way in way.contains { members[$0] != nil } }
        let expectation =
            "name the song in one way: " + Self.ways.map { $0.joined(separator: " and ") }.joined(separator: ", or ")
        guard given.count == 1, let way = given.first, way.allSatisfy({ members[$0] != nil }) else {
            throw field.refuse(expectation + ".")
        }
        // Text that is not an id is as unknown as an id that nothing has.
        func id<ID>(_ name: String, or unknown: Problem, _ parse: (String) -> ID?) throws -> ID {
            guard let member = members[name] else { throw field.refuse(expectation + ".") }
            guard let id = parse(try member.string(limit: Self.longestID)) else { throw unknown }
            return id
        }
        switch way.first {
        case "libraryTrackId": self = .track(try id("libraryTrackId", or: .unknownTrack) { LibraryID($0) })
        case "source":
            guard let member = members["source"] else { throw field.refuse(expectation + ".") }
            let source = try member.musicSource()
            let sourceID = try id("sourceId", or: .unknownTrack(at: source)) { source.isTrackID($0) ? $0 : nil }
            self = .catalog(source, sourceID)
        case "listId":
            self = .listed(
                list: try id("listId", or: .unknownListedSong) { UUIDv7.isWellFormed($0) ? $0 : nil },
                track: try id("itemId", or: .unknownListedSong) { SongReference($0)?.text })
        case "listenId": self = .listen(try id("listenId", or: .unknownListen) { LibraryID($0) })
        case "shareId": self = .share(try id("shareId", or: .unknownSharedSong) { ShareID($0) })
        default: self = .message(try id("messageId", or: .unknownSentSong) { NumberedID($0) })
        }
    }
}

extension MusicSource {
    /// Whether a text has the form of the service's ids of tracks, so that it is worth asking the service.
    func isTrackID(_ text: String) -> Bool {
        switch self {
        case .spotify: text.isSpotifyID
        case .appleMusic: ShareSong.AppleID.isID(text)
        case .file: false
        }
    }
}

extension GatewayContext {
    /// The share of the path. Text that is not an id is as unknown as an id that nothing has.
    var shareID: ShareID {
        get throws {
            guard let id = ShareID(try parameters.require("id")) else { throw Problem.unknownShare }
            return id
        }
    }

    /// The client's id of a share in the path, in lower case.
    var clientID: String {
        get throws {
            let text = try parameters.require("id").lowercased()
            guard UUIDv7.isWellFormed(text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "id: expected a UUID that you have made for this share, such as "
                        + "0199f3a2-0000-4000-8000-000000000001.", field: "id")
            }
            return text
        }
    }
}

extension Request {
    /// The client's id that an `Idempotency-Key` stands for; a new one without the header.
    func clientID() throws -> String {
        guard let key = try idempotencyKey(body: [])?.key else { return UUID().uuidString.lowercased() }
        // Made of the key alone, so that the same key always stands for the same share (a UUID of version 8).
        var digits = Array(Fingerprint.of("share\n" + key).prefix(32))
        (digits[12], digits[16]) = ("8", "8")
        let ends = [8, 12, 16, 20]
        return digits.enumerated().map { (ends.contains($0) ? "-" : "") + String($1) }.joined()
    }
}
