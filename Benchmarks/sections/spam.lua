-- Messages of one person in a thread, each with an id of its own. They are accepted, or refused by a limit (429).
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "read.lua")

wrk.method = "PUT"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"text":"Have you heard this one? It is on the new record."}'
local number = 0
-- The ids of this run: UUIDs of version 4, of which the last digits count.
local prefix
local threads = {}
local report = done
-- Answers of another status.
strange = 0

function setup(thread) threads[#threads + 1] = thread end

function init()
    math.randomseed(os.time())
    prefix = string.format("%08x-%04x-4000-8000-", math.random(0, 0x7fffffff), math.random(0, 0xffff))
end

function request()
    number = number + 1
    return wrk.format(nil, wrk.path .. prefix .. string.format("%012x", number))
end

function response(status)
    if status ~= 201 and status ~= 429 then strange = strange + 1 end
end

function done(summary, latency, requests)
    summary.errors.status = 0
    for _, thread in ipairs(threads) do summary.errors.status = summary.errors.status + thread:get("strange") end
    report(summary, latency, requests)
end
