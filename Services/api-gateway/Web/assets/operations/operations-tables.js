import { DataTable } from "../ui/data-table.js";
import { clockTime, counted, decimal, seconds } from "../ui/formats.js";

export function workersTable() {
    return new DataTable({
        caption: "Workers",
        nothing: "No worker is connected, so jobs are waiting.",
        columns: [
            { name: "Worker", cell: ({ name }) => name },
            { name: "Connected since", cell: ({ connectedAt }) => clockTime(connectedAt) },
            { name: "Last heard", cell: ({ lastHeardSecondsAgo }) => `${seconds(lastHeardSecondsAgo)} ago` },
            { name: "Jobs", cell: ({ held, capacity }) => `${held} of ${capacity}` },
            { name: "Credit", cell: ({ credit }) => String(credit) },
            { name: "Process", cell: ({ pid }) => String(pid) },
            { name: "Running", cell: ({ jobs }) => workOf(jobs) },
        ],
    });
}

function workOf(jobs) {
    const kinds = Map.groupBy(jobs, (job) => job.kind);
    return [...kinds].map(([kind, jobs]) => `${jobs.length} × ${kind}`).join(", ") || "nothing";
}

export function permitsTable() {
    return new DataTable({
        caption: "Permits for requests to other services",
        nothing: "There have been no requests yet.",
        columns: [
            { name: "Service", cell: ({ provider }) => provider },
            { name: "Key", cell: ({ credential }) => credential },
            { name: "Free", cell: ({ free, slots }) => `${free} of ${slots}` },
            { name: "Busy", cell: ({ busy }) => String(busy) },
            { name: "Waiting", cell: ({ waiting }) => waiting === undefined ? "–" : counted(waiting, "call") },
            { name: "Paused until", cell: ({ pausedUntil }) => pausedUntil ? clockTime(pausedUntil) : "not paused" },
        ],
    });
}

export function kindsTable() {
    const states = ["scheduled", "queued", "running", "succeeded", "failed", "cancelled"];
    return new DataTable({
        caption: "Jobs by kind and state",
        nothing: "There are no jobs yet.",
        columns: [
            { name: "Kind", cell: ({ kind }) => kind },
            ...states.map((state) => ({
                name: state[0].toUpperCase() + state.slice(1), cell: (counts) => decimal(counts[state]),
            })),
        ],
    });
}

export function upstreamTable() {
    return new DataTable({
        caption: "Requests to other services, since the processes started",
        nothing: "There have been no requests yet.",
        columns: [
            { name: "Service", cell: ({ provider }) => provider },
            { name: "Answer", cell: ({ status }) => String(status) },
            { name: "Requests", cell: ({ calls }) => decimal(calls) },
        ],
    });
}
