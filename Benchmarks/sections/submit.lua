-- Single echo jobs, each with a message of its own.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "read.lua")

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local number = 0
local payload = ""

-- An argument behind "--" is the milliseconds that each job sleeps.
function init(arguments)
    if arguments[1] then payload = ',"sleepMs":' .. arguments[1] end
end

function request()
    number = number + 1
    local message = '{"message":"echo ' .. number .. '"' .. payload .. '}'
    return wrk.format(nil, nil, nil, '{"kind":"diagnostics.echo","payload":' .. message .. '}')
end
