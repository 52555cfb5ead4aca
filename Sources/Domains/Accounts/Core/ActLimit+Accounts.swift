import Visibility

extension ActLimit {
    /// Changes of a profile or its picture that others see.
    static let profileChanges = ActLimit(
        "profileChangesPerHour", count: 30, per: .seconds(3_600), act: "change your profile", again: "change it again")
}
