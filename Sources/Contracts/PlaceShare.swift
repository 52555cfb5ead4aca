import Model

/// How many of a worker's places below interactive priority (``JobPriority/backgroundPlaces(of:)``) one person's jobs
/// may take.
package enum PlaceShare {
    /// While jobs of others wait that could have the place: half, rounded down, and one at least.
    package static func whileOthersWait(of places: Int) -> Int { max(1, places / 2) }

    /// While nobody else waits: all but one, where there are several, so that whoever comes next begins at once.
    package static func alone(of places: Int) -> Int { max(1, places - 1) }

    /// Whether a person's jobs may have every place: those that Backline does for nobody else, such as what is
    /// scheduled. Nobody makes many of them.
    package static func isWhole(for person: String) -> Bool { person == SystemUser.id }
}
