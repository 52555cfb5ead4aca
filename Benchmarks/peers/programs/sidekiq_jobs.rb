# The echo job for Sidekiq. It keeps no results; whoever waits for one has the job answer on a list of its own.
require "sidekiq"

# This Sidekiq calls redis-rb in a way that the next one drops, which it would say with each push.
Redis.silence_deprecations = true
Sidekiq.logger.level = Logger::WARN
redis = { url: "unix://#{ENV.fetch("REDIS_SOCKET")}" }
Sidekiq.configure_server { |config| config.redis = redis }
Sidekiq.configure_client { |config| config.redis = redis }

class Echo
  include Sidekiq::Worker

  def perform(message, answer_to = nil)
    Sidekiq.redis { |connection| connection.rpush(answer_to, message) } if answer_to
  end
end
