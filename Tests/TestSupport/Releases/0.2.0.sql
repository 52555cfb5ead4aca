-- A database of version 0.2.0, the first release: its schema as that version makes it, with rows of each table.
-- Nothing in it is a secret. It is never edited: every later version has to migrate it and keep its rows.
PRAGMA foreign_keys = OFF;
BEGIN;
CREATE TABLE schema_migrations (
    domain TEXT NOT NULL,
    number BIGINT NOT NULL,
    name TEXT NOT NULL,
    applied_at BIGINT NOT NULL,
    PRIMARY KEY (domain, number)
) WITHOUT ROWID;
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('storage', 1, 'baseline', 1796000000000000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('accounts', 1, 'baseline', 1796000000002000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('jobs', 1, 'baseline', 1796000000004000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('permits', 1, 'baseline', 1796000000006000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('vault', 1, 'baseline', 1796000000008000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('connections', 1, 'baseline', 1796000000010000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('catalog', 1, 'baseline', 1796000000012000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('previews', 1, 'baseline', 1796000000014000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('concerts', 1, 'baseline', 1796000000016000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('library', 1, 'baseline', 1796000000018000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('listening', 1, 'baseline', 1796000000020000);
INSERT INTO schema_migrations (domain, number, name, applied_at)
VALUES ('curation', 1, 'baseline', 1796000000022000);

-- storage
CREATE TABLE change_sequence (value BIGINT NOT NULL);
CREATE TABLE change_log (
    user_id TEXT NOT NULL,
    topic TEXT NOT NULL,
    change BIGINT NOT NULL,
    PRIMARY KEY (user_id, topic)
) WITHOUT ROWID;
CREATE INDEX change_log_by_change ON change_log (change);
CREATE TABLE cleaning (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    log_due_since BIGINT,
    next_page BIGINT
);
CREATE TABLE newest_moment (moment BIGINT NOT NULL);
CREATE TABLE database_restores (restored_at BIGINT NOT NULL);
INSERT INTO change_sequence (value)
VALUES (64);
INSERT INTO change_log (user_id, topic, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'library', 61);
INSERT INTO change_log (user_id, topic, change)
VALUES ('01a229f1-2be8-7000-8000-0000000000b0', 'concerts', 40);
INSERT INTO cleaning (id, log_due_since, next_page)
VALUES (1, 1796000900000000, NULL);
INSERT INTO newest_moment (moment)
VALUES (1796003600000000);
INSERT INTO database_restores (restored_at)
VALUES (1795913600000000);

-- accounts
CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL DEFAULT '',
    google_subject TEXT,
    email TEXT,
    display_name TEXT,
    bio TEXT,
    picture_url TEXT,
    home_city TEXT,
    time_zone TEXT,
    profile_visibility TEXT NOT NULL DEFAULT 'public',
    show_listening_stats BIGINT NOT NULL DEFAULT 1,
    is_admin BIGINT NOT NULL DEFAULT 0,
    push_token TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT
) WITHOUT ROWID;
CREATE UNIQUE INDEX users_by_name ON users (name);
CREATE UNIQUE INDEX users_by_name_key ON users (name_key);
CREATE UNIQUE INDEX users_by_google_subject ON users (google_subject) WHERE google_subject IS NOT NULL;
CREATE TABLE tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    scope TEXT,
    made_with TEXT REFERENCES tokens (hash) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at BIGINT
) WITHOUT ROWID;
CREATE UNIQUE INDEX tokens_by_id ON tokens (id);
CREATE UNIQUE INDEX tokens_of_user ON tokens (user_id, name);
CREATE INDEX tokens_made_with ON tokens (made_with) WHERE made_with IS NOT NULL;
CREATE TABLE sessions (
    hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash TEXT REFERENCES tokens (hash) ON DELETE CASCADE,
    user_agent TEXT,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_of_token ON sessions (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE TABLE sign_in_links (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id);
CREATE TABLE used_id_tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX used_id_tokens_by_end ON used_id_tokens (expires_at);
CREATE TABLE erasures (
    user_id TEXT NOT NULL PRIMARY KEY,
    began_at BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO users (id, name, name_key, google_subject, email, display_name, bio, picture_url, home_city, time_zone,
    profile_visibility, show_listening_stats, is_admin, push_token, created_at, updated_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'ada', 'ada', '110000000000000000001', 'ada@example.org', 'Ada L.',
    'I count.', 'https://example.org/ada.png', 'Prague', 'Europe/Prague', 'public', 1, 1, 'push-1', 1796000000000000,
    1796000060000000);
INSERT INTO users (id, name, name_key, created_at)
VALUES ('01a229f1-2be8-7000-8000-0000000000b0', 'Böb', 'bob', 1796000001000000);
INSERT INTO tokens (hash, id, user_id, name, created_at, last_used_at)
VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '01a229f1-2be8-7000-8000-000000000001',
    '01a229f1-2800-7000-8000-0000000000a1', 'first', 1796000000000000, 1796003500000000);
INSERT INTO tokens (hash, id, user_id, name, scope, made_with, created_at, expires_at)
VALUES ('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '01a229f1-2fd0-7000-8000-000000000002',
    '01a229f1-2800-7000-8000-0000000000a1', 'player', 'listening',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1796000005000000, 1803776000000000);
INSERT INTO tokens (hash, id, user_id, name, created_at)
VALUES ('cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', '01a229f1-33b8-7000-8000-000000000003',
    '01a229f1-2be8-7000-8000-0000000000b0', 'first', 1796000001000000);
INSERT INTO sessions (hash, id, user_id, token_hash, user_agent, created_at, last_used_at, expires_at, ends_at)
VALUES ('dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', '01a229f1-37a0-7000-8000-000000000004',
    '01a229f1-2800-7000-8000-0000000000a1', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'Firefox', 1796000010000000, 1796003000000000, 1798592000000000, 1803776000000000);
INSERT INTO sign_in_links (hash, user_id, created_at, expires_at)
VALUES ('eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', '01a229f1-2be8-7000-8000-0000000000b0',
    1796003000000000, 1796003600000000);
INSERT INTO used_id_tokens (hash, expires_at)
VALUES ('ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 1796004000000000);
INSERT INTO erasures (user_id, began_at)
VALUES ('01a229f3-7da8-7000-8000-000000000099', 1796003500000000);

-- jobs
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    on_behalf_of TEXT,
    kind TEXT NOT NULL,
    version BIGINT NOT NULL,
    payload TEXT NOT NULL,
    submitted_bytes BIGINT,
    trace TEXT,
    unique_key TEXT,
    fingerprint TEXT,
    is_ephemeral BIGINT NOT NULL DEFAULT 0,
    screen TEXT,
    state TEXT NOT NULL,
    priority BIGINT NOT NULL,
    run BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    maximum_attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    run_at BIGINT NOT NULL,
    planned_at BIGINT,
    started_at BIGINT,
    finished_at BIGINT,
    ran_for BIGINT NOT NULL DEFAULT 0,
    awaits TEXT,
    awaited_scopes TEXT,
    worker TEXT,
    lease_expires_at BIGINT,
    is_suspect BIGINT NOT NULL DEFAULT 0,
    crashes BIGINT NOT NULL DEFAULT 0,
    deaths BIGINT NOT NULL DEFAULT 0,
    crash_group TEXT,
    outage_at BIGINT,
    result TEXT,
    error_code TEXT,
    error_message TEXT,
    change BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX jobs_of_user ON jobs (user_id, id);
CREATE INDEX jobs_dead ON jobs (user_id, id) WHERE state = 'failed';
CREATE UNIQUE INDEX jobs_unique ON jobs (user_id, unique_key)
WHERE unique_key IS NOT NULL AND finished_at IS NULL;
CREATE INDEX jobs_dead_of_all ON jobs (id) WHERE state = 'failed';
CREATE INDEX jobs_ended ON jobs (user_id, change) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_awaiting ON jobs (user_id, awaits) WHERE awaits IS NOT NULL;
CREATE INDEX jobs_ephemeral ON jobs (user_id, kind, screen) WHERE is_ephemeral = 1;
CREATE INDEX jobs_on_behalf ON jobs (on_behalf_of, id) WHERE on_behalf_of IS NOT NULL;
CREATE INDEX jobs_live ON jobs (user_id, change, finished_at) WHERE finished_at IS NULL;
CREATE TABLE job_attempts (
    job_id TEXT NOT NULL,
    run BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    worker TEXT,
    started_at BIGINT,
    finished_at BIGINT NOT NULL,
    error_code TEXT NOT NULL,
    error_message TEXT NOT NULL,
    PRIMARY KEY (job_id, run)
) WITHOUT ROWID;
CREATE TABLE job_checkpoints (
    job_id TEXT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    state TEXT NOT NULL,
    work BIGINT NOT NULL DEFAULT 0,
    kept_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE job_ends (
    job_id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    ended TEXT NOT NULL,
    tries BIGINT NOT NULL,
    next_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX job_ends_by_time ON job_ends (next_at);
CREATE TABLE job_counts (
    user_id TEXT NOT NULL,
    state TEXT NOT NULL,
    count BIGINT NOT NULL,
    change BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, state)
) WITHOUT ROWID;
CREATE TABLE job_kind_counts (
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (kind, state)
) WITHOUT ROWID;
CREATE TABLE submission_counts (
    user_id TEXT NOT NULL PRIMARY KEY,
    jobs BIGINT NOT NULL,
    bytes BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE idempotency_keys (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    resource_ids TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
CREATE TABLE schedules (
    name TEXT NOT NULL PRIMARY KEY,
    next_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE domain_schedules (
    kind TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    every BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    planned_at BIGINT NOT NULL,
    PRIMARY KEY (kind, user_id)
) WITHOUT ROWID;
CREATE INDEX domain_schedules_by_time ON domain_schedules (next_at);
CREATE INDEX domain_schedules_by_plan ON domain_schedules (planned_at);
CREATE INDEX domain_schedules_of_user ON domain_schedules (user_id);
CREATE TABLE diagnostic_steps (
    job_id TEXT NOT NULL,
    step BIGINT NOT NULL,
    run BIGINT NOT NULL,
    taken_at BIGINT NOT NULL
);
CREATE INDEX diagnostic_steps_of_job ON diagnostic_steps (job_id);
INSERT INTO jobs (id, user_id, kind, version, payload, submitted_bytes, trace, state, priority, run, attempt,
    maximum_attempts, created_at, run_at, started_at, finished_at, ran_for, result, change)
VALUES ('01a229f1-a500-7000-8000-000000000020', '01a229f1-2800-7000-8000-0000000000a1', 'diagnostics.echo', 1,
    '{"hello":"world"}', 17, '4bf92f3577b34da6a3ce929d0e0e4736', 'succeeded', 0, 1, 1, 5, 1796000020000000,
    1796000020000000, 1796000020100000, 1796000020300000, 200000, '{"hello":"world"}', 3);
INSERT INTO jobs (id, user_id, kind, version, payload, submitted_bytes, state, priority, run, attempt,
    maximum_attempts, created_at, run_at, planned_at, started_at, finished_at, ran_for, error_code, error_message,
    change)
VALUES ('01a229f1-a8e8-7000-8000-000000000021', '01a229f1-2800-7000-8000-0000000000a1', 'diagnostics.echo', 1,
    '{"failTimes":9}', 15, 'failed', 0, 5, 5, 5, 1796000021000000, 1796000025000000, 1796000024000000, 1796000025000000,
    1796000025100000, 900, 'failedAsAsked', 'The job failed, as its payload asked.', 9);
INSERT INTO jobs (id, user_id, kind, version, payload, submitted_bytes, unique_key, fingerprint, state, priority,
    run, attempt, maximum_attempts, created_at, run_at, change)
VALUES ('01a229f1-acd0-7000-8000-000000000022', '01a229f1-2be8-7000-8000-0000000000b0', 'diagnostics.echo', 1, '{}', 2,
    'nightly', '1111111111111111111111111111111111111111111111111111111111111111', 'scheduled', 3, 0, 0, 5,
    1796000022000000, 1796009000000000, 10);
INSERT INTO jobs (id, user_id, on_behalf_of, kind, version, payload, state, priority, run, attempt,
    maximum_attempts, created_at, run_at, started_at, worker, lease_expires_at, is_suspect, crashes, deaths,
    crash_group, outage_at, change)
VALUES ('01a229f1-b0b8-7000-8000-000000000023', 'system', '01a229f1-2800-7000-8000-0000000000a1', 'concerts.lookup', 1,
    '{"artists":[{"key":"artist:bjork","name":"Björk"}]}', 'running', 10, 1000001, 1, 5, 1796003600000000,
    1796003600000000, 1796003601000000, 'concert-worker-1/01a229f1-6a68-7000-8000-000000000011', 5200000000, 1, 1, 2,
    '01a229f1-b4a0-7000-8000-000000000024', 1796003590000000, 60);
INSERT INTO jobs (id, user_id, kind, version, payload, submitted_bytes, state, priority, run, attempt,
    maximum_attempts, created_at, run_at, planned_at, started_at, ran_for, awaits, awaited_scopes, change)
VALUES ('01a229f1-b888-7000-8000-000000000025', '01a229f1-2800-7000-8000-0000000000a1', 'library.sync', 1,
    '{"sources":["spotify"]}', NULL, 'scheduled', 5, 2, 1, 8, 1796003000000000, 1796004500000000, 1796003100000000,
    1796003050000000, 50000000, 'spotify', 'user-library-read playlist-read-private', 55);
INSERT INTO jobs (id, user_id, kind, version, payload, is_ephemeral, screen, state, priority, run, attempt,
    maximum_attempts, created_at, run_at, change)
VALUES ('01a229f1-bc70-7000-8000-000000000026', '01a229f1-2800-7000-8000-0000000000a1', 'catalog.search', 1,
    '{"query":"björk"}', 1, 'screen-1', 'queued', 10, 0, 0, 1, 1796003602000000, 1796003602000000, 62);
INSERT INTO job_attempts (job_id, run, attempt, worker, started_at, finished_at, error_code, error_message)
VALUES ('01a229f1-a8e8-7000-8000-000000000021', 4, 4, 'sync-worker-1/01a229f1-6680-7000-8000-000000000010',
    1796000024000000, 1796000024100000, 'failedAsAsked', 'The job failed, as its payload asked.');
INSERT INTO job_attempts (job_id, run, attempt, worker, started_at, finished_at, error_code, error_message)
VALUES ('01a229f1-a8e8-7000-8000-000000000021', 5, 5, 'sync-worker-1/01a229f1-6680-7000-8000-000000000010',
    1796000025000000, 1796000025100000, 'failedAsAsked', 'The job failed, as its payload asked.');
INSERT INTO job_checkpoints (job_id, version, state, work, kept_at)
VALUES ('01a229f1-b888-7000-8000-000000000025', 1, '{"page":3}', 150, 1796003090000000);
INSERT INTO job_ends (job_id, user_id, kind, ended, tries, next_at)
VALUES ('01a229f1-a500-7000-8000-000000000020', '01a229f1-2800-7000-8000-0000000000a1', 'diagnostics.echo',
    '{"state":"succeeded"}', 2, 1796003700000000);
INSERT INTO job_counts (user_id, state, count, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'succeeded', 1, 3);
INSERT INTO job_counts (user_id, state, count, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'failed', 1, 9);
INSERT INTO job_counts (user_id, state, count, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'scheduled', 1, 55);
INSERT INTO job_counts (user_id, state, count, change)
VALUES ('01a229f1-2be8-7000-8000-0000000000b0', 'scheduled', 1, 10);
INSERT INTO job_counts (user_id, state, count, change)
VALUES ('system', 'running', 1, 60);
INSERT INTO job_kind_counts (kind, state, count)
VALUES ('diagnostics.echo', 'succeeded', 1);
INSERT INTO job_kind_counts (kind, state, count)
VALUES ('diagnostics.echo', 'failed', 1);
INSERT INTO job_kind_counts (kind, state, count)
VALUES ('diagnostics.echo', 'scheduled', 1);
INSERT INTO job_kind_counts (kind, state, count)
VALUES ('concerts.lookup', 'running', 1);
INSERT INTO job_kind_counts (kind, state, count)
VALUES ('library.sync', 'scheduled', 1);
INSERT INTO job_kind_counts (kind, state, count)
VALUES ('catalog.search', 'queued', 1);
INSERT INTO submission_counts (user_id, jobs, bytes)
VALUES ('01a229f1-2be8-7000-8000-0000000000b0', 1, 2);
INSERT INTO idempotency_keys (user_id, key, fingerprint, resource_ids, created_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'k1',
    '2222222222222222222222222222222222222222222222222222222222222222', '01a229f1-a500-7000-8000-000000000020',
    1796000020000000);
INSERT INTO schedules (name, next_at)
VALUES ('concerts.refresh', 1796007200000000);
INSERT INTO domain_schedules (kind, user_id, every, next_at, planned_at)
VALUES ('listening.readSpotify', '01a229f1-2800-7000-8000-0000000000a1', 240000000, 1796003840000000, 1796003600000000);
INSERT INTO diagnostic_steps (job_id, step, run, taken_at)
VALUES ('01a229f1-a500-7000-8000-000000000020', 1, 1, 1796000020200000);

-- permits
CREATE TABLE permit_keys (
    key TEXT NOT NULL PRIMARY KEY,
    provider TEXT NOT NULL,
    requests BIGINT NOT NULL,
    window_length BIGINT NOT NULL,
    paused_until BIGINT,
    paused_until_instant BIGINT,
    paused_boot TEXT,
    pause_reason TEXT,
    quota_resets_at BIGINT,
    background_from_instant BIGINT,
    background_boot TEXT
) WITHOUT ROWID;
CREATE TABLE permit_slots (
    key TEXT NOT NULL,
    slot BIGINT NOT NULL,
    boot TEXT NOT NULL,
    busy_until_instant BIGINT NOT NULL,
    grant_number BIGINT NOT NULL,
    holder TEXT,
    PRIMARY KEY (key, slot)
) WITHOUT ROWID;
CREATE TABLE permit_quotas (
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    amount BIGINT NOT NULL,
    window_length BIGINT NOT NULL,
    PRIMARY KEY (key, name)
) WITHOUT ROWID;
CREATE TABLE permit_grants (
    key TEXT NOT NULL,
    quota TEXT NOT NULL,
    slot BIGINT NOT NULL,
    grant_number BIGINT NOT NULL,
    boot TEXT NOT NULL,
    weight BIGINT NOT NULL,
    arrived_by_instant BIGINT NOT NULL,
    counts_until_instant BIGINT NOT NULL,
    holder TEXT,
    PRIMARY KEY (key, quota, slot, grant_number)
) WITHOUT ROWID;
CREATE INDEX permit_grants_counting ON permit_grants (key, quota, boot, counts_until_instant, weight);
CREATE TABLE permit_boots (
    boot TEXT NOT NULL PRIMARY KEY,
    seen_instant BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    joined_boot TEXT,
    clock_lead BIGINT
) WITHOUT ROWID;
CREATE TABLE permit_waiting (
    key TEXT NOT NULL,
    process TEXT NOT NULL,
    urgency BIGINT NOT NULL,
    person TEXT NOT NULL,
    calls BIGINT NOT NULL,
    weight BIGINT NOT NULL,
    boot TEXT NOT NULL,
    live_until_instant BIGINT NOT NULL,
    PRIMARY KEY (key, process, urgency, person)
) WITHOUT ROWID;
CREATE TABLE permit_turns (
    key TEXT NOT NULL,
    urgency BIGINT NOT NULL,
    person TEXT NOT NULL,
    boot TEXT NOT NULL,
    served_instant BIGINT NOT NULL,
    PRIMARY KEY (key, urgency, person)
) WITHOUT ROWID;
CREATE TABLE call_shares (
    user_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    day BIGINT NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (user_id, provider, day)
) WITHOUT ROWID;
CREATE INDEX call_shares_by_day ON call_shares (day, provider, used);
INSERT INTO permit_keys (key, provider, requests, window_length, paused_until, paused_until_instant, paused_boot,
    pause_reason, quota_resets_at, background_from_instant, background_boot)
VALUES ('ticketmaster:4738e07a3b1c426f', 'ticketmaster', 5, 1000000, 1796003700000000, 5300000000,
    '00000000-0000-4000-8000-000000000020', 'rateLimited', 1796086400000000, 5210000000,
    '00000000-0000-4000-8000-000000000020');
INSERT INTO permit_slots (key, slot, boot, busy_until_instant, grant_number, holder)
VALUES ('ticketmaster:4738e07a3b1c426f', 0, '00000000-0000-4000-8000-000000000020', 5200000000, 40, 'concert-worker-1');
INSERT INTO permit_slots (key, slot, boot, busy_until_instant, grant_number, holder)
VALUES ('ticketmaster:4738e07a3b1c426f', 1, '00000000-0000-4000-8000-000000000020', 5200000001, 41, NULL);
INSERT INTO permit_quotas (key, name, unit, amount, window_length)
VALUES ('ticketmaster:4738e07a3b1c426f', 'day', 'requests', 5000, 86400000000);
INSERT INTO permit_grants (key, quota, slot, grant_number, boot, weight, arrived_by_instant, counts_until_instant,
    holder)
VALUES ('ticketmaster:4738e07a3b1c426f', 'day', 0, 40, '00000000-0000-4000-8000-000000000020', 1, 5200000000,
    91600000000, 'concert-worker-1');
INSERT INTO permit_boots (boot, seen_instant, seen_at)
VALUES ('00000000-0000-4000-8000-000000000020', 5200000000, 1796003601000000);
INSERT INTO permit_boots (boot, seen_instant, seen_at, joined_boot, clock_lead)
VALUES ('00000000-0000-4000-8000-000000000010', 900000000, 1795910000000000, '00000000-0000-4000-8000-000000000020',
    -4000000);
INSERT INTO permit_waiting (key, process, urgency, person, calls, weight, boot, live_until_instant)
VALUES ('ticketmaster:4738e07a3b1c426f', 'concert-worker-1', 1, '6f1d', 2, 1, '00000000-0000-4000-8000-000000000020',
    5205000000);
INSERT INTO permit_turns (key, urgency, person, boot, served_instant)
VALUES ('ticketmaster:4738e07a3b1c426f', 1, '6f1d', '00000000-0000-4000-8000-000000000020', 5199000000);
INSERT INTO call_shares (user_id, provider, day, used)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'ticketmaster', 20787, 12);

-- vault
CREATE TABLE secrets (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    field TEXT NOT NULL,
    key_id TEXT NOT NULL,
    sealed BLOB NOT NULL,
    hint TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, provider, field)
) WITHOUT ROWID;
CREATE INDEX secrets_of_key ON secrets (key_id);
CREATE TABLE credential_candidates (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    key_id TEXT NOT NULL,
    sealed BLOB NOT NULL,
    hint TEXT NOT NULL,
    details TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX credential_candidates_of_user ON credential_candidates (user_id);
CREATE INDEX credential_candidates_by_end ON credential_candidates (expires_at);
CREATE TABLE authorizations (
    state_hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    session_hash TEXT,
    provider TEXT NOT NULL,
    client_id TEXT,
    redirect_uri TEXT NOT NULL,
    scopes TEXT NOT NULL,
    nonce TEXT,
    key_id TEXT NOT NULL,
    sealed_verifier BLOB NOT NULL,
    code_key_id TEXT,
    sealed_code BLOB,
    return_to TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX authorizations_by_id ON authorizations (id);
CREATE INDEX authorizations_of_user ON authorizations (user_id);
CREATE INDEX authorizations_by_end ON authorizations (expires_at);
CREATE TABLE vault_readers (
    worker TEXT NOT NULL PRIMARY KEY,
    key_ids TEXT NOT NULL,
    updated_at BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO secrets (user_id, provider, field, key_id, sealed, hint, updated_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'gemini', 'apiKey', '6b0cc91c7e573216',
    X'0708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f30313233343536', '0042',
    1796000100000000);
INSERT INTO secrets (user_id, provider, field, key_id, sealed, hint, updated_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'spotify', 'refreshToken', '6b0cc91c7e573216',
    X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f', '',
    1796000110000000);
INSERT INTO credential_candidates (id, user_id, provider, key_id, sealed, hint, details, created_at, expires_at)
VALUES ('01a229f1-e380-7000-8000-000000000030', '01a229f1-2800-7000-8000-0000000000a1', 'ticketmaster',
    '6b0cc91c7e573216', X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627', '9f3c',
    '{"city":"Prague"}', 1796003590000000, 1796004190000000);
INSERT INTO credential_candidates (id, provider, key_id, sealed, hint, details, created_at, expires_at)
VALUES ('01a229f1-e768-7000-8000-000000000031', 'google', '6b0cc91c7e573216',
    X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b', '', '{}',
    1796003595000000, 1796004195000000);
INSERT INTO authorizations (state_hash, id, user_id, session_hash, provider, client_id, redirect_uri, scopes,
    key_id, sealed_verifier, code_key_id, sealed_code, return_to, created_at, expires_at)
VALUES ('3333333333333333333333333333333333333333333333333333333333333333', '01a229f1-eb50-7000-8000-000000000032',
    '01a229f1-2800-7000-8000-0000000000a1', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd',
    'spotify', 'client-1', 'http://127.0.0.1:8080/v1/setup/spotify/callback', 'user-library-read', '6b0cc91c7e573216',
    X'0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132',
    '6b0cc91c7e573216',
    X'02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f30313233', '/setup',
    1796003580000000, 1796004180000000);
INSERT INTO vault_readers (worker, key_ids, updated_at)
VALUES ('sync-worker-1', '6b0cc91c7e573216', 1796000005000000);

-- connections
CREATE TABLE connections (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    until BIGINT,
    account_id TEXT,
    account_user_id TEXT,
    account_name TEXT,
    details TEXT,
    client_id TEXT,
    scopes TEXT,
    authorized_at BIGINT,
    renew_by BIGINT,
    token_expires_at BIGINT,
    refresh_owner TEXT,
    refresh_expires_at BIGINT,
    refresh_boot TEXT,
    change BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, provider)
) WITHOUT ROWID;
CREATE INDEX connections_changed ON connections (user_id, change);
CREATE TABLE former_accounts (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT,
    replaced_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, provider, account_id)
) WITHOUT ROWID;
CREATE TABLE personal_apps (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    client_id TEXT NOT NULL,
    entered_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, provider)
) WITHOUT ROWID;
INSERT INTO connections (user_id, provider, state, account_id, account_user_id, account_name, details, client_id,
    scopes, authorized_at, renew_by, token_expires_at, change, updated_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'spotify', 'connected', 'acc-1', 'ada-at-spotify', 'Ada',
    '{"country":"CZ"}', 'client-1', 'user-library-read', 1796000110000000, 1811552000000000, 1796003700000000, 12,
    1796000110000000);
INSERT INTO connections (user_id, provider, state, reason, until, authorized_at, change, updated_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'gemini', 'degraded', 'quota', 1796086400000000, 1796000100000000, 11,
    1796003000000000);
INSERT INTO connections (user_id, provider, state, reason, refresh_owner, refresh_expires_at, refresh_boot, change,
    updated_at)
VALUES ('01a229f1-2be8-7000-8000-0000000000b0', 'spotify', 'needsReconnect', 'revoked', 'sync-worker-1', 5200000000,
    '00000000-0000-4000-8000-000000000020', 14, 1796000130000000);
INSERT INTO former_accounts (user_id, provider, account_id, account_name, replaced_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'spotify', 'acc-0', 'Old Ada', 1796000109000000);
INSERT INTO personal_apps (user_id, provider, client_id, entered_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'spotify', 'client-1', 1796000105000000);

-- catalog
CREATE TABLE catalog_answers (
    answer_key TEXT NOT NULL PRIMARY KEY,
    answer TEXT NOT NULL,
    fetched_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX catalog_answers_by_end ON catalog_answers (expires_at);
CREATE TABLE catalog_personal_answers (
    user_id TEXT NOT NULL,
    answer_key TEXT NOT NULL,
    account TEXT NOT NULL,
    answer TEXT NOT NULL,
    fetched_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, answer_key)
) WITHOUT ROWID;
CREATE INDEX catalog_personal_answers_by_end ON catalog_personal_answers (expires_at);
INSERT INTO catalog_answers (answer_key, answer, fetched_at, expires_at)
VALUES ('spotify artist CZ 7w29UYBi0qsHi5RTcv3lmA', '{"name":"Björk"}', 1796003000000000, 1796090000000000);
INSERT INTO catalog_personal_answers (user_id, answer_key, account, answer, fetched_at, expires_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'spotify top artists', 'acc-1', '{"items":[]}', 1796003000000000,
    1796006600000000);

-- previews
CREATE TABLE previews (
    question TEXT NOT NULL,
    url TEXT,
    found_at BIGINT NOT NULL,
    PRIMARY KEY (question)
) WITHOUT ROWID;
CREATE INDEX previews_by_age ON previews (found_at);
INSERT INTO previews (question, url, found_at)
VALUES ('isrc GBAAN9500010', 'https://audio-ssl.itunes.apple.com/preview.m4a', 1796003000000000);
INSERT INTO previews (question, url, found_at)
VALUES ('isrc GBAAN9500011', NULL, 1796003001000000);

-- concerts
CREATE TABLE ranked_artists (
    user_id TEXT NOT NULL,
    id TEXT NOT NULL,
    rank BIGINT NOT NULL,
    name TEXT NOT NULL,
    spotify_id TEXT,
    picture TEXT,
    genres TEXT,
    PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
CREATE TABLE artist_lists (
    user_id TEXT NOT NULL PRIMARY KEY,
    saved_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE concert_subjects (
    subject_key TEXT NOT NULL PRIMARY KEY,
    attraction_id TEXT,
    status TEXT,
    warning_code TEXT,
    checked_at BIGINT,
    name_searched_at BIGINT,
    asked_at BIGINT NOT NULL DEFAULT 0,
    job_id TEXT
) WITHOUT ROWID;
CREATE INDEX concert_names_by_ask ON concert_subjects (asked_at) WHERE attraction_id IS NULL;
CREATE INDEX concert_artists_by_ask ON concert_subjects (asked_at) WHERE attraction_id IS NOT NULL;
CREATE TABLE concert_events (
    id TEXT NOT NULL PRIMARY KEY,
    event TEXT NOT NULL,
    announcement TEXT,
    revision BIGINT NOT NULL DEFAULT 0,
    changed_at BIGINT,
    updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE concert_subject_events (
    subject_key TEXT NOT NULL,
    event_id TEXT NOT NULL,
    by_name BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (subject_key, event_id)
) WITHOUT ROWID;
CREATE INDEX concert_subjects_of_event ON concert_subject_events (event_id);
CREATE TABLE concert_cities (
    city_key TEXT NOT NULL PRIMARY KEY,
    latitude DOUBLE PRECISION,
    longitude DOUBLE PRECISION,
    checked_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX concert_cities_by_check ON concert_cities (checked_at);
CREATE TABLE concert_searches (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    home_city TEXT,
    is_running BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    cancelled_at BIGINT,
    change BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX concert_searches_changed ON concert_searches (user_id, change);
CREATE UNIQUE INDEX concert_searches_of_user ON concert_searches (user_id, id);
CREATE INDEX concert_searches_running ON concert_searches (user_id) WHERE is_running = 1;
CREATE TABLE concert_search_subjects (
    search_id TEXT NOT NULL,
    rank BIGINT NOT NULL,
    artist_id TEXT NOT NULL,
    name TEXT NOT NULL,
    subject_key TEXT NOT NULL,
    status TEXT,
    warning_code TEXT,
    resets_at BIGINT,
    job_id TEXT,
    waits_since BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (search_id, rank)
) WITHOUT ROWID;
CREATE INDEX concert_search_waiters ON concert_search_subjects (job_id, waits_since, search_id)
WHERE job_id IS NOT NULL;
INSERT INTO ranked_artists (user_id, id, rank, name, spotify_id, picture, genres)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', '01a229f2-2200-7000-8000-000000000040', 1, 'Björk',
    '7w29UYBi0qsHi5RTcv3lmA', '640 https://i.scdn.co/image/ab1', 'art pop' || char(10) || 'electronica');
INSERT INTO ranked_artists (user_id, id, rank, name)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', '01a229f2-25e8-7000-8000-000000000041', 2, 'Kabát');
INSERT INTO artist_lists (user_id, saved_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 1796000200000000);
INSERT INTO concert_subjects (subject_key, attraction_id, status, checked_at, name_searched_at, asked_at, job_id)
VALUES ('artist:bjork', 'K8vZ917Kdes', 'complete', 1796003000000000, 1796002999000000, 1796003600000000,
    '01a229f1-b0b8-7000-8000-000000000023');
INSERT INTO concert_subjects (subject_key, status, warning_code, checked_at, asked_at)
VALUES ('artist:kabat', 'partial', 'notFound', 1796003000000000, 1796003600000000);
INSERT INTO concert_events (id, event, announcement, revision, changed_at, updated_at)
VALUES ('1A0b3tRTqiCxU9Nu',
    '{"attractions":[{"id":"K8vZ917Kdes","name":"Björk"}],"dateTBA":false,"genre":"Pop","id":"1A0b3tRTqiC'
    || 'xU9Nu","kind":"show","localDate":"2027-01-24","localTime":"18:30:00","name":"Björk – Cornucopia","se'
    || 'gment":"Music","spansMultipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.exa'
    || 'mple/event/1A0b3tRTqiCxU9Nu","timeTBA":false,"venue":{"city":"Budapest","country":"Hungary","country'
    || 'Code":"HU","id":"Z598x6hZHQq","location":{"latitude":47.5,"longitude":19},"name":"Budapest Stadium",'
    || '"timezone":"Europe/Budapest"}}', 'Björk – Cornucopia|2027-01-24|18:30:00|Budapest Stadium', 1, 1796002500000000,
    1796003000000000);
INSERT INTO concert_subject_events (subject_key, event_id, by_name)
VALUES ('artist:bjork', '1A0b3tRTqiCxU9Nu', 0);
INSERT INTO concert_subject_events (subject_key, event_id, by_name)
VALUES ('artist:kabat', '1A0b3tRTqiCxU9Nu', 1);
INSERT INTO concert_cities (city_key, latitude, longitude, checked_at)
VALUES ('prague', 50.0875, 14.4214, 1796003000000000);
INSERT INTO concert_cities (city_key, checked_at)
VALUES ('nowhere', 1796003001000000);
INSERT INTO concert_searches (id, user_id, kind, home_city, is_running, created_at, change)
VALUES ('01a229f2-29d0-7000-8000-000000000042', '01a229f1-2800-7000-8000-0000000000a1', 'artists', 'Prague', 1,
    1796003600000000, 59);
INSERT INTO concert_search_subjects (search_id, rank, artist_id, name, subject_key, job_id, waits_since)
VALUES ('01a229f2-29d0-7000-8000-000000000042', 1, '01a229f2-2200-7000-8000-000000000040', 'Björk', 'artist:bjork',
    '01a229f1-b0b8-7000-8000-000000000023', 59);
INSERT INTO concert_search_subjects (search_id, rank, artist_id, name, subject_key, status, warning_code, resets_at)
VALUES ('01a229f2-29d0-7000-8000-000000000042', 2, '01a229f2-25e8-7000-8000-000000000041', 'Kabát', 'artist:kabat',
    'partial', 'notFound', 1796086400000000);

-- library
CREATE TABLE library_keys (value BIGINT NOT NULL);
CREATE TABLE libraries (
    user_id TEXT NOT NULL PRIMARY KEY,
    id BIGINT NOT NULL,
    tracks BIGINT NOT NULL DEFAULT 0,
    apple_tracks BIGINT NOT NULL DEFAULT 0,
    spotify_tracks BIGINT NOT NULL DEFAULT 0,
    shared_tracks BIGINT NOT NULL DEFAULT 0,
    missing_tracks BIGINT NOT NULL DEFAULT 0,
    playlists BIGINT NOT NULL DEFAULT 0,
    albums BIGINT NOT NULL DEFAULT 0,
    remasters_differ BIGINT NOT NULL DEFAULT 0,
    identity_rules BIGINT NOT NULL DEFAULT 0,
    identity_stage BIGINT NOT NULL DEFAULT 0,
    identity_after BIGINT NOT NULL DEFAULT 0,
    last_synced_at BIGINT,
    songs_change BIGINT NOT NULL DEFAULT 0,
    change BIGINT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX libraries_by_id ON libraries (id);
CREATE INDEX libraries_by_songs_change ON libraries (songs_change);
CREATE TABLE library_accounts (
    library_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    account TEXT NOT NULL,
    id BIGINT NOT NULL,
    PRIMARY KEY (library_id, source, account)
) WITHOUT ROWID;
CREATE TABLE library_sources (
    library_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    account_id BIGINT,
    storefront TEXT,
    credential TEXT,
    question TEXT,
    completed_at BIGINT,
    removal_at BIGINT,
    removal_key BIGINT,
    PRIMARY KEY (library_id, source)
) WITHOUT ROWID;
CREATE INDEX library_sources_to_remove ON library_sources (removal_at) WHERE removal_at IS NOT NULL;
CREATE TABLE library_readings (
    library_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    list TEXT NOT NULL,
    account_id BIGINT NOT NULL,
    total BIGINT,
    head TEXT,
    unread BIGINT,
    read_at BIGINT NOT NULL,
    whole_at BIGINT,
    PRIMARY KEY (library_id, source, list)
) WITHOUT ROWID;
CREATE TABLE library_changes (
    library_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    sync BIGINT NOT NULL,
    kind TEXT NOT NULL,
    item TEXT NOT NULL,
    item_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    title TEXT NOT NULL,
    entries_version BIGINT,
    PRIMARY KEY (library_id, id)
) WITHOUT ROWID;
CREATE INDEX library_changes_by_time ON library_changes (library_id, at, id);
CREATE INDEX library_changes_of_source ON library_changes (library_id, source, id);
CREATE TABLE library_tracks (
    id INTEGER NOT NULL PRIMARY KEY,
    library_id BIGINT NOT NULL,
    title TEXT NOT NULL,
    artist TEXT NOT NULL,
    album TEXT NOT NULL,
    title_key TEXT NOT NULL,
    artist_key TEXT NOT NULL,
    album_key TEXT NOT NULL,
    sources BIGINT NOT NULL,
    is_saved BIGINT NOT NULL,
    missing_since BIGINT,
    album_artist TEXT,
    composer TEXT,
    genres TEXT,
    duration_ms BIGINT,
    isrc TEXT,
    is_explicit BIGINT,
    disc_number BIGINT,
    track_number BIGINT,
    album_position BIGINT NOT NULL,
    release_date TEXT,
    artwork TEXT,
    added_at BIGINT NOT NULL,
    plays BIGINT NOT NULL,
    listens BIGINT NOT NULL DEFAULT 0,
    total_plays BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX library_tracks_recent ON library_tracks (library_id, added_at, id, sources);
CREATE INDEX library_tracks_by_title ON library_tracks (library_id, title_key, id, sources);
CREATE INDEX library_tracks_by_artist
ON library_tracks (library_id, artist_key, album_key, album_position, id, sources);
CREATE INDEX library_tracks_by_album
ON library_tracks (library_id, album_key, album_position, id, sources);
CREATE INDEX library_tracks_by_total_plays ON library_tracks (library_id, total_plays, id, sources);
CREATE TABLE library_source_tracks (
    id INTEGER NOT NULL PRIMARY KEY,
    library_id BIGINT NOT NULL,
    track_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    source_id TEXT NOT NULL,
    is_saved BIGINT NOT NULL,
    missing_since BIGINT,
    title TEXT NOT NULL,
    artist TEXT NOT NULL,
    album TEXT NOT NULL,
    catalog_id TEXT,
    storefront TEXT,
    album_artist TEXT,
    composer TEXT,
    genres TEXT,
    duration_ms BIGINT,
    isrc TEXT,
    is_explicit BIGINT,
    disc_number BIGINT,
    track_number BIGINT,
    release_date TEXT,
    artwork TEXT,
    added_at BIGINT,
    popularity BIGINT,
    preview TEXT,
    plays BIGINT,
    last_played_at BIGINT,
    rating BIGINT,
    created_at BIGINT NOT NULL,
    synced_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX library_source_tracks_by_source
ON library_source_tracks (library_id, source, source_id);
CREATE INDEX library_source_tracks_of_track ON library_source_tracks (track_id, library_id);
CREATE INDEX library_source_tracks_saved
ON library_source_tracks (library_id, source, is_saved, account_id, id);
CREATE INDEX library_source_tracks_by_isrc ON library_source_tracks (library_id, isrc)
WHERE isrc IS NOT NULL;
CREATE INDEX library_source_tracks_by_catalog ON library_source_tracks (library_id, source, catalog_id)
WHERE catalog_id IS NOT NULL;
CREATE TABLE library_search_blocks (
    library_id BIGINT NOT NULL,
    first_id BIGINT NOT NULL,
    entries BLOB NOT NULL,
    texts BLOB NOT NULL,
    PRIMARY KEY (library_id, first_id)
);
CREATE TABLE library_identity_keys (
    library_id BIGINT NOT NULL,
    identity_key BIGINT NOT NULL,
    source_track_id BIGINT NOT NULL,
    PRIMARY KEY (library_id, identity_key, source_track_id)
) WITHOUT ROWID;
CREATE TABLE library_former_tracks (
    id INTEGER NOT NULL PRIMARY KEY,
    library_id BIGINT NOT NULL,
    track_id BIGINT NOT NULL,
    source_track_id BIGINT NOT NULL
);
CREATE INDEX library_former_tracks_of_track ON library_former_tracks (track_id, library_id);
CREATE INDEX library_former_tracks_of_source_track ON library_former_tracks (source_track_id, library_id);
CREATE TABLE library_decisions (
    id INTEGER NOT NULL PRIMARY KEY,
    library_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    holds_sides BIGINT NOT NULL,
    split_track_id BIGINT,
    at BIGINT NOT NULL
);
CREATE INDEX library_decisions_of_library ON library_decisions (library_id, id);
CREATE TABLE library_decision_tracks (
    library_id BIGINT NOT NULL,
    decision_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    source_id TEXT NOT NULL,
    side BIGINT NOT NULL,
    PRIMARY KEY (library_id, decision_id, source, source_id)
) WITHOUT ROWID;
CREATE TABLE library_duplicates (
    library_id BIGINT NOT NULL,
    first_track_id BIGINT NOT NULL,
    second_track_id BIGINT NOT NULL,
    first_source_track_id BIGINT NOT NULL,
    second_source_track_id BIGINT NOT NULL,
    likelihood BIGINT NOT NULL,
    PRIMARY KEY (library_id, first_track_id, second_track_id)
) WITHOUT ROWID;
CREATE INDEX library_duplicates_of_second ON library_duplicates (library_id, second_track_id);
CREATE INDEX library_duplicates_by_likelihood
ON library_duplicates (library_id, likelihood, first_track_id, second_track_id);
CREATE TABLE library_playlists (
    id INTEGER NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    library_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    source_id TEXT NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    description TEXT,
    owner_id TEXT,
    owner_name TEXT,
    is_public BIGINT,
    is_collaborative BIGINT,
    can_edit BIGINT,
    artwork TEXT,
    entry_count BIGINT NOT NULL,
    entries_version BIGINT NOT NULL,
    entries_state TEXT NOT NULL,
    edits BIGINT NOT NULL DEFAULT 0,
    upstream_version TEXT,
    is_due BIGINT NOT NULL,
    due_version TEXT,
    listed_count BIGINT,
    read_count BIGINT,
    read_at BIGINT,
    added_at BIGINT,
    missing_since BIGINT,
    synced_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX library_playlists_by_source ON library_playlists (library_id, source, source_id);
CREATE INDEX library_playlists_by_name ON library_playlists (library_id, name_key, id, source);
CREATE INDEX library_playlists_of_user ON library_playlists (user_id, id);
CREATE TABLE library_playlist_entries (
    playlist_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    position BIGINT NOT NULL,
    kind TEXT NOT NULL,
    source_track_id BIGINT,
    title TEXT,
    added_at BIGINT,
    PRIMARY KEY (playlist_id, version, position)
) WITHOUT ROWID;
CREATE INDEX library_playlist_entries_of_track ON library_playlist_entries (source_track_id)
WHERE source_track_id IS NOT NULL;
CREATE TABLE library_albums (
    id INTEGER NOT NULL PRIMARY KEY,
    library_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    source_id TEXT NOT NULL,
    name TEXT NOT NULL,
    artist TEXT NOT NULL,
    name_key TEXT NOT NULL,
    artist_key TEXT NOT NULL,
    artwork TEXT,
    release_date TEXT,
    track_count BIGINT,
    genres TEXT,
    added_at BIGINT,
    missing_since BIGINT,
    synced_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX library_albums_by_source ON library_albums (library_id, source, source_id);
CREATE INDEX library_albums_by_name ON library_albums (library_id, name_key, id, source);
CREATE TABLE library_syncs (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    sources BIGINT NOT NULL,
    is_single BIGINT NOT NULL,
    is_forced BIGINT NOT NULL,
    state TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    merged BIGINT NOT NULL,
    change BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX library_syncs_of_user ON library_syncs (user_id, number);
CREATE INDEX library_syncs_changed ON library_syncs (user_id, change);
CREATE TABLE library_sync_sources (
    sync_id TEXT NOT NULL,
    source BIGINT NOT NULL,
    state TEXT NOT NULL,
    phase TEXT,
    found BIGINT NOT NULL,
    added BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    total BIGINT,
    error_code TEXT,
    error_message TEXT,
    is_dismissed BIGINT NOT NULL DEFAULT 0,
    finished_at BIGINT,
    PRIMARY KEY (sync_id, source)
) WITHOUT ROWID;
CREATE TABLE library_fetched_pages (
    library_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    place BIGINT NOT NULL,
    sync BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    page_offset BIGINT NOT NULL,
    page TEXT NOT NULL,
    fetched_at BIGINT NOT NULL,
    PRIMARY KEY (library_id, source, place)
);
CREATE TABLE library_sightings (
    library_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    item TEXT NOT NULL,
    item_id BIGINT NOT NULL,
    PRIMARY KEY (library_id, source, item, item_id)
) WITHOUT ROWID;
CREATE TABLE library_edits (
    id INTEGER NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    library_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    state TEXT NOT NULL,
    playlist_id BIGINT,
    title TEXT NOT NULL,
    undo TEXT NOT NULL,
    missing TEXT,
    done BIGINT NOT NULL,
    total BIGINT NOT NULL,
    error_code TEXT,
    error_message TEXT,
    question TEXT,
    job_id TEXT,
    part_of TEXT,
    restores BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    change BIGINT NOT NULL
);
CREATE INDEX library_edits_of_user ON library_edits (user_id, id);
CREATE INDEX library_edits_changed ON library_edits (user_id, change);
CREATE INDEX library_edits_unfinished ON library_edits (library_id, target, id) WHERE finished_at IS NULL;
CREATE INDEX library_edits_finished ON library_edits (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX library_edits_of_playlist ON library_edits (playlist_id, id) WHERE playlist_id IS NOT NULL;
CREATE INDEX library_edits_missing ON library_edits (user_id, id) WHERE missing IS NOT NULL;
CREATE TABLE library_edit_steps (
    edit_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    action TEXT NOT NULL,
    state TEXT NOT NULL,
    before TEXT,
    after TEXT,
    sent_at BIGINT,
    lost_at BIGINT,
    answered_at BIGINT,
    PRIMARY KEY (edit_id, number)
) WITHOUT ROWID;
CREATE TABLE library_edit_holds (
    edit_id BIGINT NOT NULL,
    item TEXT NOT NULL,
    item_id BIGINT NOT NULL,
    library_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    until BIGINT,
    PRIMARY KEY (edit_id, item, item_id)
) WITHOUT ROWID;
CREATE INDEX library_edit_holds_of_item ON library_edit_holds (library_id, item, item_id);
CREATE TABLE library_copies (
    user_id TEXT NOT NULL,
    id BIGINT NOT NULL,
    playlist_id BIGINT NOT NULL,
    entries_version BIGINT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    target BIGINT NOT NULL,
    state TEXT NOT NULL,
    total BIGINT NOT NULL,
    made_id BIGINT,
    last_edit BIGINT,
    repeats BIGINT NOT NULL,
    restores BIGINT NOT NULL DEFAULT 0,
    job_id TEXT,
    error_code TEXT,
    error_message TEXT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    change BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
CREATE INDEX library_copies_by_change ON library_copies (user_id, change);
CREATE INDEX library_copies_writing ON library_copies (last_edit) WHERE state = 'writing';
CREATE INDEX library_copies_finished ON library_copies (finished_at) WHERE finished_at IS NOT NULL;
CREATE TABLE library_copy_entries (
    user_id TEXT NOT NULL,
    copy_id BIGINT NOT NULL,
    position BIGINT NOT NULL,
    state TEXT NOT NULL,
    source_track_id BIGINT,
    title TEXT NOT NULL,
    artist TEXT NOT NULL,
    reference TEXT,
    written_id TEXT,
    other_id TEXT,
    edit_id BIGINT,
    tried TEXT NOT NULL,
    nearest TEXT NOT NULL,
    PRIMARY KEY (user_id, copy_id, position)
) WITHOUT ROWID;
CREATE INDEX library_copy_entries_by_state ON library_copy_entries (user_id, copy_id, state, position);
CREATE TABLE library_copy_choices (
    user_id TEXT NOT NULL,
    source BIGINT NOT NULL,
    source_id TEXT NOT NULL,
    target BIGINT NOT NULL,
    reference TEXT,
    PRIMARY KEY (user_id, source, source_id, target)
) WITHOUT ROWID;
CREATE TABLE library_imports (
    user_id TEXT NOT NULL,
    id BIGINT NOT NULL,
    filename TEXT NOT NULL,
    file TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    kind TEXT,
    state TEXT NOT NULL,
    rows_new BIGINT NOT NULL,
    rows_joined BIGINT NOT NULL,
    rows_skipped BIGINT NOT NULL,
    error TEXT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    pruning_since BIGINT,
    pruned_at BIGINT,
    change BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
CREATE INDEX library_imports_by_change ON library_imports (user_id, change);
CREATE INDEX library_imports_of_files ON library_imports (file);
CREATE INDEX library_imports_unpruned ON library_imports (finished_at)
WHERE pruned_at IS NULL AND finished_at IS NOT NULL;
CREATE TABLE library_import_skips (
    user_id TEXT NOT NULL,
    import_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    line BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (user_id, import_id, number)
) WITHOUT ROWID;
CREATE TABLE library_import_items (
    user_id TEXT NOT NULL,
    import_id BIGINT NOT NULL,
    item TEXT NOT NULL,
    item_id BIGINT NOT NULL,
    PRIMARY KEY (user_id, import_id, item, item_id)
) WITHOUT ROWID;
CREATE INDEX library_import_items_of_item ON library_import_items (user_id, item, item_id);
INSERT INTO library_keys (value)
VALUES (90);
INSERT INTO libraries (user_id, id, tracks, apple_tracks, spotify_tracks, shared_tracks, missing_tracks, playlists,
    albums, remasters_differ, identity_rules, identity_stage, identity_after, last_synced_at, songs_change, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 1, 2, 1, 2, 1, 1, 1, 1, 1, 3, 3, 0, 1796003000000000, 50, 61);
INSERT INTO library_accounts (library_id, source, account, id)
VALUES (1, 2, 'acc-1', 2);
INSERT INTO library_accounts (library_id, source, account, id)
VALUES (1, 1, 'am-1', 3);
INSERT INTO library_sources (library_id, source, account_id, storefront, credential, question, completed_at)
VALUES (1, 2, 2, 'CZ', 'acc-1', 'q-1', 1796003000000000);
INSERT INTO library_sources (library_id, source, account_id, removal_at, removal_key)
VALUES (1, 1, 3, 1796003500000000, 80);
INSERT INTO library_readings (library_id, source, list, account_id, total, head, unread, read_at, whole_at)
VALUES (1, 2, 'tracks', 2, 2, '5f11945bda87d628', 0, 1796003000000000, 1796002000000000);
INSERT INTO library_changes (library_id, id, at, sync, kind, item, item_id, source, title)
VALUES (1, 40, 1796002000000000, 30, 'added', 'track', 11, 2, 'Hyperballad');
INSERT INTO library_changes (library_id, id, at, sync, kind, item, item_id, source, title, entries_version)
VALUES (1, 41, 1796003000000000, 31, 'changed', 'playlist', 20, 2, 'Rain', 1);
INSERT INTO library_tracks (id, library_id, title, artist, album, title_key, artist_key, album_key, sources,
    is_saved, genres, duration_ms, isrc, is_explicit, disc_number, track_number, album_position, release_date,
    artwork, added_at, plays, listens, total_plays)
VALUES (10, 1, 'Hyperballad', 'Björk', 'Post', 'hyperballad', 'bjork', 'post', 3, 1, 'art pop', 321000, 'GBAAN9500010',
    0, 1, 2, 100002, '1995-06-13', 'https://i.scdn.co/image/ab2', 1795999000000000, 7, 9, 9);
INSERT INTO library_tracks (id, library_id, title, artist, album, title_key, artist_key, album_key, sources,
    is_saved, missing_since, album_position, added_at, plays)
VALUES (15, 1, 'Jóga', 'Björk', 'Homogenic', 'joga', 'bjork', 'homogenic', 2, 0, 1796002900000000, 0, 1795999100000000,
    0);
INSERT INTO library_source_tracks (id, library_id, track_id, source, account_id, source_id, is_saved, title, artist,
    album, duration_ms, isrc, popularity, added_at, created_at, synced_at)
VALUES (11, 1, 10, 2, 2, '3uy90vHHATPjtdilshDQDt', 1, 'Hyperballad', 'Björk', 'Post', 321000, 'GBAAN9500010', 52,
    1795999000000000, 1796002000000000, 1796003000000000);
INSERT INTO library_source_tracks (id, library_id, track_id, source, account_id, source_id, is_saved, title, artist,
    album, catalog_id, storefront, plays, last_played_at, rating, preview, created_at, synced_at)
VALUES (12, 1, 10, 1, 3, 'i.AbC', 1, 'Hyper-Ballad', 'Björk', 'Post', '1440766', 'cz', 7, 1795999500000000, 1,
    'https://audio-ssl.itunes.apple.com/p.m4a', 1796002100000000, 1796002500000000);
INSERT INTO library_source_tracks (id, library_id, track_id, source, account_id, source_id, is_saved, missing_since,
    title, artist, album, created_at, synced_at)
VALUES (16, 1, 15, 2, 2, '2fC3ZkF1QYw5Y8kqMJgv0g', 0, 1796002900000000, 'Jóga', 'Björk', 'Homogenic', 1796002000000000,
    1796003000000000);
INSERT INTO library_search_blocks (library_id, first_id, entries, texts)
VALUES (1, 10, X'0a00000000000000160000000f000000000000002a000000',
    X'687970657262616c6c61641f626a6f726b1f706f73746a6f67611f626a6f726b1f686f6d6f67656e6963');
INSERT INTO library_identity_keys (library_id, identity_key, source_track_id)
VALUES (1, -5146541326811112, 11);
INSERT INTO library_identity_keys (library_id, identity_key, source_track_id)
VALUES (1, -5146541326811112, 12);
INSERT INTO library_former_tracks (id, library_id, track_id, source_track_id)
VALUES (13, 1, 10, 12);
INSERT INTO library_decisions (id, library_id, kind, holds_sides, at)
VALUES (50, 1, 'merge', 1, 1796002200000000);
INSERT INTO library_decisions (id, library_id, kind, holds_sides, split_track_id, at)
VALUES (51, 1, 'split', 0, 10, 1796002300000000);
INSERT INTO library_decision_tracks (library_id, decision_id, source, source_id, side)
VALUES (1, 50, 2, '3uy90vHHATPjtdilshDQDt', 0);
INSERT INTO library_decision_tracks (library_id, decision_id, source, source_id, side)
VALUES (1, 50, 1, 'i.AbC', 0);
INSERT INTO library_duplicates (library_id, first_track_id, second_track_id, first_source_track_id,
    second_source_track_id, likelihood)
VALUES (1, 10, 15, 11, 16, 40);
INSERT INTO library_playlists (id, user_id, library_id, source, account_id, source_id, name, name_key, description,
    owner_id, owner_name, is_public, is_collaborative, can_edit, entry_count, entries_version, entries_state, edits,
    upstream_version, is_due, due_version, listed_count, read_count, read_at, added_at, synced_at)
VALUES (20, '01a229f1-2800-7000-8000-0000000000a1', 1, 2, 2, '37i9dQZF1DX', 'Rain', 'rain', 'For wet days',
    'ada-at-spotify', 'Ada', 0, 0, 1, 2, 2, 'read', 1, 'snap-2', 1, 'snap-3', 2, 2, 1796003000000000, 1795998000000000,
    1796003000000000);
INSERT INTO library_playlist_entries (playlist_id, version, position, kind, source_track_id, added_at)
VALUES (20, 2, 0, 'track', 11, 1795998500000000);
INSERT INTO library_playlist_entries (playlist_id, version, position, kind, title)
VALUES (20, 2, 1, 'episode', 'A podcast');
INSERT INTO library_playlist_entries (playlist_id, version, position, kind, source_track_id)
VALUES (20, 1, 0, 'track', 16);
INSERT INTO library_albums (id, library_id, source, account_id, source_id, name, artist, name_key, artist_key,
    release_date, track_count, genres, added_at, synced_at)
VALUES (22, 1, 2, 2, '1PV2', 'Post', 'Björk', 'post', 'bjork', '1995-06-13', 11, 'art pop', 1795999000000000,
    1796003000000000);
INSERT INTO library_syncs (id, user_id, number, sources, is_single, is_forced, state, asked_at, started_at, merged,
    change)
VALUES ('01a229f1-b888-7000-8000-000000000025', '01a229f1-2800-7000-8000-0000000000a1', 31, 2, 1, 0, 'running',
    1796003000000000, 1796003050000000, 1, 56);
INSERT INTO library_sync_sources (sync_id, source, state, phase, found, added, changed, total)
VALUES ('01a229f1-b888-7000-8000-000000000025', 2, 'running', 'tracks', 150, 1, 0, 300);
INSERT INTO library_fetched_pages (library_id, source, place, sync, account_id, page_offset, page, fetched_at)
VALUES (1, 2, 0, 31, 2, 150, '{"items":[]}', 1796003090000000);
INSERT INTO library_sightings (library_id, source, item, item_id)
VALUES (1, 2, 'track', 11);
INSERT INTO library_sightings (library_id, source, item, item_id)
VALUES (1, 2, 'trackCompared', 11);
INSERT INTO library_edits (id, user_id, library_id, source, account_id, kind, target, state, playlist_id, title,
    undo, missing, done, total, error_code, error_message, question, job_id, restores, created_at, change)
VALUES (60, '01a229f1-2800-7000-8000-0000000000a1', 1, 2, 2, 'removeEntries', 'playlist 20', 'unclear', 20, 'Rain',
    '{"formerVersion":1,"shownVersion":2,"tracks":[],"unknown":{}}', '["3uy90vHHATPjtdilshDQDt"]', 1, 2, 'unclear',
    'It is not known whether the songs were removed.', 'q-2', '01a229f2-a2e8-7000-8000-000000000061', 1,
    1796003200000000, 57);
INSERT INTO library_edit_steps (edit_id, number, action, state, before, sent_at, lost_at)
VALUES (60, 0, '{"remove":{"_0":["3uy90vHHATPjtdilshDQDt"],"entries":1}}', 'sent', '{"count":3,"version":"snap-1"}',
    1796003201000000, 1796003205000000);
INSERT INTO library_edit_holds (edit_id, item, item_id, library_id, kind, until)
VALUES (60, 'playlist', 20, 1, 'entries', 1796003900000000);
INSERT INTO library_copies (user_id, id, playlist_id, entries_version, name, target, state, total, made_id,
    last_edit, repeats, restores, job_id, created_at, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 70, 20, 2, 'Rain', 1, 'writing', 2, 71, 60, 0, 1,
    '01a229f2-a6d0-7000-8000-000000000062', 1796003300000000, 58);
INSERT INTO library_copy_entries (user_id, copy_id, position, state, source_track_id, title, artist, reference,
    written_id, other_id, edit_id, tried, nearest)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 70, 0, 'sent', 11, 'Hyperballad', 'Björk', 'appleMusic:1440766',
    '1440766', 'i.AbC', 60, '[]', '[]');
INSERT INTO library_copy_choices (user_id, source, source_id, target, reference)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 2, '3uy90vHHATPjtdilshDQDt', 1, 'appleMusic:1440766');
INSERT INTO library_imports (user_id, id, filename, file, bytes, kind, state, rows_new, rows_joined, rows_skipped,
    created_at, finished_at, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 75, 'library.csv', 'import-75', 2048, 'csv', 'complete', 1, 1, 1,
    1796002600000000, 1796002601000000, 45);
INSERT INTO library_import_skips (user_id, import_id, number, line, reason)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 75, 0, 4, 'noTitle');
INSERT INTO library_import_items (user_id, import_id, item, item_id)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 75, 'track', 16);

-- listening
CREATE TABLE listen_keys (value BIGINT NOT NULL);
CREATE TABLE listen_histories (
    user_id TEXT NOT NULL PRIMARY KEY,
    id BIGINT NOT NULL UNIQUE,
    listens BIGINT NOT NULL,
    observations BIGINT NOT NULL DEFAULT 0,
    said_bytes BIGINT NOT NULL DEFAULT 0,
    newest_song BIGINT NOT NULL DEFAULT 0,
    resolved_version BIGINT NOT NULL,
    resolved_song BIGINT NOT NULL,
    feedback_searched BIGINT NOT NULL DEFAULT 9223372036854775807,
    change BIGINT NOT NULL
);
CREATE INDEX listen_histories_by_change ON listen_histories (user_id, change);
CREATE INDEX listen_histories_unresolved ON listen_histories (id) WHERE resolved_song < newest_song;
CREATE INDEX listen_histories_unsearched ON listen_histories (id) WHERE feedback_searched < newest_song;
CREATE TABLE listen_songs (
    history_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    said_key BIGINT NOT NULL,
    title TEXT NOT NULL,
    artist TEXT NOT NULL,
    album TEXT,
    duration_ms BIGINT,
    isrc TEXT,
    recording_mbid TEXT,
    spotify_id TEXT,
    apple_music_id TEXT,
    track_id BIGINT,
    plays BIGINT NOT NULL,
    change BIGINT NOT NULL,
    PRIMARY KEY (history_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX listen_songs_said ON listen_songs (history_id, said_key);
CREATE INDEX listen_songs_by_change ON listen_songs (history_id, change) WHERE change > 0;
CREATE INDEX listen_songs_of_tracks ON listen_songs (history_id, track_id) WHERE track_id IS NOT NULL;
CREATE TABLE listen_tracks_to_count (
    history_id BIGINT NOT NULL,
    track_id BIGINT NOT NULL,
    PRIMARY KEY (history_id, track_id)
) WITHOUT ROWID;
CREATE TABLE listen_details (
    history_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    said_key BIGINT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (history_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX listen_details_said ON listen_details (history_id, said_key);
CREATE TABLE listen_observations (
    history_id BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    id BIGINT NOT NULL,
    time BIGINT,
    form BIGINT NOT NULL,
    source BIGINT NOT NULL,
    client_id BIGINT,
    song_id BIGINT NOT NULL,
    played_ms BIGINT,
    source_id TEXT,
    details_id BIGINT,
    import_id BIGINT,
    is_deleted BIGINT NOT NULL,
    listen_id BIGINT NOT NULL,
    PRIMARY KEY (history_id, started_at, id)
) WITHOUT ROWID;
CREATE INDEX listen_observations_of_imports ON listen_observations (history_id, import_id)
WHERE import_id IS NOT NULL;
CREATE INDEX listen_observations_of_songs ON listen_observations (history_id, song_id, started_at, id);
CREATE INDEX listen_observations_of_details ON listen_observations (history_id, details_id)
WHERE details_id IS NOT NULL;
CREATE INDEX listen_observations_of_listens ON listen_observations (history_id, listen_id);
CREATE TABLE listen_repeats (
    history_id BIGINT NOT NULL,
    import_id BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    observation_id BIGINT NOT NULL,
    PRIMARY KEY (history_id, import_id, started_at, observation_id)
) WITHOUT ROWID;
CREATE INDEX listen_repeats_of_observations ON listen_repeats (history_id, observation_id);
CREATE TABLE listens (
    history_id BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    id BIGINT NOT NULL,
    song_id BIGINT NOT NULL,
    played_ms BIGINT,
    sources BIGINT NOT NULL,
    PRIMARY KEY (history_id, started_at, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX listens_by_id ON listens (history_id, id);
CREATE TABLE listen_months (
    history_id BIGINT NOT NULL,
    month BIGINT NOT NULL,
    change BIGINT NOT NULL,
    PRIMARY KEY (history_id, month)
) WITHOUT ROWID;
CREATE TABLE listen_clients (
    history_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (history_id, id)
) WITHOUT ROWID;
CREATE INDEX listen_clients_by_name ON listen_clients (history_id, name);
CREATE TABLE listen_contacts (
    history_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (history_id, source)
) WITHOUT ROWID;
CREATE TABLE listen_latest_imports (
    history_id BIGINT NOT NULL,
    service TEXT NOT NULL,
    latest BIGINT NOT NULL,
    PRIMARY KEY (history_id, service)
) WITHOUT ROWID;
CREATE TABLE listen_removals (
    history_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    until_id BIGINT NOT NULL,
    PRIMARY KEY (history_id, source)
) WITHOUT ROWID;
CREATE TABLE listen_spotify_reads (
    history_id BIGINT NOT NULL PRIMARY KEY,
    newest_at BIGINT,
    left_out_until BIGINT
);
CREATE TABLE listen_gaps (
    history_id BIGINT NOT NULL,
    source BIGINT NOT NULL,
    from_at BIGINT NOT NULL,
    to_at BIGINT NOT NULL,
    PRIMARY KEY (history_id, source, from_at)
) WITHOUT ROWID;
CREATE TABLE listen_feedback (
    history_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    recording_msid TEXT,
    recording_mbid TEXT,
    score BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    song_id BIGINT,
    song_key BIGINT,
    title TEXT,
    artist TEXT,
    album TEXT,
    PRIMARY KEY (history_id, id)
) WITHOUT ROWID;
CREATE INDEX listen_feedback_by_msid ON listen_feedback (history_id, recording_msid)
WHERE recording_msid IS NOT NULL;
CREATE INDEX listen_feedback_by_mbid ON listen_feedback (history_id, recording_mbid)
WHERE recording_mbid IS NOT NULL;
CREATE INDEX listen_feedback_by_song ON listen_feedback (history_id, song_key) WHERE song_key IS NOT NULL;
INSERT INTO listen_keys (value)
VALUES (30);
INSERT INTO listen_histories (user_id, id, listens, observations, said_bytes, newest_song, resolved_version,
    resolved_song, feedback_searched, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 1, 2, 3, 60, 3, 50, 3, 3, 63);
INSERT INTO listen_songs (history_id, id, said_key, title, artist, album, duration_ms, isrc, recording_mbid,
    spotify_id, track_id, plays, change)
VALUES (1, 2, 7300001, 'Hyperballad', 'Björk', 'Post', 321000, 'GBAAN9500010', '5b1c9e3e-7a0c-4a8e-9a58-2a3fd1d9a001',
    '3uy90vHHATPjtdilshDQDt', 10, 1, 63);
INSERT INTO listen_songs (history_id, id, said_key, title, artist, apple_music_id, plays, change)
VALUES (1, 3, 7300002, 'Jóga', 'Björk', '1440799', 1, 0);
INSERT INTO listen_tracks_to_count (history_id, track_id)
VALUES (1, 10);
INSERT INTO listen_details (history_id, id, said_key, details)
VALUES (1, 4, 7300003, '{"media_player":"mpd"}');
INSERT INTO listen_observations (history_id, started_at, id, form, source, client_id, song_id, played_ms,
    details_id, is_deleted, listen_id)
VALUES (1, 1796001000000000, 5, 1, 1, 8, 2, 300000, 4, 0, 7);
INSERT INTO listen_observations (history_id, started_at, id, time, form, source, song_id, source_id, is_deleted,
    listen_id)
VALUES (1, 1796001000000000, 6, 1796001321000000, 3, 2, 2, '3uy90vHHATPjtdilshDQDt', 0, 7);
INSERT INTO listen_observations (history_id, started_at, id, form, source, song_id, import_id, is_deleted,
    listen_id)
VALUES (1, 1796002000000000, 9, 1, 3, 3, 75, 1, 10);
INSERT INTO listen_repeats (history_id, import_id, started_at, observation_id)
VALUES (1, 76, 1796002000000000, 9);
INSERT INTO listens (history_id, started_at, id, song_id, played_ms, sources)
VALUES (1, 1796001000000000, 7, 2, 300000, 3);
INSERT INTO listens (history_id, started_at, id, song_id, sources)
VALUES (1, 1796002000000000, 10, 3, 4);
INSERT INTO listen_months (history_id, month, change)
VALUES (1, 24322, 63);
INSERT INTO listen_clients (history_id, id, name)
VALUES (1, 8, 'mpd-scrobbler');
INSERT INTO listen_contacts (history_id, source, last_at)
VALUES (1, 1, 1796001300000000);
INSERT INTO listen_latest_imports (history_id, service, latest)
VALUES (1, 'lastfm', 1795900000);
INSERT INTO listen_removals (history_id, source, until_id)
VALUES (1, 3, 9);
INSERT INTO listen_spotify_reads (history_id, newest_at, left_out_until)
VALUES (1, 1796001321000000, 1796000500000000);
INSERT INTO listen_gaps (history_id, source, from_at, to_at)
VALUES (1, 2, 1796000100000000, 1796000800000000);
INSERT INTO listen_feedback (history_id, id, recording_msid, recording_mbid, score, created_at, song_id, song_key,
    title, artist, album)
VALUES (1, 11, '0b1c9e3e-7a0c-4a8e-9a58-2a3fd1d9a002', '5b1c9e3e-7a0c-4a8e-9a58-2a3fd1d9a001', 1, 1796001500000000, 2,
    7300009, 'Hyperballad', 'Björk', 'Post');

-- curation
CREATE TABLE curated_lists (
    user_id TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    request TEXT NOT NULL,
    partner_id TEXT,
    state TEXT NOT NULL,
    is_scheduled BIGINT NOT NULL,
    title TEXT NOT NULL,
    model TEXT,
    calls BIGINT NOT NULL,
    pending_tokens BIGINT,
    pending_month TEXT,
    input_tokens BIGINT,
    output_tokens BIGINT,
    total_tokens BIGINT NOT NULL,
    cost_amount TEXT,
    cost_currency TEXT,
    answer TEXT,
    found TEXT,
    sent TEXT,
    fallback TEXT,
    dropped TEXT,
    removed_songs BIGINT NOT NULL DEFAULT 0,
    cache_key TEXT,
    job_id TEXT,
    error_code TEXT,
    error_message TEXT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    change BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
CREATE INDEX curated_lists_by_change ON curated_lists (user_id, change);
CREATE INDEX curated_lists_by_cache_key ON curated_lists (user_id, cache_key) WHERE cache_key IS NOT NULL;
CREATE INDEX curated_lists_by_end ON curated_lists (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX curated_lists_by_partner ON curated_lists (partner_id, user_id, id) WHERE partner_id IS NOT NULL;
CREATE TABLE curated_tracks (
    user_id TEXT NOT NULL,
    list_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    track TEXT NOT NULL,
    PRIMARY KEY (user_id, list_id, position)
) WITHOUT ROWID;
CREATE TABLE blend_partners (
    user_id TEXT NOT NULL,
    partner_id TEXT NOT NULL,
    state TEXT NOT NULL,
    since_at BIGINT NOT NULL,
    change BIGINT NOT NULL,
    PRIMARY KEY (user_id, partner_id)
) WITHOUT ROWID;
CREATE INDEX blend_partners_by_change ON blend_partners (user_id, change);
CREATE INDEX blend_partners_of_partner ON blend_partners (partner_id);
CREATE TABLE blend_requests (
    user_id TEXT NOT NULL PRIMARY KEY,
    day TEXT NOT NULL,
    requests BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE curation_settings (
    user_id TEXT NOT NULL PRIMARY KEY,
    model TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE curation_dismissals (
    user_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    title TEXT,
    artist TEXT,
    album TEXT,
    duration_ms BIGINT,
    isrc TEXT,
    dismissed_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, reference)
) WITHOUT ROWID;
CREATE TABLE curation_usage (
    user_id TEXT NOT NULL,
    month TEXT NOT NULL,
    tokens BIGINT NOT NULL,
    PRIMARY KEY (user_id, month)
) WITHOUT ROWID;
INSERT INTO curated_lists (user_id, id, kind, request, partner_id, state, is_scheduled, title, model, calls,
    pending_tokens, pending_month, input_tokens, output_tokens, total_tokens, cost_amount, cost_currency, job_id,
    created_at, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', '01a229f3-1c00-7000-8000-000000000080', 'blend',
    '{"excludedArtists":[],"excludedTracks":[],"basedOn":[],"kind":"blend","pinned":[],"prompt":"","seed"'
    || ':1,"size":5,"source":"mixed","with":"Böb"}', '01a229f1-2be8-7000-8000-0000000000b0', 'asking', 0, 'Ada and Böb',
    'gemini', 1, 900, '2026-11', 0, 0, 0, '0', 'USD', '01a229f3-1fe8-7000-8000-000000000081', 1796003400000000, 53);
INSERT INTO curated_lists (user_id, id, kind, request, state, is_scheduled, title, calls, total_tokens, sent,
    fallback, dropped, removed_songs, cache_key, created_at, finished_at, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', '01a229f3-23d0-7000-8000-000000000082', 'playlist',
    '{"excludedArtists":[],"excludedTracks":[],"basedOn":[],"kind":"playlist","pinned":[],"prompt":"rain"'
    || ',"seed":2,"size":5,"source":"library"}', 'complete', 1, 'Rain', 0, 0, '[]', 'noModel', '[]', 1, 'c0ffee',
    1796003100000000, 1796003101000000, 48);
INSERT INTO curated_tracks (user_id, list_id, position, track)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', '01a229f3-23d0-7000-8000-000000000082', 0,
    '{"album":"Post","artist":"Björk","durationMs":321000,"evidence":[],"isFilled":false,"isPinned":false'
    || ',"origin":"library","reason":"You often play it.","reference":"00000000-0000-8000-8000-00000000000a"'
    || ',"title":"Hyperballad"}');
INSERT INTO blend_partners (user_id, partner_id, state, since_at, change)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', '01a229f1-2be8-7000-8000-0000000000b0', 'accepted', 1796000300000000,
    20);
INSERT INTO blend_partners (user_id, partner_id, state, since_at, change)
VALUES ('01a229f1-2be8-7000-8000-0000000000b0', '01a229f1-2800-7000-8000-0000000000a1', 'accepted', 1796000300000000,
    20);
INSERT INTO blend_requests (user_id, day, requests)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', '2026-11-29', 1);
INSERT INTO curation_settings (user_id, model)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'gemini');
INSERT INTO curation_dismissals (user_id, reference, title, artist, album, duration_ms, isrc, dismissed_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'spotify:2fC3ZkF1QYw5Y8kqMJgv0g', 'Jóga', 'Björk', 'Homogenic', 305000,
    'GBAAN9700015', 1796003150000000);
INSERT INTO curation_dismissals (user_id, reference, dismissed_at)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', 'appleMusic:1', 1796003151000000);
INSERT INTO curation_usage (user_id, month, tokens)
VALUES ('01a229f1-2800-7000-8000-0000000000a1', '2026-11', 900);
COMMIT;
