/** Who may see a profile: a text for each value of the API's `profileVisibility`. */
export const audiences = { public: "Everyone here", followers: "Your followers", private: "Only you" };
