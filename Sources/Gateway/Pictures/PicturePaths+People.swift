import Accounts

extension PicturePaths {
    /// What the paths of pictures begin with that people have uploaded; the picture's address follows.
    package static let peoplePrefix = prefix + "people/"

    /// - Returns: `nil` where the person has no picture.
    package func path(of picture: ProfilePicture) -> String? {
        picture.uploaded.map { Self.peoplePrefix + $0 } ?? path(of: picture.googleURL)
    }
}
