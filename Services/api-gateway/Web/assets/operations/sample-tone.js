/** The samples a second, the length in seconds, and the frequency in hertz. */
const rate = 8_000;
const length = 4;
const frequency = 440;

let address = null;

/** The address of a short tone: a WAV file with one channel of 8-bit PCM. */
export function sampleTone() {
    address ??= `data:audio/wav;base64,${btoa(String.fromCharCode(...file()))}`;
    return address;
}

function file() {
    const count = rate * length;
    const bytes = new Uint8Array(44 + count);
    const view = new DataView(bytes.buffer);
    const text = (at, letters) => bytes.set(new TextEncoder().encode(letters), at);
    text(0, "RIFF");
    view.setUint32(4, 36 + count, true);
    text(8, "WAVEfmt ");
    view.setUint32(16, 16, true);
    view.setUint16(20, 1, true);
    view.setUint16(22, 1, true);
    view.setUint32(24, rate, true);
    view.setUint32(28, rate, true);
    view.setUint16(32, 1, true);
    view.setUint16(34, 8, true);
    text(36, "data");
    view.setUint32(40, count, true);
    for (let index = 0; index < count; index += 1) {
        bytes[44 + index] = 128 + Math.round(40 * Math.sin(2 * Math.PI * frequency * index / rate));
    }
    return bytes;
}
