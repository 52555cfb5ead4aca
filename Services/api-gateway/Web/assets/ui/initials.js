/** One or two letters in place of a picture: "ID" for "Imagine Dragons", "AD" for "AC/DC", "AI" for "Air". */
export function initials(name) {
    const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
    const significant = words.length > 2 && /^the$/i.test(words[0]) ? words.slice(1) : words;
    const letters = significant.length === 1 ? [...significant[0]] : significant.map((word) => [...word][0]);
    return letters.slice(0, 2).join("").toLocaleUpperCase();
}
