# Loads Sidekiq as load.py does its peers in Python: sidekiq_load.rb JOBS REQUESTS prints one line of JSON.
require "json"
require "sidekiq/api"
require_relative "sidekiq_jobs"

BATCH = 1_000
PATIENCE_SECONDS = 240

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# The seconds until the queue is empty: what the last threads still hold then is not waited for.
def drain(numbers)
  queue = Sidekiq::Queue.new
  began = now
  numbers.each_slice(BATCH) do |part|
    Sidekiq::Client.push_bulk("class" => Echo, "args" => part.map { |number| ["echo #{number}"] })
  end
  until queue.size.zero?
    abort "Sidekiq did not work its queue off in #{PATIENCE_SECONDS} s" if now - began > PATIENCE_SECONDS
    sleep 0.005
  end
  now - began
end

def once(number)
  list = "answer:#{number}"
  Echo.perform_async("echo #{number}", list)
  answer = Sidekiq.redis { |connection| connection.blpop(list, timeout: 30) }
  abort "Sidekiq did not answer" unless answer == [list, "echo #{number}"]
end

jobs, requests = ARGV.map(&:to_i)
drain(1..200)
seconds = drain(1..jobs)
50.times { |number| once(-number) }
times = (1..requests).map do |number|
  began = now
  once(number)
  (now - began) * 1_000
end
version = "Sidekiq #{Sidekiq::VERSION}, Ruby #{RUBY_VERSION}"
puts JSON.generate(jobs: jobs, seconds: seconds, times: times, version: version)
