import Gateway
import People

extension Problem {
    init(_ refusal: PeopleRefusal) {
        self =
            switch refusal {
            case .unknownPerson: .unknownPerson
            case .selfTarget:
                .conflict(code: .selfTarget, "You cannot do this to yourself.")
            case .tooManyFollows(let limit):
                .conflict(
                    code: .tooManyFollows,
                    "You already follow, or have asked to follow, \(limit) people, which is the limit. Unfollow "
                        + "somebody first.")
            case .unknownReport:
                Problem(.notFound, code: .notFound, title: "Not found", detail: "There is no report with this id.")
            case .alreadyDecided:
                .conflict(code: .alreadyDecided, "The report already has a different decision.")
            }
    }

    /// Nobody learns from it whether a person does not exist, hides, has blocked them, is suspended or was erased.
    static let unknownPerson = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "There is nobody with that name, or you may not see them.")
}
