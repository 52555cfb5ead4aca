import Model

/// The words that have a meaning, looked up by the hashes of their folded forms.
struct KeywordTable: Sendable {
    static let shared = KeywordTable()

    private static let otherTerms: [(term: TitleTerm, words: String)] = [
        (.mix, "mix ミックス 믹스 микс"), (.edit, "edit エディット 에디트"),
        (
            .version,
            """
            version ver vers versión versione versão versie versio versjon verze verzió wersja fassung バージョン \
            ヴァージョン 버전 версия версія εκδοχή גרסה גירסה نسخة เวอร์ชัน เวอร์ชั่น 版 版本 \
            versions versiones versioni versões versies versiot versioner versjoner verziók verzie versiuni versiune \
            wersje fassungen versionen версии версій версії εκδοχές גרסאות نسخ sürüm sürümü sürümler versiyon
            """
        ),
        (.explicit, "explicit explícita explícito explicite esplicita esplicito explizit dirty uncensored unedited"),
        (
            .clean,
            "clean edited censored amended bleeped bereinigt bereinigte zensiert censurée censurado censurada gekuist"
        ),
        (
            .neutral,
            """
            album main lp standard bonus track tracks deluxe edition edición digital exclusive booklet audio official \
            lyrics lyric hidden single full length stereo studio itunes amazon spotify bonustrack アルバム 앨범 シングル 专辑 \
            專輯 完整 官方
            """
        ),
        (
            .filler,
            """
            the a an original only content new in on auf en at from and & of super special expanded na aufnahme opname \
            opptak optagelse inspelning オリジナル 原
            """
        ),
        (.part, "pt part parts pts teil parte partie часть"), (.feature, "feat ft featuring"),
    ]

    private static let roles: [(roles: Keyword.Roles, words: String)] = [
        (.conjunction, "and & n"),
        (
            .separator,
            """
            feat ft featuring with vs versus meets x presents pres alongside b2b b3b y et und och og con com mit avec \
            med 和 与 與 と 및
            """
        ),
        // Among them are the words for "and" in Dutch, Italian and Portuguese, Polish and Croatian, Finnish, Turkish,
        // Hungarian, Russian and Ukrainian, Greek, Lithuanian, Latvian, Romanian, Indonesian, Vietnamese, Slovene,
        // Basque, Estonian, Icelandic, Albanian, Irish, Georgian, Armenian, Arabic and Persian, Thai, Hindi, Korean and
        // Chinese, as the languages of the Unicode CLDR write lists, and further words for "and" and "with".
        (
            .innerSeparator,
            """
            n en e i ja ve és и і та και ir un și dan và in eta ning dhe agus და և و และ और 와 과 跟 同 \
            oraz sekä samt ile z s til plus duet starring
            """
        ),
        (
            .nameGoesOn,
            """
            the his her their my your friends company co sons family band orchestra orchester orchestre orquesta \
            orquestra ensemble crew gang los las les gli die das der den seine sein ihre ses sus su
            """
        ),
        (
            .addition,
            """
            bonus bonustrack with plus extra extras including includes included incl inkl inklusive enthalten incluido incluidos incluidas inclus incluses incluso inclusi mit avec con com und et y e \
            + rarities remixes videos dvd
            """
        ),
        (.the, "the"), (.article, "the los las les le la el il lo gli die das der het de os"),
        // These occur in names of groups at MusicBrainz and Discogs.
        (
            .ensemble,
            """
            trio duo quartet quintet sextet septet octet nonet quartett quintett sextett septett oktett cuarteto \
            quinteto sexteto quarteto quartetto quintetto sestetto quatuor quintette kvartet kvartett kvintet \
            kwartet kwintet orchestra orchester orchestre orquesta orquestra orkest orkester orkiestra ensemble \
            conjunto combo band bigband group gruppe grupo gruppo groupe choir chorus chor coro choeur chorale \
            singers players allstars collective collectif kollektiv project projekt crew family \
            philharmonic philharmonia philharmonie philharmoniker philharmonique filarmonica filarmónica filharmonia \
            filharmonie filharmoniker filharmonien sinfonietta symphoniker staatskapelle camerata consort \
            sinfonieorchester symphonieorchester kammerorchester rundfunkorchester staatsorchester kammerchor \
            филармония フィルハーモニー 愛樂 爱乐 \
            трио квартет квинтет оркестр ансамбль группа хор トリオ カルテット クインテット オーケストラ バンド 楽団 合唱団 \
            乐队 樂隊 乐团 樂團 合唱团 合唱團 밴드 트리오 오케스트라
            """
        ),
        (.instrument, instruments),
        (.withGuests, "with w duet con mit avec"), (.note, "prod produced written"), (.origin, "from theme aus music"),
        (.short, "radio short tv 7 single シングル"), (.long, "12 long ロング"),
        (.descriptive, "radio short tv 7 12 inch long club ロング"),
        (.club, "club"), (.radio, "radio"), (.unplugged, "unplugged stripped"), (.live, "live"),
        (.beforeVerb, "i you we they to and or long who how must lets dont cant wanna gotta"),
        (
            .afterVerb,
            """
            through it up your my our this that for like free to by without within a the life now again more well \
            high as is or forever young wild fast today tomorrow together alone large little simply easy what each \
            every one another long before after laugh love learn let die
            """
        ),
        (
            .afterLive,
            """
            at in from on version versión versione versão versie versio versjon verze verzió wersja fassung ver バージョン \
            ヴァージョン 版 acoustic session sessions recording aufnahme take edit mix bonus performance lounge
            """
        ),
        (
            .edition,
            """
            ep single remixes limited platinum gold complete collectors collector collection anniversary th st nd rd \
            1st 2nd 3rd 5th 10th 15th 20th 25th 30th 35th 40th 45th 50th international uk us japan fan party ultimate \
            yearbook tour target soundtrack ost motion picture reissue re issue enhanced premium legacy extra extras \
            disc cd box set bundle double songs with by
            """
        ),
        (.albumSuffix, "ep single remixes remix soundtrack ost"), (.soundtrack, "soundtrack music"),
        (.tribute, "karaoke カラオケ караоке 노래방 卡拉OK καραόκε קריוקי كاريوكي คาราโอเกะ कराओके"), (.made, "made originally"),
        (.famous, "famous popular performed"),
        (.style, "style tribute"), (.of, "of to"), (.backing, "backing"), (.track, "track tracks"), (.to, "to"),
        (.remix, "remix rmx ремикс リミックス 리믹스"), (.onStage, "in en im"),
        (.stage, "concert concierto concerto konzert"), (.ordinalSuffix, "st nd rd th o a e er re eme"),
        (
            .section,
            """
            movement mvt mouvement movimento movimiento satz act akt acte acto atto scene szene scène chapter kapitel \
            chapitre capítulo capitolo hoofdstuk rozdział глава episode episodio épisode folge volume vol nr
            """
        ),
    ]

    /// A hash table with open addressing; a hash of 0 marks an empty slot.
    private var hashes: [UInt64]
    private var keywords: [Keyword]

    private init() {
        var byHash: [UInt64: Keyword] = [:]
        func change(_ words: String, _ body: (inout Keyword) -> Void) {
            for word in words.split(whereSeparator: \.isWhitespace) {
                body(&byHash[StableHash.of(FoldedText.scalars(of: String(word))), default: .none])
            }
        }
        for (term, words) in Self.kinds + Self.otherTerms { change(words) { $0.term = term } }
        for (index, language) in Self.languages.enumerated() {
            change(language.words) { $0.term = .language(UInt8(index)) }
        }
        for (index, version) in Self.otherVersions.enumerated() {
            change(version.words) { $0.term = .other(UInt8(index)) }
        }
        for (roles, words) in Self.roles { change(words) { $0.roles.formUnion(roles) } }
        let roman = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
        let english = "one two three four five six seven eight nine ten"
        let ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth"
        for list in [roman, english, ordinals] {
            for (index, word) in list.split(separator: " ").enumerated() {
                change(String(word)) {
                    $0.number = Int8(index + 1)
                    if list == roman { $0.roles.insert(.romanNumeral) }
                    if list == ordinals { $0.roles.insert(.ordinal) }
                }
            }
        }
        let size = 4_096
        hashes = Array(repeating: 0, count: size)
        keywords = Array(repeating: .none, count: size)
        for (hash, keyword) in byHash {
            var bucket = Int(truncatingIfNeeded: hash) & (size - 1)
            while hashes[bucket] != 0 { bucket = (bucket + 1) & (size - 1) }
            hashes[bucket] = hash
            keywords[bucket] = keyword
        }
    }

    subscript(hash: UInt64) -> Keyword {
        var bucket = Int(truncatingIfNeeded: hash) & (hashes.count - 1)
        while hashes[bucket] != 0 {
            if hashes[bucket] == hash { return keywords[bucket] }
            bucket = (bucket + 1) & (hashes.count - 1)
        }
        return .none
    }

    /// The indices of versions in ``otherVersions``.
    static func indices(ofVersions names: Set<String>) -> Set<UInt64> {
        Set(otherVersions.indices.filter { names.contains(otherVersions[$0].name) }.map { UInt64($0) })
    }

    /// The words for ensembles in scripts that are written without spaces; folded, the longest first.
    static let ensemblesWithoutSpaces: [[Unicode.Scalar]] = roles.filter { $0.roles == .ensemble }
        .flatMap { $0.words.split(whereSeparator: \.isWhitespace) }
        .map { FoldedText.scalars(of: String($0)) }
        .filter { scalars in scalars.allSatisfy { $0.value >= 0x1100 } }
        .sorted { $0.count > $1.count }

    /// Whether words mean a take on stage, such as `in concert`.
    static func isInConcert(_ words: [Word]) -> Bool {
        zip(words, words.dropFirst()).contains { $0.is(.onStage) && $1.is(.stage) }
    }

    /// Whether a word of a name says that it belongs to imitators, such as `Cover Band`.
    static func isCopying(_ word: Word, before next: Word?) -> Bool {
        switch word.term {
        case .kind(.karaoke): true
        case .other(let bucket): otherVersions[Int(bucket)].name == "cover" && next?.is(.ensemble) == true
        default: false
        }
    }

    /// Whether words mark an imitation by somebody else, such as `made famous by`.
    static func isTribute(_ words: [Word]) -> Bool {
        for (index, word) in words.enumerated() where !word.keyword.roles.isEmpty {
            if word.is(.tribute) { return true }
            guard index + 1 < words.count else { continue }
            let next = words[index + 1]
            if word.is(.made) && next.is(.famous) || word.is(.style) && next.is(.of)
                || word.is(.backing) && next.is(.track)
            {
                return true
            }
        }
        return false
    }
}
