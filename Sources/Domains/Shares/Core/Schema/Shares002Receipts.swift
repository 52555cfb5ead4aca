import Storage

extension Migration {
    /// For shares that are taken back again, among all that a person has ever sent.
    static let sharesReceipts = Migration(
        domain: "shares", number: 2, name: "receipts",
        statements: ["CREATE INDEX share_receipts_of_share ON share_receipts (sender, share, shared_at)"])
}
