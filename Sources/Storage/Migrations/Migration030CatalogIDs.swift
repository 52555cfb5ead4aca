extension Migration {
    /// Finds songs of libraries by the ids of Apple Music's catalog.
    static let catalogIDs = Migration(
        number: 30, name: "catalog ids",
        statements: [
            """
            CREATE INDEX library_source_tracks_by_catalog ON library_source_tracks (library_id, source, catalog_id)
            WHERE catalog_id IS NOT NULL
            """
        ])
}
