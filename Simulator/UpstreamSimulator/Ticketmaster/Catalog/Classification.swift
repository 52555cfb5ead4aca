/// A path through Ticketmaster's classification tree; any level may be missing.
///
/// The ids of segments and of most genres are the real ones, since clients filter by them.
package struct Classification: Sendable, Equatable {
    package struct Level: Sendable, Equatable, Encodable {
        package var id: String
        package var name: String

        init(_ id: String, _ name: String) {
            self.id = id
            self.name = name
        }
    }

    package var segment: Level?
    package var genre: Level?
    package var subGenre: Level?
    package var type: Level?
    package var subType: Level?

    init(_ segment: Level?, _ genre: Level?, _ subGenre: Level?, type: Level? = nil, subType: Level? = nil) {
        self.segment = segment
        self.genre = genre
        self.subGenre = subGenre
        self.type = type
        self.subType = subType
    }

    /// The levels that are there, the widest first.
    var levels: [Level] { [segment, genre, subGenre, type, subType].compactMap { $0 } }
}

extension Classification.Level {
    static let music = Self("KZFzniwnSyZfZ7v7nJ", "Music")
    static let artsAndTheatre = Self("KZFzniwnSyZfZ7v7na", "Arts & Theatre")
    static let miscellaneous = Self("KZFzniwnSyZfZ7v7n1", "Miscellaneous")
    static let sports = Self("KZFzniwnSyZfZ7v7nE", "Sports")
    static let film = Self("KZFzniwnSyZfZ7v7nn", "Film")
    static let undefinedSegment = Self("KZFzniwnSyZfZ7v7nl", "Undefined")
    static let undefinedGenre = Self("KnvZfZ7vAe6", "Undefined")
    static let undefinedSubGenre = Self("KZazBEonSMnZfZ7vAv1", "Undefined")
    static let undefinedType = Self("KZAyXgnZfZ7v7nI", "Undefined")
    static let undefinedSubType = Self("KZFzBErXgnZfZ7v7lJ", "Undefined")
    static let upsellType = Self("KZAyXgnZfZ7v7nJ", "Upsell")
    static let parkingType = Self("KZAyXgnZfZ7v7lt1", "Parking")
    static let eventStyle = Self("KZAyXgnZfZ7v7lt", "Event Style")
    static let festival = Self("KZFzBErXgnZfZ7vA6E", "Festival")
}

extension Classification {
    private static func music(_ genreID: String, _ genre: String, _ subID: String, _ sub: String) -> Classification {
        Classification(
            .music, Level(genreID, genre), Level(subID, sub), type: .undefinedType, subType: .undefinedSubType)
    }

    static let rock = music("KnvZfZ7vAeA", "Rock", "KZazBEonSMnZfZ7v6F1", "Pop")
    static let alternativeRock = music("KnvZfZ7vAeA", "Rock", "KZazBEonSMnZfZ7v6dt", "Alternative Rock")
    static let pop = music("KnvZfZ7vAev", "Pop", "KZazBEonSMnZfZ7vk1I", "Pop Rock")
    static let country = music("KnvZfZ7vAv6", "Country", "KZazBEonSMnZfZ7vAFa", "Country")
    static let soul = music("KnvZfZ7vAee", "R&B", "KZazBEonSMnZfZ7vknE", "Soul")
    static let gospel = music("KnvZfZ7vAe7", "Religious", "KZazBEonSMnZfZ7v6ea", "Gospel")
    static let hipHop = music("KnvZfZ7vAv1", "Hip-Hop/Rap", "KZazBEonSMnZfZ7vaa1", "Hip-Hop/Rap")
    static let metal = music("KnvZfZ7vAvt", "Metal", "KZazBEonSMnZfZ7vkFd", "Heavy Metal")
    static let electronic = music("KnvZfZ7vAvF", "Dance/Electronic", "KZazBEonSMnZfZ7vAJ6", "Club Dance")
    static let jazz = music("KnvZfZ7vAvE", "Jazz", "KZazBEonSMnZfZ7vAe6", "Jazz")
    static let folk = music("KnvZfZ7vAva", "Folk", "KZazBEonSMnZfZ7vAvv", "Folk")
    static let otherMusic = music("KnvZfZ7vAvl", "Other", "KZazBEonSMnZfZ7vAvl", "Other")
    static let undefinedMusic = Classification(
        .music, .undefinedGenre, .undefinedSubGenre, type: .undefinedType, subType: .undefinedSubType)
    static let musicSegmentOnly = Classification(.music, nil, nil)
    static let festival = Classification(
        .music, rock.genre, rock.subGenre, type: .eventStyle, subType: .festival)
    static let classical = Classification(
        .artsAndTheatre, Level("KnvZfZ7v7nJ", "Classical"), Level("KZazBEonSMnZfZ7v7nJ", "Symphonic"),
        type: .undefinedType, subType: .undefinedSubType)
    static let theatre = Classification(
        .artsAndTheatre, Level("KnvZfZ7v7l1", "Theatre"), Level("KZazBEonSMnZfZ7v7l7", "Drama"))
    static let comedy = Classification(
        .artsAndTheatre, Level("KnvZfZ7vAe1", "Comedy"), Level("KZazBEonSMnZfZ7vF17", "Comedy"))
    static let concertFilm = Classification(.film, Level("KnvZfZ7vAkJ", "Music"), nil)
    static let iceHockey = Classification(
        .sports, Level("KnvZfZ7vAdI", "Hockey"), Level("KZazBEonSMnZfZ7vFEE", "NHL"))
    static let undefined = Classification(.undefinedSegment, .undefinedGenre, nil)
    static let upsell = Classification(
        .miscellaneous, Level("KnvZfZ7v7ll", "Undefined"), .undefinedSubGenre, type: .upsellType,
        subType: Level("KZFzBErXgnZfZ7vAke", "Merchandise Voucher"))
    static let parking = Classification(
        .miscellaneous, Level("KnvZfZ7v7ll", "Undefined"), .undefinedSubGenre, type: .parkingType,
        subType: .undefinedSubType)

    /// What a filler artist may play.
    static let common = [
        rock, alternativeRock, pop, country, soul, hipHop, metal, electronic, jazz, folk, otherMusic, undefinedMusic,
    ]
}
