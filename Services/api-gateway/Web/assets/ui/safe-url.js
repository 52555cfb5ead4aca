/** An external address if it has one of the schemes, else `null`. This keeps `javascript:` out of our links. */
export function safeURL(text, schemes = ["https:", "http:"]) {
    if (!text || !URL.canParse(text)) return null;
    const url = new URL(text);
    return schemes.includes(url.protocol) ? url.href : null;
}
