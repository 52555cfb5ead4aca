import Storage

extension [PersonalTable] {
    /// The tables of catalogs that contain people's rows. Answers for everybody belong to nobody.
    package static let catalog: Self = [
        PersonalTable(
            "catalog_personal_answers", keys: ["answer_key"], erasure: .rows, large: ["answer"],
            export: .nothing(because: "copies of what services show, kept for a day at most"))
    ]
}
