/// A call that the API refuses.
struct AppleMusicRefusal: Error {
    let answer: Answer

    static func parameter(_ name: String, _ detail: String) -> AppleMusicRefusal {
        AppleMusicRefusal(
            answer: AppleMusicSimulator.error(
                400, code: "40005", title: "Invalid Parameter Value", detail: detail, parameter: name))
    }

    static var notFound: AppleMusicRefusal { AppleMusicRefusal(answer: AppleMusicSimulator.notFound) }

    /// This is also the answer for an empty list.
    ///
    /// - Parameter relation: the name of the relation, such as `tracks` or `catalog`.
    static func noRelated(_ relation: String) -> AppleMusicRefusal {
        AppleMusicRefusal(
            answer: AppleMusicSimulator.error(
                404, code: "40403", title: "No related resources",
                detail: "No related resources found for \(relation)"))
    }
}
