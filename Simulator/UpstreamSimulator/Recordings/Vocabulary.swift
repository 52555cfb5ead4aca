/// The words from which names and titles are made.
enum Vocabulary {
    static let nouns = words(
        """
        Rain River Fire Morning Shadow Harbor Letter Mirror Garden Ocean Winter Summer Thunder Paper Mountain Highway
        Window Circle Diamond Stranger Lover Machine Engine Island Candle Ghost Angel Devil Radio Satellite Planet
        Heart Bone Blood Silver Gold Sugar Honey Smoke Ember Wave Anchor Compass Kingdom Castle Road Train Station
        City Village Daughter Brother Mother Sky Star Moon Sun Night Café Déjà-vu
        """)
    static let adjectives = words(
        """
        Broken Golden Silent Electric Hollow Velvet Crimson Lonely Wild Quiet Frozen Burning Endless Distant Hidden
        Sacred Bitter Gentle Restless Heavy Paper Neon Midnight Holy Wasted Faded Little Long Last First New Old Blue
        Black White Red Green Señorita's Naïve Brave Sleepy Savage Tender Strange
        """)
    static let verbs = words(
        """
        Run Fall Stay Leave Dance Cry Shine Burn Wait Sing Dream Drive Breathe Forget Remember Follow Believe Lie
        Swim Fly Call Break Hold Try
        """)
    static let artistFirsts = words(
        """
        Nora Elias Mira Otto Freja Lucía Zoë Jonas Anaïs Bruno Sigrún Milo Petra Hugo Ines Tomáš Łucja Søren Ada Felix
        Greta Oskar Vera Leon Ivy Marek Rosa Emil Clara Viktor Nina Arlo Juno Silas Pia Rafael Edda Noel Wanda Theo
        Lena Amos Ruth Kaspar Selma Ezra Dora Linus Maud Abel Hedda Joel Tilda Axel Runa Boris Stella Cyril Olga Piet
        """)
    static let artistLasts = words(
        """
        Lanterns Vale Marsh Holloway Wolves Sparrows Ashford Quarry Tides Larsen Moreau Novotný Parades Hart Winslow
        Foxes Atlas Bergström Keller Monroe Satellites Pines Okafor Delgado Ravens Whitaker Stone Harbour Lindqvist
        Ferreira Cartwright Mills Beacons O'Dowd Vance Rooks Castellan Duval Sundays Birch Mercer Haze Finch Orchards
        Strand Caldwell Iversen Echo
        """)
    static let places = words("Wembley Montreux Glastonbury Hammersmith Berlin Oslo Fillmore Roskilde Tokyo Prague")
    static let remixers = words("Halden Ostrava Kiko-N Vexler Lumen Tessera")
    static let karaokeArtists = ["Sing Along Crew", "Karaoke Evenings", "Backing Track Factory", "The Hit Singers"]
    static let genres = [
        "Pop", "Rock", "Alternative", "Electronic", "Dance", "Hip-Hop/Rap", "R&B/Soul", "Jazz", "Metal", "Folk",
        "Latin", "Indie Pop", "Country", "Soundtrack",
    ]
    static let playlistNames = [
        "To find", "Sunday morning", "Running & sweating", "Löyly", "90s <3", "Кухня", "Deep focus", "Road trip ’24",
        "夜の音楽", "Songs for Anna", "Party / loud", "Half asleep", "Rainy days", "ערב שבת", "Best of the office",
    ]

    /// Words of titles in another script; Latin has lists of its own.
    static func words(of script: Script) -> [String] { otherWords[script] ?? nouns }

    /// Names of artists in another script.
    static func artists(of script: Script) -> [String] { otherArtists[script] ?? artistFirsts }

    /// The words of titles in another script in Latin letters, in the same order.
    static func romanizedWords(of script: Script) -> [String] { latinWords[script] ?? nouns }

    /// Names of artists in another script in Latin letters, in the same order.
    static func romanizedArtists(of script: Script) -> [String] { latinArtists[script] ?? artistFirsts }

    private static let otherWords: [Script: [String]] = [
        .cyrillic: words("Звезда Ночь Дождь Осень Город Река Письмо Молчание Солнце Дорога Ветер Огонь Ёлка Йод Зима"),
        .greek: words("Θάλασσα Νύχτα Αγάπη Φεγγάρι Δρόμος Άνεμος Ήλιος Σιωπή Όνειρο Βροχή Καρδιά Πόλη"),
        .japanese: words("夜 雨 桜 ガラス ひかり 海 手紙 東京 夢 さよなら 星 風 プール 猫 ドア"),
        .korean: words("사랑 밤 비 별 바람 꽃 바다 서울 편지 꿈 안녕 겨울 봄날"),
        .arabic: words("ليل قمر حب بحر نجمة مطر طريق قلب صوت شمس ورد حلم"),
        .hebrew: words("לילה ירח אהבה ים כוכב גשם דרך לב קול שמש חלום עיר"),
    ]

    private static let otherArtists: [Script: [String]] = [
        .cyrillic: words("Маяк Катюша Север Полина Алые Ржавый Ёжик Трамвай Соня Гудок"),
        .greek: words("Ελένη Νίκος Κύματα Μαρία Ορίζοντες Δήμητρα Αστέρια Γιώργος"),
        .japanese: words("高橋 さくら 電気 ミナミ 青空 ゆき 銀河 カナリア"),
        .korean: words("김민지 하늘 소년단 이서연 달빛 은하수 바다소녀 푸른밤"),
        .arabic: words("فيروزة نجوم سارة الليل أمير واحة ليلى صحراء"),
        .hebrew: words("נועה המדבר אריאל שמיים תמר הגלים דניאל כרמל"),
    ]

    private static let latinWords: [Script: [String]] = [
        .cyrillic: words("Zvezda Noch Dozhd Osen Gorod Reka Pismo Molchanie Solntse Doroga Veter Ogon Yolka Yod Zima"),
        .greek: words("Thalassa Nychta Agapi Fengari Dromos Anemos Ilios Siopi Oneiro Vrochi Kardia Poli"),
        .japanese: words(
            "Yoru Ame Sakura Garasu Hikari Umi Tegami Tokyo Yume Sayonara Hoshi Kaze Puuru Neko Doa"),
        .korean: words("Sarang Bam Bi Byeol Baram Kkot Bada Seoul Pyeonji Kkum Annyeong Gyeoul Bomnal"),
        .arabic: words("Layl Qamar Hobb Bahr Najma Matar Tareeq Qalb Sawt Shams Ward Hulm"),
        .hebrew: words("Layla Yareach Ahava Yam Kochav Geshem Derech Lev Kol Shemesh Chalom Ir"),
    ]

    private static let latinArtists: [Script: [String]] = [
        .cyrillic: words("Mayak Katyusha Sever Polina Alye Rzhavy Yozhik Tramvay Sonya Gudok"),
        .greek: words("Eleni Nikos Kymata Maria Orizontes Dimitra Asteria Giorgos"),
        .japanese: words("Takahashi Sakura Denki Minami Aozora Yuki Ginga Kanaria"),
        .korean: ["Kim Minji", "Haneul", "Sonyeondan", "Lee Seoyeon", "Dalbit", "Eunhasu", "Badasonyeo", "Pureunbam"],
        .arabic: words("Fayrouza Nujoom Sara Allayl Amir Waha Layla Sahraa"),
        .hebrew: words("Noa Hamidbar Ariel Shamayim Tamar Hagalim Daniel Carmel"),
    ]

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
