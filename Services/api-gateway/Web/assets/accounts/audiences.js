/** Who may see a profile, in words, by the API's names. */
export const audiences = { public: "Everybody here", followers: "Your followers", private: "Only you" };
