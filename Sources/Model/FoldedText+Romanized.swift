extension FoldedText {
    /// Folded scalars in Latin letters if a table has them: Cyrillic, Greek, kana, Hangul, Arabic and Hebrew. Others
    /// are unchanged.
    ///
    /// There are several ways of writing each of these scripts in Latin letters, and they differ most in the vowels.
    /// The result is therefore for finding texts that may be the same, not for display.
    package static func romanized(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard scalars.contains(where: { $0.value >= 0x370 }) else { return scalars }
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(scalars.count * 2)
        for (index, scalar) in scalars.enumerated() {
            guard let letters = romanizations[hiragana(scalar)] else {
                result.append(scalar)
                continue
            }
            // Folded text is decomposed: a mark after a syllable voices it.
            let next = index + 1 < scalars.count ? scalars[index + 1].value : 0
            let marked =
                switch next {
                case 0x3099: voiced[letters]
                case 0x309A: halfVoiced[letters]
                default: String?.none
                }
            result.append(contentsOf: (marked ?? letters).unicodeScalars)
        }
        return result
    }

    /// Converts katakana to hiragana, whose code points are 96 lower.
    private static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0x30A1...0x30F6).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 96) ?? scalar
    }

    private static let romanizations: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = [:]
        for entry in letters.split(whereSeparator: \.isWhitespace) {
            guard let first = entry.unicodeScalars.first else { continue }
            table[first] = String(String.UnicodeScalarView(entry.unicodeScalars.dropFirst()))
        }
        // Voicing marks, and the mark of a long vowel.
        for value in [0x3099, 0x309A, 0x30FC] { Unicode.Scalar(value).map { table[$0] = "" } }
        // Hangul syllables decompose into these (The Unicode Standard, section 3.12).
        let initials = "g kk n d tt r m b pp s ss  j jj ch k t p h".split(
            separator: " ", omittingEmptySubsequences: false)
        let vowels = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split(separator: " ")
        let finals = "k kk ks n nj nh d l lg lm lb ls lt lp lh m p ps t t ng t t k t p h".split(separator: " ")
        for (start, jamo) in [(0x1100, initials), (0x1161, vowels), (0x11A8, finals)] {
            for (offset, letters) in jamo.enumerated() {
                Unicode.Scalar(UInt32(start + offset)).map { table[$0] = String(letters) }
            }
        }
        return table
    }()

    /// Each letter with its Latin replacement, if it has one.
    private static let letters = """
        аa бb вv гg дd еe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya
        іi їyi єye ґg ўu јj љlj њnj ћc ђdj џdz
        αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs τt υy φf χch ψps ωo
        אa בb גg דd הh וv זz חch טt יy כk ךk לl מm םm נn ןn סs עa פp ףp צts ץts קk רr שsh תt
        اa أa إi آa بb تt ثth جj حh خkh دd ذdh رr زz سs شsh صs ضd طt ظz عa غgh فf قq كk لl مm نn هh وw يy ىa ةh ءa
        あa いi うu えe おo かka きki くku けke こko さsa しshi すsu せse そso たta ちchi つtsu てte とto なna にni ぬnu
        ねne のno はha ひhi ふfu へhe ほho まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa をo
        んn ゃya ゅyu ょyo ぁa ぃi ぅu ぇe ぉo っ
        """

    private static let voiced = syllables(
        """
        ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi ji tsu zu te de to do
        ha ba hi bi fu bu he be ho bo u vu
        """)
    private static let halfVoiced = syllables("ha pa hi pi fu pu he pe ho po")

    private static func syllables(_ text: String) -> [String: String] {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        return Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) })
    }
}
