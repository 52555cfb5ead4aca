/** Dates, times and prices in the reader's own format. `locale` is for tests; without it the browser's applies. */

// Dates of concerts are local to the venue. Parsed and formatted in the same zone, none shifts to another day.
const zone = { timeZone: "UTC" };
const day = { weekday: "short", day: "numeric", month: "long", year: "numeric", ...zone };
const longDay = { ...day, weekday: "long" };
const time = { timeStyle: "short", ...zone };
const formatters = new Map();

/** Caches formatters: creating one takes much longer than using it. */
function formatter(kind, options, locale) {
    const key = JSON.stringify([kind.name, options, locale]);
    if (!formatters.has(key)) formatters.set(key, new kind(locale, options));
    return formatters.get(key);
}

/** A time of day without a place for a line break: "11:24 PM". Browsers write different spaces in it. */
function nonBreaking(clock) {
    return clock.replaceAll(/\s/g, "\u00A0");
}

/** "Fri, 11 December 2026, 20:00", or which part is to be announced. */
export function showDate({ localDate, localTime, dateTBA, timeTBA }, locale) {
    if (dateTBA || !localDate) return "Date to be announced";
    const date = showDay(localDate, locale);
    if (timeTBA || !localTime) return `${date} · Time to be announced`;
    return `${date}, ${showTime(localTime, locale)}`;
}

/** "Fri, 11 December 2026" from the day at a venue. */
export function showDay(localDate, locale) {
    return formatter(Intl.DateTimeFormat, day, locale).format(new Date(`${localDate}T00:00:00Z`));
}

/** "20:00" from the time of day at a venue: 20:00:00. */
export function showTime(localTime, locale) {
    return nonBreaking(formatter(Intl.DateTimeFormat, time, locale).format(new Date(`1970-01-01T${localTime}Z`)));
}

/** "Friday, 11 December 2026", for a heading. */
export function dayHeading(localDate, locale) {
    return formatter(Intl.DateTimeFormat, longDay, locale).format(new Date(`${localDate}T00:00:00Z`));
}

/** "€45.17 – 90.34" from the gateway's "EUR 45.17–90.34". Any other text stays as it is. */
export function price(text, locale) {
    const match = /^([A-Z]{3}) (\d+(?:\.\d+)?)(?:–(\d+(?:\.\d+)?))?$/.exec(text);
    if (!match) return text;
    const [, currency, from, to] = match;
    const format = formatter(Intl.NumberFormat, { style: "currency", currency }, locale);
    return to ? format.formatRange(Number(from), Number(to)) : format.format(Number(from));
}

/**
 * "US$1.20", "US$0.0019" from an amount and a currency as the gateway returns them. Amounts below one show two
 * significant digits, however small they are.
 */
export function money({ amount, currency }, locale) {
    const number = Number(amount);
    const digits = number > 0 && number < 1 ? { minimumSignificantDigits: 2, maximumSignificantDigits: 2 } : {};
    return formatter(Intl.NumberFormat, { style: "currency", currency, ...digits }, locale).format(number);
}

/** Replaces every UTC time (RFC 3339) in a sentence with the reader's local time. */
export function localTimes(sentence, locale) {
    const format = formatter(Intl.DateTimeFormat, { dateStyle: "medium", timeStyle: "short" }, locale);
    const ofTime = ["hour", "minute", "second", "dayPeriod"];
    const isWithinTime = (before, after) => ofTime.includes(before?.type) && ofTime.includes(after?.type);
    return sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (instant) =>
        format.formatToParts(new Date(instant)).map(({ type, value }, index, parts) =>
            type === "literal" && isWithinTime(parts[index - 1], parts[index + 1])
                ? nonBreaking(value) : value).join(""));
}

/** "Adele, Coldplay and Kabát" */
export function namesList(names) {
    return formatter(Intl.ListFormat, { type: "conjunction" }, "en-GB").format(names);
}

/** "1,200" */
export function grouped(count) {
    return formatter(Intl.NumberFormat, {}, undefined).format(count);
}

/** "1 concert", "45 concerts", "3 people" */
export function counted(count, noun, plural = `${noun}s`) {
    return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** "3:07", "1:02:45" from milliseconds. */
export function trackTime(milliseconds) {
    const total = Math.round(milliseconds / 1_000);
    const [hours, minutes, rest] = [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60];
    const parts = hours > 0 ? [hours, String(minutes).padStart(2, "0")] : [minutes];
    return [...parts, String(rest).padStart(2, "0")].join(":");
}

/** "1,234.5": two decimal places below 10, one below 100, none above. */
export function decimal(number) {
    const places = number < 10 ? 2 : number < 100 ? 1 : 0;
    return formatter(Intl.NumberFormat, { maximumFractionDigits: places }, undefined).format(number);
}

/** "4.2 s", "3 min", "2 h" */
export function seconds(number) {
    if (number < 120) return `${decimal(number)} s`;
    return number < 7_200 ? `${Math.round(number / 60)} min` : `${Math.round(number / 3_600)} h`;
}

/** "3.4 MiB" */
export function bytes(number) {
    const units = ["bytes", "KiB", "MiB", "GiB"];
    const index = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, number)) / 10)));
    return `${decimal(number / 1024 ** index)} ${units[index]}`;
}

/** "20 November 2026" */
export function longDate(instant, locale) {
    return formatter(Intl.DateTimeFormat, { dateStyle: "long" }, locale).format(new Date(instant));
}

/** "20 Nov 2026" */
export function shortDate(instant, locale) {
    return formatter(Intl.DateTimeFormat, { dateStyle: "medium" }, locale).format(new Date(instant));
}

/** "1 February 2019", "February 2019" or "2019", as precisely as the date is known: 2019-02-01, 2019-02 or 2019. */
export function releaseDate(text, locale) {
    const [year, month, date] = text.split("-");
    if (!month) return year;
    const parts = date ? { dateStyle: "long" } : { month: "long", year: "numeric" };
    return formatter(Intl.DateTimeFormat, { ...parts, ...zone }, locale)
        .format(new Date(`${year}-${month}-${date ?? "01"}T00:00:00Z`));
}

/** "1 Feb 2019", "Feb 2019" or "2019", as precisely as the date is known. */
export function shortReleaseDate(text, locale) {
    const [year, month, date] = text.split("-");
    if (!month) return year;
    const parts = date ? { dateStyle: "medium" } : { month: "short", year: "numeric" };
    return formatter(Intl.DateTimeFormat, { ...parts, ...zone }, locale)
        .format(new Date(`${year}-${month}-${date ?? "01"}T00:00:00Z`));
}

/** "Fri, 20 Nov 2026" in the reader's zone. */
export function weekday(instant, locale) {
    const parts = { weekday: "short", day: "numeric", month: "short", year: "numeric" };
    return formatter(Intl.DateTimeFormat, parts, locale).format(new Date(instant));
}

/** The day of a moment in the reader's zone, for comparison with others. */
export function dayOf(instant) {
    return new Date(instant).toDateString();
}

/** "14:05" */
export function clockOnly(instant, locale) {
    return nonBreaking(formatter(Intl.DateTimeFormat, { timeStyle: "short" }, locale).format(new Date(instant)));
}

/** "14:05" today, "20 Nov, 14:05" on other days. */
export function clockTime(instant, { withSeconds = false, locale } = {}) {
    const date = new Date(instant);
    const isToday = date.toDateString() === new Date().toDateString();
    const clock = formatter(Intl.DateTimeFormat, { timeStyle: isToday && withSeconds ? "medium" : "short" }, locale);
    if (isToday) return nonBreaking(clock.format(date));
    // Formatted separately: together, browsers write the hour differently, "8:40" instead of "08:40" in Britain.
    const dayOfYear = formatter(Intl.DateTimeFormat, { day: "numeric", month: "short" }, locale);
    return `${dayOfYear.format(date)}, ${nonBreaking(clock.format(date))}`;
}
