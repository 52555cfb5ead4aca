import { DataTable } from "../components/data-table.js";
import { clockTime, counted, decimal, seconds } from "../components/formats.js";

export function workersTable() {
    return new DataTable({
        caption: "Workers",
        nothing: "No worker is connected: jobs wait.",
        columns: [
            { name: "Worker", cell: ({ name }) => name },
            { name: "Since", cell: ({ connectedAt }) => clockTime(connectedAt) },
            { name: "Heard", cell: ({ lastHeardSecondsAgo }) => `${seconds(lastHeardSecondsAgo)} ago` },
            { name: "Jobs", cell: ({ held, capacity }) => `${held} of ${capacity}` },
            { name: "Room for", cell: ({ credit }) => String(credit) },
            { name: "Process", cell: ({ pid }) => String(pid) },
            { name: "Works on", cell: ({ jobs }) => workOf(jobs) },
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
        nothing: "No service has been asked yet.",
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
        nothing: "There has been no job yet.",
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
        nothing: "No service has been asked yet.",
        columns: [
            { name: "Service", cell: ({ provider }) => provider },
            { name: "Answer", cell: ({ status }) => String(status) },
            { name: "Requests", cell: ({ calls }) => decimal(calls) },
        ],
    });
}
