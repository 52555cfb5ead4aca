/** An upstream's address if it has one of the schemes, else `null`: nobody's `javascript:` becomes a link of ours. */
export function safeURL(text, schemes = ["https:", "http:"]) {
    if (!text || !URL.canParse(text)) return null;
    const url = new URL(text);
    return schemes.includes(url.protocol) ? url.href : null;
}
