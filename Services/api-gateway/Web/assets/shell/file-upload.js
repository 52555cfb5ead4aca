/**
 * Sends a file as the body of a request, as `fetch` would, but reports its progress: `progress(share)` is called with
 * the share that has been sent, from 0 to 1. Rejects with a `TypeError` if no server answers, and with an `AbortError`
 * if `signal` is aborted.
 */
export function sendFile(method, path, file, { headers, signal, progress }) {
    return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const request = new XMLHttpRequest();
        request.open(method, path);
        for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
        request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
            lengthComputable && total > 0 && progress(loaded / total);
        request.onload = () => resolve(new Response(request.status === 204 ? null : request.response, {
            status: request.status, statusText: request.statusText, headers: headersOf(request),
        }));
        request.onerror = () => reject(new TypeError("The server does not answer."));
        request.onabort = () => reject(new DOMException("The page was left.", "AbortError"));
        signal.addEventListener("abort", () => request.abort());
        request.send(file);
    });
}

function headersOf(request) {
    return new Headers(request.getAllResponseHeaders().trim().split(/[\r\n]+/).filter(Boolean).map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }));
}
