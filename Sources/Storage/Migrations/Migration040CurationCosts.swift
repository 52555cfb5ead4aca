extension Migration {
    /// What lists that are made for people cost.
    static let curationCosts = Migration(
        number: 40, name: "curation costs",
        statements: [
            // Together `total_tokens`; NULL where a provider has not told them apart.
            "ALTER TABLE curated_lists ADD COLUMN input_tokens BIGINT",
            "ALTER TABLE curated_lists ADD COLUMN output_tokens BIGINT",
            // What the calls cost at the prices of their time: a decimal number, and ISO 4217; NULL where it is not
            // known.
            "ALTER TABLE curated_lists ADD COLUMN cost_amount TEXT",
            "ALTER TABLE curated_lists ADD COLUMN cost_currency TEXT",
            "UPDATE curated_lists SET input_tokens = 0, output_tokens = 0 WHERE total_tokens = 0",
        ])
}
