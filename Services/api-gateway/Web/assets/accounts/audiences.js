/** Who may see a profile: words for the API's `profileVisibility`. */
export const audiences = { public: "Everybody here", followers: "Your followers", private: "Only you" };
