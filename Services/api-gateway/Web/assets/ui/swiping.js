/** How far a row has to be swiped to be removed, as a part of its width, and when a move becomes a swipe, in pixels. */
const enough = 0.35;
const slack = 12;

/**
 * Removes the rows of a list that a finger or a pen swipes to a side: `remove(row)` is called when it lets go. Rows that
 * are short of that go back. The style sheet leaves only vertical moves on the rows to the browser (`touch-action`). A
 * list has to offer another way, for a mouse and a keyboard.
 */
export function makeSwipeable(list, remove, { signal }) {
    let swipe = null;

    list.addEventListener("pointerdown", ({ target, pointerId, pointerType, isPrimary, clientX, clientY }) => {
        // A handle drags its row.
        if (pointerType === "mouse" || !isPrimary || swipe || target.closest(".handle")) return;
        const row = [...list.children].find((one) => one.contains(target));
        if (row) swipe = { pointer: pointerId, row, x: clientX, y: clientY, way: 0, isSwipe: false };
    }, { signal });
    list.addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
        if (pointerId !== swipe?.pointer) return;
        const [across, down] = [clientX - swipe.x, clientY - swipe.y];
        if (!swipe.isSwipe) {
            if (Math.abs(down) > slack && Math.abs(down) >= Math.abs(across)) swipe = null;
            if (!swipe || Math.abs(across) <= slack) return;
            swipe.isSwipe = true;
            // The press does not count for what is below the finger.
            swipe.row.setPointerCapture(pointerId);
            swipe.row.classList.add("swiped");
        }
        swipe.way = across;
        swipe.row.style.transform = `translateX(${across}px)`;
        swipe.row.classList.toggle("far", isFar(swipe));
    }, { signal });
    list.addEventListener("pointerup", ({ pointerId }) => pointerId === swipe?.pointer && end(isFar(swipe)), { signal });
    for (const event of ["pointercancel", "lostpointercapture"]) {
        list.addEventListener(event, ({ pointerId }) => pointerId === swipe?.pointer && end(false), { signal });
    }

    function isFar({ row, way, isSwipe }) {
        return isSwipe && Math.abs(way) >= enough * row.offsetWidth;
    }

    function end(isMeant) {
        const { row } = swipe;
        swipe = null;
        row.classList.remove("swiped", "far");
        row.style.transform = "";
        if (isMeant) remove(row);
    }
}
