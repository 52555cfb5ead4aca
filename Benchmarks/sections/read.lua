-- What wrk prints at the end: one line of JSON, times in milliseconds.
function done(summary, latency)
    local errors = summary.errors
    print(string.format(
        '{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,'
            .. '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
