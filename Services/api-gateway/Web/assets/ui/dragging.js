/** The distance from the window's edge at which the list scrolls, and the highest speed per frame, in pixels. */
const edge = 72;
const fastest = 14;

/**
 * Makes the rows of a list draggable by their `.handle`s, with mouse, pen or finger.
 *
 * Transforms move the rows during a drag; the document changes only when `drop(row, index)` changes it. Escape and a
 * lost pointer end the drag without a drop.
 */
export function makeDraggable(list, drop, { signal }) {
    let drag = null;

    list.addEventListener("pointerdown", (event) => {
        const handle = event.target.closest(".handle");
        if (!handle || handle.ariaDisabled === "true" || event.button !== 0 || drag) return;
        begin(handle, event);
    }, { signal });
    list.addEventListener("pointermove", (event) => {
        if (event.pointerId !== drag?.pointer) return;
        drag.y = event.clientY;
        follow();
    }, { signal });
    list.addEventListener("pointerup", (event) => event.pointerId === drag?.pointer && end(true), { signal });
    list.addEventListener("pointercancel", (event) => event.pointerId === drag?.pointer && end(false), { signal });
    list.addEventListener("lostpointercapture", (event) => event.pointerId === drag?.pointer && end(false), { signal });
    addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !drag) return;
        event.preventDefault();
        end(false);
    }, { signal });
    signal.addEventListener("abort", () => drag && end(false));

    function begin(handle, event) {
        const row = handle.closest("li");
        const rows = [...list.children];
        drag = {
            pointer: event.pointerId, handle, row, rows,
            from: rows.indexOf(row), to: rows.indexOf(row), y: event.clientY,
            /** Where the drag began, in document coordinates, which scrolling does not change. */
            grabbedAt: event.clientY + scrollY,
            centers: rows.map((row) => row.offsetTop + row.offsetHeight / 2),
            step: rows.length > 1 ? Math.abs(rows[1].offsetTop - rows[0].offsetTop) : 0,
            frame: requestAnimationFrame(scroll),
        };
        handle.setPointerCapture(event.pointerId);
        row.classList.add("dragged");
        list.classList.add("dragging");
    }

    function follow() {
        const { row, rows, from, centers, grabbedAt, step } = drag;
        // Never beyond the ends of the list: that would lengthen the page, and scrolling would not end.
        const last = centers.length - 1;
        const wanted = drag.y + scrollY - grabbedAt;
        const way = Math.min(Math.max(wanted, centers[0] - centers[from]), centers[last] - centers[from]);
        row.style.transform = `translateY(${way}px)`;
        const center = centers[from] + way;
        // A row makes room when the dragged one covers half of it.
        drag.to = centers.filter((other, index) => index !== from
            && (index < from ? other + step / 2 <= center : other - step / 2 <= center)).length;
        rows.forEach((other, index) => {
            if (other === row) return;
            const shift = index > from && index <= drag.to ? -step : index < from && index >= drag.to ? step : 0;
            other.style.transform = shift ? `translateY(${shift}px)` : "";
        });
    }

    function scroll() {
        if (!drag) return;
        const nearTop = Math.max(0, edge - drag.y);
        const nearBottom = Math.max(0, drag.y - (innerHeight - edge));
        const amount = (nearBottom - nearTop) / edge * fastest;
        if (amount) {
            scrollBy({ top: amount, behavior: "instant" });
            follow();
        }
        drag.frame = requestAnimationFrame(scroll);
    }

    function end(isDropped) {
        const { row, rows, from, to, frame, handle, pointer } = drag;
        drag = null;
        cancelAnimationFrame(frame);
        if (handle.hasPointerCapture(pointer)) handle.releasePointerCapture(pointer);
        list.classList.remove("dragging");
        for (const other of rows) other.style.transform = "";
        if (isDropped && to !== from) drop(row, to);
        row.classList.remove("dragged");
    }
}
