import Storage

/// The people who may see a person's profile, besides the person.
package enum ProfileVisibility: String, Sendable, CaseIterable {
    /// Everybody who is signed in.
    case `public`
    /// The person's followers. Others see the name and the picture only, so that they can ask to follow.
    case followers
    /// Nobody.
    case `private`

    /// The value of `people.visibility`. What is visible for a number is visible for every higher one.
    package var number: Int64 {
        switch self {
        case .private: 0
        case .followers: 1
        case .public: 2
        }
    }

    /// - Parameter number: a value of `people.visibility`. A later version may know more values: an unknown one counts
    ///   as private.
    package init(number: Int64) {
        self = Self.allCases.first { $0.number == number } ?? .private
    }
}
