/// The progress of a search in the API.
struct SearchStatus: Decodable, Equatable {
    enum State: String, Decodable {
        case running, complete, partial, failed, cancelled
    }

    struct Progress: Decodable, Equatable {
        var done: Int
        var total: Int
    }

    /// The coverage of an artist who has an answer.
    struct Coverage: Decodable, Equatable {
        enum Status: String, Decodable {
            case complete, partial, failed, notFound
        }

        var artist: String
        var rank: Int
        var status: Status
    }

    struct Warning: Decodable, Equatable {
        /// `nil` for a warning about the whole search.
        var artist: String?
        var code: String
        var message: String
        var recovery: String
    }

    var id: String
    var state: State
    var progress: Progress
    var coverage: [Coverage]
    var warnings: [Warning]
}
