extension Migration {
    /// What lists that are made for people cost.
    static let curationCosts = Migration(
        number: 40, name: "curation costs",
        statements: [
            // They add up to `total_tokens`; NULL if a provider has not reported them separately.
            "ALTER TABLE curated_lists ADD COLUMN input_tokens BIGINT",
            "ALTER TABLE curated_lists ADD COLUMN output_tokens BIGINT",
            // What the calls cost at the prices of their time: a decimal number and an ISO 4217 code; NULL if unknown.
            "ALTER TABLE curated_lists ADD COLUMN cost_amount TEXT",
            "ALTER TABLE curated_lists ADD COLUMN cost_currency TEXT",
            "UPDATE curated_lists SET input_tokens = 0, output_tokens = 0 WHERE total_tokens = 0",
        ])
}
