# One process of Sidekiq's workers, as its command `sidekiq` starts it.
require "sidekiq/cli"

cli = Sidekiq::CLI.instance
cli.parse(["--require", File.join(__dir__, "sidekiq_jobs.rb"), "--concurrency", ARGV.fetch(0), "--timeout", "5"])
cli.run
