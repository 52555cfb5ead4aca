/// The words that name versions, in the languages of titles. To support another language, add its words here, with the
/// inflections that stand next to a word for `version`: singular and plural, and all genders. Releases at MusicBrainz
/// and Discogs show which words a language uses.
extension KeywordTable {
    /// The English names of languages, with the words that titles use for them.
    static let languages: [(name: String, words: String)] = [
        ("English", "english inglés englisch anglais anglaise inglese 英語 英语 英文 영어 английская"),
        ("Spanish", "spanish español española castellano spanglish"),
        ("French", "french français française"), ("German", "german deutsch deutsche"),
        ("Italian", "italian italiano italiana"), ("Portuguese", "portuguese português"),
        ("Japanese", "japanese japanisch japonaise 日本語 日语 日語 일본어"),
        ("Korean", "korean koreanisch coréenne 한국어 韓国語 韩语 韓語"),
        ("Chinese", "chinese mandarin cantonese chinesisch 中文 国语 國語 粤语 粵語 中国語 중국어"), ("Hindi", "hindi हिन्दी हिंदी"),
        ("Arabic", "arabic arabe"),
        ("Russian", "russian русская"), ("Swedish", "swedish svenska"), ("Dutch", "dutch nederlands"),
        ("Hebrew", "hebrew עברית"), ("Turkish", "turkish türkçe"), ("Polish", "polish"), ("Greek", "greek"),
        ("Finnish", "finnish"), ("Norwegian", "norwegian"),
    ]

    /// Versions that are separate recordings, in addition to ``SongVersion/Kinds``.
    static let otherVersions: [(name: String, words: String)] = [
        ("reprise", "reprise"), ("mono", "mono"),
        (
            "orchestral",
            """
            orchestral orchestrale orchestrales orchestraal orkestral orkestraal orquestal orquestales orquestral \
            symphonic symphonique symphoniques symphonisch symphonische sinfonisch sinfonische sinfónico sinfónica \
            sinfonico sinfonica sinfônico sinfônica symfonisk symfonisch symfonický symfoniczna симфоническая \
            симфонический оркестровая оркестровые
            """
        ),
        ("piano", "piano pianoforte klavier klavír fortepian ピアノ 피아노 钢琴 鋼琴 фортепиано πιάνο"),
        ("mixed", "mixed continuous"), ("alternate", "alternate alternative outtake outtakes"),
        ("rerecorded", "rerecorded rerecording rerecordings remake neuaufnahme regrabación regravação"),
        ("sped up", "sped nightcore"), ("slowed", "slowed"),
        ("8D", "8d"), ("cover", "cover"), ("medley", "medley"), ("mashup", "mashup"), ("session", "session sessions"),
        ("commentary", "commentary interview"), ("rehearsal", "rehearsal rehearsals"),
        ("early", "early"), ("rough", "rough"),
        ("lo-fi", "lofi"), ("8-bit", "chiptune"),
        ("reimagined", "reimagined reworked revisited"), ("drumless", "drumless"), ("music box", "オルゴール"),
    ]

    /// Nouns with which an album says who or what plays all of its songs, if nothing else is said beside its name:
    /// `(With Orchestra)`, `(Guitar Versions)`, `(String Quartet Version)`. In a song's title they name a version only
    /// next to a word for one.
    static let instruments = """
        orchestra orchester orchestre orquesta orquestra orkest orkester orkiestra orchestr zenekar orkestra оркестр \
        string strings streicher cordes cuerdas archi cordas strijkers stråkar smyčce \
        guitar guitars gitarre gitarren guitare guitarra chitarra gitaar gitarr gitara kytara гитара ギター 기타 吉他 \
        ukulele ukelele cello violoncello violin violine violon violín violino harp harfe harpe arpa flute flöte flauta \
        saxophone organ orgel órgano marimba accordion akkordeon bandoneon \
        lullaby lullabies wiegenlied wiegenlieder berceuse berceuses
        """

    /// The kinds of versions.
    static let kinds: [(term: TitleTerm, words: String)] = [
        (
            .kind(.live),
            """
            live vivo directo unplugged ライブ ライヴ 라이브 концерт mitschnitt konzertmitschnitt konzertaufnahme \
            konzertversion konzertfassung canlı konser żywo živo živě naživo uživo уживо наживо вживую лайв livenä \
            élőben koncertowa концертная концертный концертна ζωντανά ζωντανή ζωντανό λάιβ לייב בהופעה הופעה مباشر \
            لايف लाइव แสดงสด การแสดงสด บันทึกการแสดงสด คอนเสิร์ต 生演奏 实况 實況 现场 現場 演唱会 演唱會 音乐会 音樂會
            """
        ),
        (
            .kind(.remix),
            """
            remix rmx remixed remixes remixado bootleg rework refix flip dub vip ремикс ремікс リミックス 리믹스 混音 \
            ρεμίξ רמיקס ريمكس รีมิกซ์
            """
        ),
        (
            .kind(.acoustic),
            """
            acoustic akustik acústico acústica acústicos acústicas acoustique acoustiques acustico acustica stripped \
            akustisk akustisch akustische akustischen akoestisch akustyczna akustická \
            akustinen акустика акустическая акустична ακουστικό ακουστική \
            acustiche acustici akustyczne akustyczny akustické akustický akoestische akustiska akustiske akustiset \
            akusztikus acustică acustice akustična akustične akustika akustiškai akustiskā акустические акустический \
            акустичні акустичен ακουστικές ακουστικά أكوستيك اكوستيك אקוסטי אקוסטית 어쿠스틱 アコースティック 不插电 不插電
            """
        ),
        (
            .kind(.instrumental),
            """
            instrumental instrumentale instrumentals instrumentales instrumentais instrumentali instrumentaux \
            instrumentaal instrumentalna instrumentaali enstrümantal インスト \
            インストゥルメンタル インストルメンタル 인스트루멘탈 inst 연주곡 반주 инструментал инструментальная \
            инструменталы инструментальные інструментал інструментальна strumentale strumentali instr instrumentálna \
            instrumentální instrumentalne instrumentalny instrumentalt instrumentala \
            instrumentaler instrumentalen instrumentaalit hangszeres sözsüz אינסטרומנטלי 伴奏 純音樂 纯音乐 \
            オフボーカル オフヴォーカル
            """
        ),
        (
            .kind(.karaoke),
            """
            karaoke カラオケ караоке tribute tributes tributo hommage omaggio homenaje homenagem трибьют トリビュート \
            트리뷰트 tributeband tributebands coverband coverbands playback 노래방 卡拉OK καραόκε קריוקי كاريوكي คาราโอเกะ कराओके
            """
        ),
        (
            .kind(.demo),
            """
            demo demos demot demók demoer demówki démo démos maqueta maquetas maquette maquettes demoaufnahme \
            demoaufnahmen демо демозапись демозаписи демки デモ 데모
            """
        ),
        (.kind(.extended), "extended maxi"),
        (.kind(.aCappella), "acapella acapellas acappella acappellas cappella cappellas アカペラ 아카펠라 无伴奏 無伴奏"),
        (.kind(.video), "video videoclip"),
        (
            .kind(.remaster),
            """
            remaster remastered remastering remasterizado remasterizada remasterisé リマスター リマスタリング 리마스터 ремастер
            """
        ),
    ]
}
