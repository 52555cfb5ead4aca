/// The names around which the catalog is built: real ones where a person would type them.
enum ArtistNames {
    /// Artists that many people rank; each plays several shows.
    static let popular: [(name: String, style: Classification)] = [
        ("Imagine Dragons", .alternativeRock), ("Coldplay", .rock), ("Taylor Swift", .pop), ("Metallica", .metal),
        ("Adele", .pop), ("Billie Eilish", .pop), ("The Weeknd", .soul), ("Ed Sheeran", .pop), ("Dua Lipa", .pop),
        ("Radiohead", .alternativeRock), ("Arctic Monkeys", .alternativeRock), ("Foo Fighters", .rock),
        ("Red Hot Chili Peppers", .rock), ("The Killers", .alternativeRock), ("Linkin Park", .rock),
        ("Depeche Mode", .electronic), ("Rammstein", .metal), ("Iron Maiden", .metal), ("Green Day", .rock),
        ("Pearl Jam", .rock), ("U2", .rock), ("Florence + The Machine", .alternativeRock), ("Beyoncé", .soul),
        ("AC/DC", .rock), ("Guns N' Roses", .rock), ("Måneskin", .rock), ("Björk", .electronic),
        ("Sigur Rós", .alternativeRock), ("Lady Gaga", .pop), ("Bruno Mars", .pop), ("Harry Styles", .pop),
        ("Olivia Rodrigo", .pop), ("Kendrick Lamar", .hipHop), ("Eminem", .hipHop), ("Travis Scott", .hipHop),
        ("Post Malone", .hipHop), ("Tyler, The Creator", .hipHop), ("Lana Del Rey", .pop), ("Hozier", .folk),
        ("Mumford & Sons", .folk), ("Twenty One Pilots", .alternativeRock), ("Paramore", .rock),
        ("Gorillaz", .alternativeRock), ("Tame Impala", .alternativeRock),
        ("Nick Cave & The Bad Seeds", .alternativeRock), ("Robbie Williams", .pop), ("Bruce Springsteen", .rock),
        ("Paul McCartney", .rock), ("The Rolling Stones", .rock), ("Queens of the Stone Age", .rock),
        ("Nine Inch Nails", .alternativeRock), ("Massive Attack", .electronic), ("Kraftwerk", .electronic),
        ("Die Ärzte", .rock), ("Stromae", .pop), ("Rosalía", .pop), ("Shakira", .pop), ("Bad Bunny", .hipHop),
        ("Sabrina Carpenter", .pop), ("P!NK", .pop), ("Hans Zimmer", .otherMusic), ("Kabát", .rock),
        ("Мумий Тролль", .rock), ("宇多田ヒカル", .pop),
    ]

    /// Names that are ordinary words, so that a keyword also finds many other things.
    static let commonWords: [(name: String, style: Classification)] = [
        ("Air", .electronic), ("Low", .alternativeRock), ("Muse", .alternativeRock), ("Live", .rock), ("Yes", .rock),
        ("Train", .pop), ("Journey", .rock), ("Chicago", .rock), ("Boston", .rock), ("Europe", .rock),
    ]

    /// Known to Ticketmaster, but nothing of theirs is on sale.
    static let eventless: [(name: String, style: Classification)] = [
        ("Pink Floyd", .rock), ("Daft Punk", .electronic), ("Simon & Garfunkel", .folk), ("The Beatles", .rock),
        ("Led Zeppelin", .rock), ("Talking Heads", .alternativeRock), ("The Smiths", .alternativeRock),
        ("Joy Division", .alternativeRock), ("Amy Winehouse", .soul), ("Tom Petty and the Heartbreakers", .rock),
        ("Outkast", .hipHop), ("Kino", .rock),
    ]

    /// Names that are not in the catalog at all.
    static let absent = [
        "Vratislav Přeučil Trio", "Quiet Umbrella Society", "Zlatá Housenka", "The Unbooked Cellists",
        "Ångström Lullaby", "Ник Невидимый", "Nobody's Tambourine", "Seventeen Paper Moons", "Xylofonie Zet",
        "Grandfather's Theremin", "The Missing Encores", "Kapitän Niemand", "Sans Billet", "無名楽団",
        "Forgotten Kazoo Orchestra", "Last Row Balcony", "Plaza Sin Nombre", "The Unlisted", "Orkiestra Bez Sali",
        "Empty Stage Theory",
    ]

    /// Composers, whom Ticketmaster files under Arts & Theatre.
    static let composers = [
        "Wolfgang Amadeus Mozart", "Ludwig van Beethoven", "Johann Sebastian Bach", "Antonín Dvořák",
        "Bedřich Smetana", "Pyotr Ilyich Tchaikovsky", "Frédéric Chopin", "Antonio Vivaldi",
    ]

    /// Artists with more shows than one page can contain, or than paging reaches for all of them together.
    static let tireless: [(name: String, shows: Int, style: Classification)] = [
        ("Trans-Siberian Orchestra", 260, .metal), ("Joe Bonamassa", 160, .rock), ("André Rieu", 150, .classical),
        ("Willie Nelson", 150, .country), ("Il Divo", 150, .pop), ("Gipsy Kings", 150, .folk),
        ("Kidz Bop Kids", 150, .pop), ("Blue Man Group", 180, .theatre),
    ]

    /// Tribute acts, each with the artist whose songs they play.
    static let tributes: [(name: String, show: String?)] = [
        ("The Australian Pink Floyd Show", nil), ("Brit Floyd", "Brit Floyd: The World's Greatest Pink Floyd Show"),
        ("A Tribute to ABBA", nil), ("ABBA Mania", "ABBA MANIA: Tribute to ABBA"),
        ("The Bootleg Beatles", nil), ("Coldplace", "Coldplace - A Tribute to Coldplay"),
        ("Metallica Tribute: Damage Inc.", nil), ("Queens of the Stone Age Tribute Night", nil),
        ("Adele Songbook", "Someone Like You: The Adele Songbook"), ("Candlelight: Tribute to Imagine Dragons", nil),
        ("Letz Zep", "Letz Zep: A Tribute to Led Zeppelin"), ("The Smyths", "The Smyths - Tribute to The Smiths"),
    ]

    /// Parts from which the names of little-known artists are put together.
    static let adjectives = [
        "Velvet", "Hollow", "Paper", "Electric", "Crimson", "Silent", "Midnight", "Golden", "Broken", "Distant",
        "Wooden", "Neon", "Frozen", "Wandering", "Copper", "Lunar", "Rusty", "Gentle", "Savage", "Polar", "Amber",
        "Marble", "Hidden", "Northern", "Sunken", "Burning", "Cobalt", "Dusty", "Feral", "Glass", "Holy", "Iron",
        "Jaded", "Kindred", "Liquid", "Mellow", "Nervous", "Opal", "Pale", "Restless", "Scarlet", "Tidal", "Ultra",
        "Violet", "Winter", "Young", "Zephyr", "Ashen", "Brazen", "Cinder",
    ]
    static let nouns = [
        "Harbour", "Lanterns", "Foxes", "Parade", "Motel", "Orchard", "Signal", "Horses", "Cathedral", "Rivers",
        "Satellites", "Ghosts", "Avenue", "Machines", "Sparrows", "Theory", "Kingdom", "Wolves", "Letters", "Drift",
        "Colony", "Anthem", "Thieves", "Garden", "Mirrors", "Empire", "Swimmers", "Carousel", "Static", "Tigers",
        "Meridian", "Bandits", "Canyon", "Dolls", "Echoes", "Furnace", "Giants", "Hearts", "Islands", "Jury",
        "Keys", "Lovers", "Monuments", "Needles", "Oracles", "Pilots", "Quarry", "Rebels", "Sirens", "Tramps",
        "Union", "Vandals", "Whales", "Youth", "Zones", "Arrows", "Beacon", "Cables", "Dancers", "Embers",
    ]
    static let givenNames = [
        "Anna", "Bruno", "Clara", "Dario", "Elif", "Florian", "Greta", "Hugo", "Ines", "Jakub", "Katya", "Lars",
        "Marta", "Nils", "Olga", "Pavel", "Quinn", "Rosa", "Sven", "Tereza", "Umberto", "Vera", "Wanda", "Yusuf",
        "Zoë", "Åsa", "Émile", "Łukasz", "Ødis", "Çağla",
    ]
    static let familyNames = [
        "Novák", "Lindqvist", "Moreau", "Castellano", "Brandt", "Kowalska", "Osei", "Petrov", "Tanaka", "Whitlock",
        "Ferreira", "Haugen", "Iversen", "Jansen", "Keller", "Laurent", "Marchetti", "Nagy", "Okafor", "Popescu",
        "Rasmussen", "Sørensen", "Türk", "Vesely", "Weiss", "Yamada", "Zelenka", "Ashworth", "Bellamy", "Dvorsky",
    ]
    /// Names of tours, used in a show's name together with the artist's.
    static let tourNames = [
        "World Tour", "The Homecoming Tour", "European Tour", "Live in Concert", "The Long Way Round Tour",
        "An Evening With", "The Anniversary Tour", "Arena Tour", "Unplugged", "Summer Nights",
    ]
}
