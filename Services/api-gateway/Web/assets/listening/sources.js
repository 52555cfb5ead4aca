/** The names of the kinds of sources. */
export const listeningSourceNames = {
    listenBrainz: "A player",
    spotifyRecent: "Spotify",
    spotifyHistory: "Spotify’s history",
    spotifyAccountData: "Spotify’s account data",
    listenBrainzFile: "A ListenBrainz file",
    lastfm: "Last.fm",
    appleMusicActivity: "Apple Music’s history",
    otherFile: "Another file",
};
