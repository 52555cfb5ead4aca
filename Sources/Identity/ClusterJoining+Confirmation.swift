extension ClusterJoining {
    /// Whether listings that confirm each other show that the members of two clusters are different recordings.
    ///
    /// If two listings of one album carry the same code, the code and the duration are confirmed. A different code with
    /// a different duration is then a different recording. If both codes are confirmed and on the same album, they are
    /// two tracks of it; on different albums, they may be one track that was registered twice, provided that the
    /// durations are closer than usual.
    func haveConfirmedCodes(_ one: [Int32], _ other: [Int32]) -> Bool {
        guard one.count > 1 || other.count > 1 else { return false }
        let (left, right) = (confirmed(one), confirmed(other))
        return contradicts(left, other, nearness: IdentityRules.nearDurations)
            || contradicts(right, one, nearness: IdentityRules.nearDurations)
            || contradicts(left, right, nearness: IdentityRules.nearDurationsOfOneSource)
            || left.contains { one in
                right.contains { other in
                    hasOtherCode(one, other) && profile(one).album.whole == profile(other).album.whole
                }
            }
    }

    private func contradicts(_ confirmed: [Int32], _ others: [Int32], nearness: Int) -> Bool {
        confirmed.contains { one in
            others.contains { other in
                hasOtherCode(one, other) && isFarther(profile(one), profile(other), than: nearness)
            }
        }
    }

    private func isFarther(_ left: IdentityProfile, _ right: IdentityProfile, than nearness: Int) -> Bool {
        let difference = Self.difference(left, right)
        return difference != Self.unknown && difference > nearness
    }

    private func profile(_ number: Int32) -> IdentityProfile { members[Int(number)].profile }

    private func hasOtherCode(_ one: Int32, _ other: Int32) -> Bool {
        let (left, right) = (profile(one), profile(other))
        guard left.code != 0, right.code != 0, left.code != right.code else { return false }
        // A remaster has its own code.
        return left.version.kinds.contains(.remaster) == right.version.kinds.contains(.remaster)
    }

    /// The members whose code is also carried by another member with the same album, from another source.
    private func confirmed(_ cluster: [Int32]) -> [Int32] {
        cluster.filter { number in
            let member = members[Int(number)]
            guard member.profile.code != 0, member.profile.album.whole != 0 else { return false }
            return cluster.contains { otherNumber in
                let other = members[Int(otherNumber)]
                return otherNumber != number && other.profile.code == member.profile.code
                    && other.profile.album.whole == member.profile.album.whole && !isOneSource(member, other)
            }
        }
    }
}
