-- Shares of one person, each of a song of another share. The argument behind "--" is a file with the id of such a share
-- in each line.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "read.lua")

wrk.method = "PUT"
wrk.headers["Content-Type"] = "application/json"
local songs = {}
local number = 0
-- The ids of this run: UUIDs of version 4, of which the last digits count.
local prefix

function init(arguments)
    math.randomseed(os.time())
    prefix = string.format("%08x-%04x-4000-8000-", math.random(0, 0x7fffffff), math.random(0, 0xffff))
    for line in io.lines(arguments[1]) do songs[#songs + 1] = line end
end

function request()
    number = number + 1
    local body = '{"song":{"shareId":"' .. songs[number % #songs + 1] .. '"}}'
    return wrk.format(nil, "/v1/shares/" .. prefix .. string.format("%012x", number), nil, body)
end
