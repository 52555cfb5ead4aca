-- Follows, each by somebody and of somebody else. The argument behind "--" is a file with a token and a username in
-- each line.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "read.lua")

local follows = {}
local number = 0

function init(arguments)
    for line in io.lines(arguments[1]) do follows[#follows + 1] = line end
end

function request()
    -- The same follow again would write nothing.
    number = number + 1
    if number > #follows then error("there are no follows left") end
    local token, username = follows[number]:match("(%S+) (%S+)")
    return wrk.format("PUT", "/v1/users/" .. username .. "/follow", {["Authorization"] = "Bearer " .. token})
end
