import { LineChart } from "../ui/line-chart.js";
import { counted, decimal, seconds } from "../ui/formats.js";

const perSecond = (number) => `${decimal(number)} per second`;
const milliseconds = (number) => `${decimal(number)} ms`;

/** The charts of the last half hour. */
export function operationsCharts() {
    let interval = 5;
    const charts = [
        new LineChart({
            title: "Throughput", write: perSecond,
            lines: [
                { name: "Finished", value: (sample) => sample.finished / interval },
                { name: "Failed", value: (sample) => sample.failed / interval },
            ],
        }),
        new LineChart({
            title: "Run time", write: milliseconds,
            lines: [
                { name: "Median", value: (sample) => sample.runMs.p50 },
                { name: "99th percentile", value: (sample) => sample.runMs.p99 },
            ],
        }),
        new LineChart({
            title: "Time from queue to worker", write: milliseconds,
            lines: [
                { name: "Median", value: (sample) => sample.dispatchMs.p50 },
                { name: "99th percentile", value: (sample) => sample.dispatchMs.p99 },
            ],
        }),
        new LineChart({
            title: "Oldest job in the queue", write: seconds,
            lines: [{ name: "Age", value: (sample) => sample.queueAgeSeconds }],
        }),
        new LineChart({
            title: "Permits", write: decimal,
            lines: [
                { name: "Free", value: (sample) => sample.permitsFree },
                { name: "Busy", value: (sample) => sample.permitsBusy },
            ],
        }),
        new LineChart({
            title: "Workers", write: (number) => counted(number, "worker"),
            lines: [{ name: "Connected", value: (sample) => sample.workers }],
        }),
    ];
    return {
        elements: charts.map((chart) => chart.element),
        show: ({ intervalSeconds, samples }) => {
            interval = intervalSeconds;
            for (const chart of charts) chart.show(samples, intervalSeconds);
        },
    };
}
