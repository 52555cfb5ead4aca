-- A database that the processes of release 9 (schema 9) made: searches, keys that a person entered, jobs that
-- succeeded, failed, were cancelled, wait, and were running when their workers were killed. Of its 79 events three
-- of each artist are left, and of its permits those that were in use. No secret in it is good for anything.
-- The long line of a CREATE TABLE stays as ALTER TABLE wrote it, because a test compares the text of the schema.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE schema_migrations (
    number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL);
INSERT INTO schema_migrations VALUES(1,'jobs',1795343569210155);
INSERT INTO schema_migrations VALUES(2,'accounts',1795343569212994);
INSERT INTO schema_migrations VALUES(3,'permits',1795343569214356);
INSERT INTO schema_migrations VALUES(4,'concerts',1795343569217716);
INSERT INTO schema_migrations VALUES(5,'sessions',1795343569229700);
INSERT INTO schema_migrations VALUES(6,'telemetry',1795343569232893);
INSERT INTO schema_migrations VALUES(7,'job indexes',1795343569233506);
INSERT INTO schema_migrations VALUES(8,'people',1795343569238022);
INSERT INTO schema_migrations VALUES(9,'credentials',1795343569248840);
CREATE TABLE change_sequence (value BIGINT NOT NULL);
INSERT INTO change_sequence VALUES(68);
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    version BIGINT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    priority BIGINT NOT NULL,
    run BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    maximum_attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    run_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    worker TEXT,
    lease_expires_at BIGINT,
    is_suspect BIGINT NOT NULL DEFAULT 0,
    crashes BIGINT NOT NULL DEFAULT 0,
    result TEXT,
    error_code TEXT,
    error_message TEXT,
    unique_key TEXT,
    fingerprint TEXT,
    change BIGINT NOT NULL
, trace TEXT, awaits TEXT) WITHOUT ROWID;
INSERT INTO jobs VALUES('01a202d0-d3ce-7667-8bbe-7f12bc28e939', 'system', 'concerts.lookup', 1,
    '{"artists":[{"name":"Coldplay","key":"artist:coldplay"}]}', 'succeeded', 10, 1, 1, 5, 1795343569870800,
    1795343569870800, 1795343569876066, 1795343570279735, 'concert-worker-1/01a202d0-d269-774f-aba5-957f3a511fa6', NULL,
    0, 0, '{"artists":1,"events":23}', NULL, NULL, NULL, NULL, 12, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-d3cf-77e2-a94f-20cbfd5aca88', 'system', 'concerts.lookup', 1,
    '{"artists":[{"key":"artist:metallica","name":"Metallica"}]}', 'succeeded', 10, 1, 1, 5, 1795343569871077,
    1795343569871077, 1795343569876066, 1795343570305733, 'concert-worker-1/01a202d0-d269-774f-aba5-957f3a511fa6', NULL,
    0, 0, '{"artists":1,"events":15}', NULL, NULL, NULL, NULL, 14, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-d3cf-77e2-a950-fb22a36857aa', 'system', 'concerts.lookup', 1,
    '{"artists":[{"key":"artist:bjork","name":"Björk"}]}', 'succeeded', 10, 1, 1, 5, 1795343569871113, 1795343569871113,
    1795343569876066, 1795343570438650, 'concert-worker-1/01a202d0-d269-774f-aba5-957f3a511fa6', NULL, 0, 0,
    '{"artists":1,"events":26}', NULL, NULL, NULL, NULL, 16, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-d3cf-77e2-a951-c61daf170847', 'system', 'concerts.lookup', 1,
    '{"artists":[{"key":"artist:kabat","name":"Kabát"}]}', 'succeeded', 10, 1, 1, 5, 1795343569871137, 1795343569871137,
    1795343569876066, 1795343570255462, 'concert-worker-1/01a202d0-d269-774f-aba5-957f3a511fa6', NULL, 0, 0,
    '{"artists":1,"events":16}', NULL, NULL, NULL, NULL, 10, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-d6c8-72c0-bdbc-45ef38a63559', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'setup.verifyGemini', 1, '{"candidateID":"01a202d0-d6c5-77ae-bb4c-d09e8bab315b"}', 'succeeded', 10, 1, 1, 5,
    1795343570632354, 1795343570632354, 1795343570636022, 1795343570887282,
    'ai-worker-1/01a202d0-d0c8-72f4-b319-c45266461645', NULL, 0, 0, '{"verdict":"accepted"}', NULL, NULL, NULL, NULL,
    20, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-d7da-7365-a669-b8f33d2b57a8', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'setup.verifyTicketmaster', 1, '{"candidateID":"01a202d0-d7da-7365-a668-7a8e758f612f"}', 'succeeded', 10, 1, 1, 5,
    1795343570906884, 1795343570906884, 1795343570907854, 1795343571304654,
    'concert-worker-1/01a202d0-d269-774f-aba5-957f3a511fa6', NULL, 0, 0, '{"verdict":"accepted"}', NULL, NULL, NULL,
    NULL, 24, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-d971-7790-b279-145b34b25083', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'diagnostics.echo', 1, '{"hello": "world"}', 'succeeded', 0, 1, 1, 5, 1795343571313225, 1795343571313225,
    1795343571314641, 1795343571316655, 'ai-worker-1/01a202d0-d0c8-72f4-b319-c45266461645', NULL, 0, 0,
    '{"hello": "world"}', NULL, NULL, NULL, NULL, 28, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-d97c-765c-a502-c20c407bb616', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'diagnostics.echo', 1, '{"failAttempts": 2, "n": 1}', 'succeeded', 0, 3, 3, 5, 1795343571324703, 1795343573122868,
    1795343573203760, 1795343573208987, 'ai-worker-1/01a202d0-d0c8-72f4-b319-c45266461645', NULL, 0, 0,
    '{"failAttempts": 2, "n": 1}', NULL, NULL, 'u1', '140124588c36a71680f45646745769b66c6e6d0a1e003aa258fff8a01cb60e15',
    37, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-e0e4-720d-8db5-188acbf42c94', '01a202d0-d375-72f0-8685-ce11b031724a',
    'diagnostics.echo', 1, '{"later": 1}', 'scheduled', 0, 0, 0, 5, 1795343573220167, 1924992000000000, NULL, NULL,
    NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 38, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-e0ea-7113-b836-c3a12e710ed4', '01a202d0-d375-72f0-8685-ce11b031724a',
    'diagnostics.echo', 1, '{"c": 1, "sleepMs": 60000}', 'cancelled', 0, 1, 1, 5, 1795343573226828, 1795343573226828,
    1795343573226828, 1795343573232323, 'ai-worker-1/01a202d0-d0c8-72f4-b319-c45266461645', NULL, 0, 0, NULL, NULL,
    NULL, NULL, NULL, 40, NULL, NULL);
INSERT INTO jobs VALUES('01a202d0-e0f5-772f-90d5-345078ec663d', '01a202d0-d375-72f0-8685-ce11b031724a',
    'spotify.profile', 1, '{}', 'scheduled', 0, 1, 0, 5, 1795343573237888, 1795344473242517, 1795343573237888, NULL,
    NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 42, NULL, 'spotify');
INSERT INTO jobs VALUES('01a202d0-e0fe-75c4-aeb1-eea2f1140c16', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'diagnostics.echo', 1, '{"failAttempts": 9, "d": 1}', 'failed', 0, 5, 5, 5, 1795343573246462, 1795343581653689,
    1795343581768989, 1795343581773603, 'sync-worker-1/01a202d0-d0a9-757d-8bd6-ec7c3c912e93', NULL, 0, 0, NULL,
    'failedAsAsked', 'The payload''s failAttempts asks for it.', NULL, NULL, 56, NULL, NULL);
INSERT INTO jobs VALUES('01a202d1-027b-73d1-acd6-1e5eb4e10898', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'diagnostics.echo', 1, '{"sleepMs": 500000, "n": 0}', 'queued', 0, 2, 0, 5, 1795343581819728, 1795343581819728,
    1795343592012023, NULL, NULL, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, 64, NULL, NULL);
INSERT INTO jobs VALUES('01a202d1-0289-743f-9925-1bc21167eb1a', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'diagnostics.echo', 1, '{"sleepMs": 500000, "n": 1}', 'running', 0, 2, 1, 5, 1795343581833235, 1795343581833235,
    1795343596052473, NULL, 'concert-worker-1/01a202d1-39fa-7049-8b7e-3b2216ed17d9', 2561212104, 1, 0, NULL, NULL, NULL,
    NULL, NULL, 65, NULL, NULL);
INSERT INTO jobs VALUES('01a202d1-028f-76f7-b42a-d269fd0433b7', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'diagnostics.echo', 1, '{"sleepMs": 500000, "n": 2}', 'queued', 0, 1, 0, 5, 1795343581839916, 1795343581839916,
    1795343581839916, NULL, NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, 62, NULL, NULL);
INSERT INTO jobs VALUES('01a202d1-03a1-7000-8000-0000000000bb', 'system', 'concerts.lookup', 1,
    '{"artists":[{"name":"Muse","key":"artist:muse"}]}', 'queued', 10, 0, 0, 5, 1795343582113000, 1795343582113000,
    NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 67, NULL, NULL);
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
INSERT INTO job_attempts VALUES('01a202d0-d97c-765c-a502-c20c407bb616', 1, 1,
    'ai-worker-1/01a202d0-d0c8-72f4-b319-c45266461645', 1795343571326317, 1795343571327842, 'failedAsAsked',
    'The payload''s failAttempts asks for it.');
INSERT INTO job_attempts VALUES('01a202d0-d97c-765c-a502-c20c407bb616', 2, 2,
    'ai-worker-1/01a202d0-d0c8-72f4-b319-c45266461645', 1795343571895323, 1795343571906817, 'failedAsAsked',
    'The payload''s failAttempts asks for it.');
INSERT INTO job_attempts VALUES('01a202d0-e0fe-75c4-aeb1-eea2f1140c16', 1, 1,
    'ai-worker-1/01a202d0-d0c8-72f4-b319-c45266461645', 1795343573246462, 1795343573250298, 'failedAsAsked',
    'The payload''s failAttempts asks for it.');
INSERT INTO job_attempts VALUES('01a202d0-e0fe-75c4-aeb1-eea2f1140c16', 2, 2,
    'sync-worker-1/01a202d0-d0a9-757d-8bd6-ec7c3c912e93', 1795343574254096, 1795343574262218, 'failedAsAsked',
    'The payload''s failAttempts asks for it.');
INSERT INTO job_attempts VALUES('01a202d0-e0fe-75c4-aeb1-eea2f1140c16', 3, 3,
    'sync-worker-1/01a202d0-d0a9-757d-8bd6-ec7c3c912e93', 1795343575810024, 1795343575816408, 'failedAsAsked',
    'The payload''s failAttempts asks for it.');
INSERT INTO job_attempts VALUES('01a202d0-e0fe-75c4-aeb1-eea2f1140c16', 4, 4,
    'sync-worker-1/01a202d0-d0a9-757d-8bd6-ec7c3c912e93', 1795343579471674, 1795343579493043, 'failedAsAsked',
    'The payload''s failAttempts asks for it.');
INSERT INTO job_attempts VALUES('01a202d0-e0fe-75c4-aeb1-eea2f1140c16', 5, 5,
    'sync-worker-1/01a202d0-d0a9-757d-8bd6-ec7c3c912e93', 1795343581768989, 1795343581773603, 'failedAsAsked',
    'The payload''s failAttempts asks for it.');
INSERT INTO job_attempts VALUES('01a202d1-027b-73d1-acd6-1e5eb4e10898', 2, 1,
    'ai-worker-1/01a202d0-d0c8-72f4-b319-c45266461645', 1795343592012023, 1795343592510493, 'workerDied',
    'Its worker died while this job ran alone on it.');
CREATE TABLE job_counts (
    user_id TEXT NOT NULL,
    state TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (user_id, state)
) WITHOUT ROWID;
INSERT INTO job_counts VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7','failed',1);
INSERT INTO job_counts VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7','queued',2);
INSERT INTO job_counts VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7','running',1);
INSERT INTO job_counts VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7','scheduled',0);
INSERT INTO job_counts VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7','succeeded',4);
INSERT INTO job_counts VALUES('01a202d0-d375-72f0-8685-ce11b031724a','cancelled',1);
INSERT INTO job_counts VALUES('01a202d0-d375-72f0-8685-ce11b031724a','running',0);
INSERT INTO job_counts VALUES('01a202d0-d375-72f0-8685-ce11b031724a','scheduled',2);
INSERT INTO job_counts VALUES('system','queued',1);
INSERT INTO job_counts VALUES('system','running',0);
INSERT INTO job_counts VALUES('system','succeeded',4);
CREATE TABLE idempotency_keys (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    resource_ids TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, key)
) WITHOUT ROWID;
INSERT INTO idempotency_keys VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', 'k1',
    'c669159197c731d13a42dd9a38f0c46c104616c7789df1e4b1b92f3280f3ad77', '01a202d0-d971-7790-b279-145b34b25083',
    1795343571313675);
CREATE TABLE schedules (
    name TEXT NOT NULL PRIMARY KEY,
    next_at BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO schedules VALUES('nightly',1795377600000000);
CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL
, is_admin BIGINT NOT NULL DEFAULT 0, name_key TEXT NOT NULL DEFAULT '', google_subject TEXT, email TEXT, display_name TEXT, bio TEXT, picture_url TEXT, home_city TEXT, profile_visibility TEXT NOT NULL DEFAULT 'public', show_listening_stats BIGINT NOT NULL DEFAULT 1, push_token TEXT, updated_at BIGINT) WITHOUT ROWID;
INSERT INTO users VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', 'ada', 1795343569705444, 1, 'ada', NULL, NULL, NULL,
    NULL, NULL, 'Prague', 'public', 1, NULL, 1795343571304733);
INSERT INTO users VALUES('01a202d0-d375-72f0-8685-ce11b031724a', 'bob', 1795343569781285, 0, 'bob', NULL, NULL, NULL,
    NULL, NULL, NULL, 'public', 1, NULL, NULL);
CREATE TABLE permit_keys (
    key TEXT NOT NULL PRIMARY KEY,
    provider TEXT NOT NULL,
    requests BIGINT NOT NULL,
    window_length BIGINT NOT NULL,
    paused_until BIGINT,
    paused_until_instant BIGINT,
    paused_boot TEXT,
    pause_reason TEXT,
    quota_resets_at BIGINT
) WITHOUT ROWID;
INSERT INTO permit_keys VALUES('gemini:4738e07a3b1c426f','gemini',10,60000000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO permit_keys VALUES('gemini:candidates','gemini',20,10000000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO permit_keys VALUES('ticketmaster:803fcb8144220f22', 'ticketmaster', 5, 1000000, NULL, NULL, NULL, NULL,
    1795429970066000);
INSERT INTO permit_keys VALUES('ticketmaster:candidates','ticketmaster',20,10000000,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE permit_slots (
    key TEXT NOT NULL,
    slot BIGINT NOT NULL,
    boot TEXT NOT NULL,
    busy_until_instant BIGINT NOT NULL,
    grant_number BIGINT NOT NULL,
    holder TEXT,
    PRIMARY KEY (key, slot)
) WITHOUT ROWID;
INSERT INTO permit_slots VALUES('gemini:4738e07a3b1c426f', 0, '00000000-0000-4000-8000-000000000009', 2586003471,
    1377010535141940989, NULL);
INSERT INTO permit_slots VALUES('gemini:candidates', 0, '00000000-0000-4000-8000-000000000009', 2536004204,
    3553978831578052944, NULL);
INSERT INTO permit_slots VALUES('ticketmaster:803fcb8144220f22', 0, '00000000-0000-4000-8000-000000000009', 2526339380,
    3864796757256172122, NULL);
INSERT INTO permit_slots VALUES('ticketmaster:803fcb8144220f22', 1, '00000000-0000-4000-8000-000000000009', 2526384253,
    3626701245419253511, NULL);
INSERT INTO permit_slots VALUES('ticketmaster:803fcb8144220f22', 2, '00000000-0000-4000-8000-000000000009', 2526467712,
    2346887955400003610, NULL);
INSERT INTO permit_slots VALUES('ticketmaster:803fcb8144220f22', 3, '00000000-0000-4000-8000-000000000009', 2526369425,
    4077938472032596887, NULL);
INSERT INTO permit_slots VALUES('ticketmaster:803fcb8144220f22', 4, '00000000-0000-4000-8000-000000000009', 2527361276,
    3431612443400472370, NULL);
INSERT INTO permit_slots VALUES('ticketmaster:candidates', 0, '00000000-0000-4000-8000-000000000009', 2536361534,
    3660672641995210120, NULL);
CREATE TABLE permit_demand (
    key TEXT NOT NULL,
    process TEXT NOT NULL,
    waiting BIGINT NOT NULL,
    boot TEXT NOT NULL,
    live_until_instant BIGINT NOT NULL,
    PRIMARY KEY (key, process)
) WITHOUT ROWID;
CREATE TABLE ranked_artists (
    user_id TEXT NOT NULL,
    id TEXT NOT NULL,
    rank BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
INSERT INTO ranked_artists VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', '01a202d0-d3c1-7147-934a-3a26631f2f2a', 1,
    'Coldplay');
INSERT INTO ranked_artists VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', '01a202d0-d3c1-7147-934b-cccc5c5103f1', 2,
    'Metallica');
INSERT INTO ranked_artists VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', '01a202d0-d3c1-7147-934c-448e88f2fdc4', 3,
    'Björk');
INSERT INTO ranked_artists VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', '01a202d0-d3c1-7147-934d-076e36cd5ba7', 4,
    'Kabát');
CREATE TABLE concert_subjects (
    subject_key TEXT NOT NULL PRIMARY KEY,
    attraction_id TEXT,
    status TEXT,
    warning_code TEXT,
    checked_at BIGINT,
    job_id TEXT
) WITHOUT ROWID;
INSERT INTO concert_subjects VALUES('artist:bjork','K8vZ917Kdes','complete',NULL,1795343570438703,NULL);
INSERT INTO concert_subjects VALUES('artist:coldplay','K8vZ917OOKu','complete',NULL,1795343570279787,NULL);
INSERT INTO concert_subjects VALUES('artist:kabat','Z7r9jZ1XaLS','complete',NULL,1795343570255898,NULL);
INSERT INTO concert_subjects VALUES('artist:metallica','K8vZ917OaHz','complete',NULL,1795343570305788,NULL);
CREATE TABLE concert_events (
    id TEXT NOT NULL PRIMARY KEY,
    event TEXT NOT NULL,
    updated_at BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO concert_events VALUES('1A0b3tRTqiCxU9Nu',
    '{"attractions":[{"id":"K8vZ917Kdes","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917Kde'
    || 's_RETINA_PORTRAIT_16_9.jpg","name":"Björk"}],"dateTBA":false,"genre":"Dance/Electronic","id":"1A0b3tRTqi'
    || 'CxU9Nu","imageURL":"https://images.ticketmaster.example/dam/a/1a0/1A0b3tRTqiCxU9Nu_RETINA_PORTRAIT_16_9.'
    || 'jpg","kind":"show","localDate":"2027-01-24","localTime":"18:30:00","name":"Björk - The Long Way Round To'
    || 'ur","segment":"Music","spansMultipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.'
    || 'example/event/1A0b3tRTqiCxU9Nu","timeTBA":false,"venue":{"address":"67 Main Street","city":"Budapest","c'
    || 'ountry":"Hungary","countryCode":"HU","id":"Z598x6hZHQq","location":{"latitude":47.4665,"longitude":19.03'
    || '2799999999998},"name":"Budapest Stadium","timezone":"Europe/Budapest"}}', 1795343570438703);
INSERT INTO concert_events VALUES('1A5Uis2Tx9UKzJjz',
    '{"attractions":[{"id":"K8vZ917OaHz","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917OaH'
    || 'z_RETINA_PORTRAIT_16_9.jpg","name":"Metallica"}],"dateTBA":false,"genre":"Metal","id":"1A5Uis2Tx9UKzJjz"'
    || ',"imageURL":"https://images.ticketmaster.example/dam/a/1a5/1A5Uis2Tx9UKzJjz_RETINA_PORTRAIT_16_9.jpg","k'
    || 'ind":"show","localDate":"2026-12-23","localTime":"19:30:00","name":"Metallica - Summer Nights","segment"'
    || ':"Music","spansMultipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.example/event'
    || '/1A5Uis2Tx9UKzJjz","timeTBA":false,"venue":{"address":"186 Harbour Walk","city":"Praha 7","country":"Cze'
    || 'ch Republic","countryCode":"CZ","id":"KovZODnqHvu","location":{"latitude":50.089099999999995,"longitude"'
    || ':14.398299999999999},"name":"Prague Stadium","timezone":"Europe/Prague"}}', 1795343570305788);
INSERT INTO concert_events VALUES('1A7o8LBAp5eNDdi',
    '{"attractions":[{"id":"K8vZ917OOKu","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917OOK'
    || 'u_RETINA_PORTRAIT_16_9.jpg","name":"Coldplay"}],"dateTBA":false,"genre":"Rock","id":"1A7o8LBAp5eNDdi","i'
    || 'mageURL":"https://images.ticketmaster.example/dam/a/1a7/1A7o8LBAp5eNDdi_RETINA_PORTRAIT_16_9.jpg","kind"'
    || ':"show","localDate":"2026-12-23","localTime":"18:30:00","name":"Coldplay - World Tour","segment":"Music"'
    || ',"spansMultipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.example/event/1A7o8LB'
    || 'Ap5eNDdi","timeTBA":false,"venue":{"address":"120 Main Street","city":"Brooklyn","country":"United State'
    || 's Of America","countryCode":"US","id":"KovZn1r4N6W","location":{"latitude":40.6872,"longitude":-73.9386}'
    || ',"name":"Brooklyn Concert Hall","state":"New York","stateCode":"NY","timezone":"America/New_York"}}',
    1795343570279787);
INSERT INTO concert_events VALUES('1A8ccYG8uRhChivJ',
    '{"attractions":[{"id":"K8vZ917OOKu","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917OOK'
    || 'u_RETINA_PORTRAIT_16_9.jpg","name":"Coldplay"}],"dateTBA":false,"id":"1A8ccYG8uRhChivJ","imageURL":"http'
    || 's://images.ticketmaster.example/dam/a/1a8/1A8ccYG8uRhChivJ_RETINA_PORTRAIT_16_9.jpg","kind":"vip","local'
    || 'Date":"2026-12-05","localTime":"17:30:00","name":"VIP Packages: Coldplay","segment":"Miscellaneous","spa'
    || 'nsMultipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.example/event/1A8ccYG8uRhC'
    || 'hivJ","timeTBA":false,"venue":{"address":"100 Harbour Walk","city":"Wien","country":"Austria","countryCo'
    || 'de":"AT","id":"KovZicnD1RU","location":{"latitude":48.1751,"longitude":16.4068},"name":"Vienna Arena","t'
    || 'imezone":"Europe/Vienna"}}', 1795343570279787);
INSERT INTO concert_events VALUES('1AA7GHbs07z8j',
    '{"attractions":[{"id":"K8vZ917a6qm","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917a6q'
    || 'm_RETINA_PORTRAIT_16_9.jpg","name":"Old Airfield Festival"},{"id":"Z7r9jZ1axF1","imageURL":"https://imag'
    || 'es.ticketmaster.example/dam/a/z7r/Z7r9jZ1axF1_RETINA_PORTRAIT_16_9.jpg","name":"Hans Zimmer"},{"id":"K8v'
    || 'Z917FqWk","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917FqWk_RETINA_PORTRAIT_16_9.jpg'
    || '","name":"Robbie Williams"},{"id":"K8vZ9172g7t","imageURL":"https://images.ticketmaster.example/dam/a/k8'
    || 'v/K8vZ9172g7t_RETINA_PORTRAIT_16_9.jpg","name":"Harry Styles"},{"id":"K8vZ917OSnW","imageURL":"https://i'
    || 'mages.ticketmaster.example/dam/a/k8v/K8vZ917OSnW_RETINA_PORTRAIT_16_9.jpg","name":"The Killers"},{"id":"'
    || 'K8vZ917x7bU","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917x7bU_RETINA_PORTRAIT_16_9.'
    || 'jpg","name":"Rammstein"},{"id":"Z7r9jZ1iBXL","imageURL":"https://images.ticketmaster.example/dam/a/z7r/Z'
    || '7r9jZ1iBXL_RETINA_PORTRAIT_16_9.jpg","name":"Red Hot Chili Peppers"},{"id":"Z7r9jZ10pyA","imageURL":"htt'
    || 'ps://images.ticketmaster.example/dam/a/z7r/Z7r9jZ10pyA_RETINA_PORTRAIT_16_9.jpg","name":"Die Ärzte"},{"i'
    || 'd":"K8vZ917Kdes","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917Kdes_RETINA_PORTRAIT_1'
    || '6_9.jpg","name":"Björk"},{"id":"K8vZ917q3Ub","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K'
    || '8vZ917q3Ub_RETINA_PORTRAIT_16_9.jpg","name":"Post Malone"},{"id":"Z7r9jZ1nBwF","imageURL":"https://image'
    || 's.ticketmaster.example/dam/a/z7r/Z7r9jZ1nBwF_RETINA_PORTRAIT_16_9.jpg","name":"Florence + The Machine"},'
    || '{"id":"K8vZ917kNBB","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917kNBB_RETINA_PORTRAI'
    || 'T_16_9.jpg","name":"Rosalía"}],"dateTBA":false,"endDate":"2027-04-10","genre":"Rock","id":"1AA7GHbs07z8j'
    || '","imageURL":"https://images.ticketmaster.example/dam/a/1aa/1AA7GHbs07z8j_RETINA_PORTRAIT_16_9.jpg","kin'
    || 'd":"festivalPass","localDate":"2027-04-09","localTime":"20:00:00","name":"Old Airfield Festival - Weeken'
    || 'd Ticket","segment":"Music","spansMultipleDays":true,"status":"onsale","ticketURL":"https://www.ticketma'
    || 'ster.example/event/1AA7GHbs07z8j","timeTBA":false,"venue":{"address":"213 Theatre Lane","city":"Torino",'
    || '"country":"Italy","countryCode":"IT","id":"KovZHw1hR55","location":{"latitude":45.0666,"longitude":7.685'
    || '099999999999},"name":"Turin Club","timezone":"Europe/Rome"}}', 1795343570438703);
INSERT INTO concert_events VALUES('1ACWUYZTIRgyXr',
    '{"attractions":[{"id":"Z7r9jZ1XaLS","imageURL":"https://images.ticketmaster.example/dam/a/z7r/Z7r9jZ1XaL'
    || 'S_RETINA_PORTRAIT_16_9.jpg","name":"Kabát"}],"dateTBA":false,"genre":"Rock","id":"1ACWUYZTIRgyXr","image'
    || 'URL":"https://images.ticketmaster.example/dam/a/1ac/1ACWUYZTIRgyXr_RETINA_PORTRAIT_16_9.jpg","kind":"sho'
    || 'w","localDate":"2027-01-11","localTime":"20:00:00","name":"Kabát","segment":"Music","spansMultipleDays":'
    || 'false,"status":"onsale","ticketURL":"https://www.ticketmaster.example/event/1ACWUYZTIRgyXr","timeTBA":fa'
    || 'lse,"venue":{"address":"151 Market Square","city":"Seattle","country":"United States Of America","countr'
    || 'yCode":"US","id":"Z598xRVd05H","location":{"latitude":47.6233,"longitude":-122.2927},"name":"Seattle Con'
    || 'cert Hall","state":"Washington","stateCode":"WA","timezone":"America/Los_Angeles"}}', 1795343570255898);
INSERT INTO concert_events VALUES('1ANRfiJ6G5EXJF',
    '{"attractions":[{"id":"K8vZ917XXjo","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917XXj'
    || 'o_RETINA_PORTRAIT_16_9.jpg","name":"Sigur Rós"},{"id":"K8vZ917Kdes","imageURL":"https://images.ticketmas'
    || 'ter.example/dam/a/k8v/K8vZ917Kdes_RETINA_PORTRAIT_16_9.jpg","name":"Björk"}],"dateTBA":false,"genre":"Ro'
    || 'ck","id":"1ANRfiJ6G5EXJF","imageURL":"https://images.ticketmaster.example/dam/a/1an/1ANRfiJ6G5EXJF_RETIN'
    || 'A_PORTRAIT_16_9.jpg","kind":"show","localDate":"2027-02-19","localTime":"19:00:00","name":"Sigur Rós","s'
    || 'egment":"Music","spansMultipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.exampl'
    || 'e/event/1ANRfiJ6G5EXJF","timeTBA":false,"venue":{"address":"194 Market Square","city":"Zürich","country"'
    || ':"Switzerland","countryCode":"CH","id":"KovZLGahspb","location":{"latitude":47.372099999999996,"longitud'
    || 'e":8.5729},"name":"Zürich Stadium","timezone":"Europe/Zurich"}}', 1795343570438703);
INSERT INTO concert_events VALUES('1AOvnekt4pUBYw',
    '{"attractions":[{"id":"Z7r9jZ1XaLS","imageURL":"https://images.ticketmaster.example/dam/a/z7r/Z7r9jZ1XaL'
    || 'S_RETINA_PORTRAIT_16_9.jpg","name":"Kabát"},{"id":"Z7r9jZ1axF1","imageURL":"https://images.ticketmaster.'
    || 'example/dam/a/z7r/Z7r9jZ1axF1_RETINA_PORTRAIT_16_9.jpg","name":"Hans Zimmer"}],"dateTBA":false,"genre":"'
    || 'Rock","id":"1AOvnekt4pUBYw","imageURL":"https://images.ticketmaster.example/dam/a/1ao/1AOvnekt4pUBYw_RET'
    || 'INA_PORTRAIT_16_9.jpg","kind":"show","localDate":"2026-12-30","localTime":"20:00:00","name":"Kabát","seg'
    || 'ment":"Music","spansMultipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.example/'
    || 'event/1AOvnekt4pUBYw","timeTBA":false,"venue":{"address":"200 Main Street","city":"Brussel","country":"B'
    || 'elgium","countryCode":"BE","id":"KovZTTkk2uq","location":{"latitude":50.866299999999995,"longitude":4.32'
    || '76},"name":"Brussels Concert Hall","timezone":"Europe/Brussels"}}', 1795343570255898);
INSERT INTO concert_events VALUES('1AP81psmZs63i',
    '{"attractions":[{"id":"K8vZ917OaHz","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917OaH'
    || 'z_RETINA_PORTRAIT_16_9.jpg","name":"Metallica"}],"dateTBA":false,"id":"1AP81psmZs63i","imageURL":"https:'
    || '//images.ticketmaster.example/dam/a/1ap/1AP81psmZs63i_RETINA_PORTRAIT_16_9.jpg","kind":"parking","localD'
    || 'ate":"2026-12-23","localTime":"17:30:00","name":"Parking: Metallica","segment":"Miscellaneous","spansMul'
    || 'tipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.example/event/1AP81psmZs63i","t'
    || 'imeTBA":false,"venue":{"address":"36 Station Road","city":"Praha 9","country":"Czech Republic","countryC'
    || 'ode":"CZ","id":"KovZGVfXHOW","location":{"latitude":50.101099999999995,"longitude":14.463199999999999},"'
    || 'name":"Prague Arena","timezone":"Europe/Prague"}}', 1795343570305788);
INSERT INTO concert_events VALUES('1Ac19ysGkbmR8D',
    '{"attractions":[{"id":"K8vZ917bFut","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917bFu'
    || 't_RETINA_PORTRAIT_16_9.jpg","name":"Electric Quay Festival"},{"id":"Z7r9jZ1nymd","imageURL":"https://ima'
    || 'ges.ticketmaster.example/dam/a/z7r/Z7r9jZ1nymd_RETINA_PORTRAIT_16_9.jpg","name":"Hozier"},{"id":"K8vZ917'
    || '9acL","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ9179acL_RETINA_PORTRAIT_16_9.jpg","n'
    || 'ame":"Bad Bunny"},{"id":"K8vZ917eBnF","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917e'
    || 'BnF_RETINA_PORTRAIT_16_9.jpg","name":"Nick Cave & The Bad Seeds"},{"id":"K8vZ917x1AW","imageURL":"https:'
    || '//images.ticketmaster.example/dam/a/k8v/K8vZ917x1AW_RETINA_PORTRAIT_16_9.jpg","name":"Nine Inch Nails"},'
    || '{"id":"K8vZ917ary6","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917ary6_RETINA_PORTRAI'
    || 'T_16_9.jpg","name":"Sabrina Carpenter"},{"id":"Z7r9jZ1XaLS","imageURL":"https://images.ticketmaster.exam'
    || 'ple/dam/a/z7r/Z7r9jZ1XaLS_RETINA_PORTRAIT_16_9.jpg","name":"Kabát"},{"id":"K8vZ917Uzm9","imageURL":"http'
    || 's://images.ticketmaster.example/dam/a/k8v/K8vZ917Uzm9_RETINA_PORTRAIT_16_9.jpg","name":"Tame Impala"},{"'
    || 'id":"K8vZ9170x9g","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ9170x9g_RETINA_PORTRAIT_'
    || '16_9.jpg","name":"Paramore"}],"dateTBA":false,"endDate":"2027-02-11","genre":"Rock","id":"1Ac19ysGkbmR8D'
    || '","imageURL":"https://images.ticketmaster.example/dam/a/1ac/1Ac19ysGkbmR8D_RETINA_PORTRAIT_16_9.jpg","ki'
    || 'nd":"festivalPass","localDate":"2027-02-10","localTime":"20:00:00","name":"Electric Quay Festival - Week'
    || 'end Ticket","segment":"Music","spansMultipleDays":true,"status":"onsale","ticketURL":"https://www.ticket'
    || 'master.example/event/1Ac19ysGkbmR8D","timeTBA":false,"venue":{"address":"5 Main Street","city":"Hamburg"'
    || ',"country":"Germany","countryCode":"DE","id":"KovZvFuzSe6","location":{"latitude":53.5558,"longitude":9.'
    || '963600000000001},"name":"Hamburg Concert Hall","timezone":"Europe/Berlin"}}', 1795343570255898);
INSERT INTO concert_events VALUES('1AcfgArNR3UNm',
    '{"attractions":[{"id":"K8vZ917OOKu","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917OOK'
    || 'u_RETINA_PORTRAIT_16_9.jpg","name":"Coldplay"}],"dateTBA":false,"genre":"Rock","id":"1AcfgArNR3UNm","ima'
    || 'geURL":"https://images.ticketmaster.example/dam/a/1ac/1AcfgArNR3UNm_RETINA_PORTRAIT_16_9.jpg","kind":"sh'
    || 'ow","localDate":"2027-01-19","localTime":"19:00:00","name":"Coldplay - World Tour","segment":"Music","sp'
    || 'ansMultipleDays":false,"status":"onsale","ticketURL":"https://www.ticketmaster.example/event/1AcfgArNR3U'
    || 'Nm","timeTBA":false,"venue":{"address":"214 Theatre Lane","city":"Firenze","country":"Italy","countryCod'
    || 'e":"IT","id":"KovZnPiEckT","location":{"latitude":43.7656,"longitude":11.2612},"name":"Florence Arena","'
    || 'timezone":"Europe/Rome"}}', 1795343570279787);
INSERT INTO concert_events VALUES('1AdRjfCKtTu5fl',
    '{"attractions":[{"id":"K8vZ917ShAj","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917ShA'
    || 'j_RETINA_PORTRAIT_16_9.jpg","name":"Imagine Dragons"},{"id":"K8vZ917OOKu","imageURL":"https://images.tic'
    || 'ketmaster.example/dam/a/k8v/K8vZ917OOKu_RETINA_PORTRAIT_16_9.jpg","name":"Coldplay"},{"id":"K8vZ917QP1x"'
    || ',"imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917QP1x_RETINA_PORTRAIT_16_9.jpg","name":'
    || '"Taylor Swift"},{"id":"K8vZ917OaHz","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917OaH'
    || 'z_RETINA_PORTRAIT_16_9.jpg","name":"Metallica"},{"id":"Z7r9jZ1GhL6","imageURL":"https://images.ticketmas'
    || 'ter.example/dam/a/z7r/Z7r9jZ1GhL6_RETINA_PORTRAIT_16_9.jpg","name":"Adele"},{"id":"K8vZ917lasn","imageUR'
    || 'L":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917lasn_RETINA_PORTRAIT_16_9.jpg","name":"Billie E'
    || 'ilish"},{"id":"K8vZ917zlG8","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917zlG8_RETINA'
    || '_PORTRAIT_16_9.jpg","name":"The Weeknd"},{"id":"K8vZ917ScRN","imageURL":"https://images.ticketmaster.exa'
    || 'mple/dam/a/k8v/K8vZ917ScRN_RETINA_PORTRAIT_16_9.jpg","name":"Ed Sheeran"},{"id":"K8vZ9174YYr","imageURL"'
    || ':"https://images.ticketmaster.example/dam/a/k8v/K8vZ9174YYr_RETINA_PORTRAIT_16_9.jpg","name":"Dua Lipa"}'
    || ',{"id":"K8vZ917zwKM","imageURL":"https://images.ticketmaster.example/dam/a/k8v/K8vZ917zwKM_RETINA_PORTRA'
    || 'IT_16_9.jpg","name":"Radiohead"},{"id":"K8vZ917tC2h","imageURL":"https://images.ticketmaster.example/dam'
    || '/a/k8v/K8vZ917tC2h_RETINA_PORTRAIT_16_9.jpg","name":"Arctic Monkeys"},{"id":"K8vZ9175UYW","imageURL":"ht'
    || 'tps://images.ticketmaster.example/dam/a/k8v/K8vZ9175UYW_RETINA_PORTRAIT_16_9.jpg","name":"Foo Fighters"}'
    || '],"dateTBA":false,"genre":"Rock","id":"1AdRjfCKtTu5fl","imageURL":"https://images.ticketmaster.example/d'
    || 'am/a/1ad/1AdRjfCKtTu5fl_RETINA_PORTRAIT_16_9.jpg","kind":"show","localDate":"2027-04-22","localTime":"15'
    || ':00:00","name":"One Night Only: The Charity Concert","segment":"Music","spansMultipleDays":false,"status'
    || '":"onsale","ticketURL":"https://www.ticketmaster.example/event/1AdRjfCKtTu5fl","timeTBA":false,"venue":{'
    || '"address":"230 Theatre Lane","city":"London","country":"Great Britain","countryCode":"GB","id":"KovZBZEv'
    || 'twC","location":{"latitude":51.5419,"longitude":-0.1318},"name":"London Stadium","timezone":"Europe/Lond'
    || 'on"}}', 1795343570305788);
CREATE TABLE concert_subject_events (
    subject_key TEXT NOT NULL,
    event_id TEXT NOT NULL,
    PRIMARY KEY (subject_key, event_id)
) WITHOUT ROWID;
INSERT INTO concert_subject_events VALUES('artist:bjork','1A0b3tRTqiCxU9Nu');
INSERT INTO concert_subject_events VALUES('artist:metallica','1A5Uis2Tx9UKzJjz');
INSERT INTO concert_subject_events VALUES('artist:coldplay','1A7o8LBAp5eNDdi');
INSERT INTO concert_subject_events VALUES('artist:coldplay','1A8ccYG8uRhChivJ');
INSERT INTO concert_subject_events VALUES('artist:bjork','1AA7GHbs07z8j');
INSERT INTO concert_subject_events VALUES('artist:kabat','1ACWUYZTIRgyXr');
INSERT INTO concert_subject_events VALUES('artist:bjork','1ANRfiJ6G5EXJF');
INSERT INTO concert_subject_events VALUES('artist:kabat','1AOvnekt4pUBYw');
INSERT INTO concert_subject_events VALUES('artist:metallica','1AP81psmZs63i');
INSERT INTO concert_subject_events VALUES('artist:kabat','1Ac19ysGkbmR8D');
INSERT INTO concert_subject_events VALUES('artist:coldplay','1AcfgArNR3UNm');
INSERT INTO concert_subject_events VALUES('artist:coldplay','1AdRjfCKtTu5fl');
INSERT INTO concert_subject_events VALUES('artist:metallica','1AdRjfCKtTu5fl');
CREATE TABLE concert_cities (
    city_key TEXT NOT NULL PRIMARY KEY,
    latitude DOUBLE PRECISION,
    longitude DOUBLE PRECISION,
    checked_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE concert_searches (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    home_city TEXT,
    created_at BIGINT NOT NULL,
    cancelled_at BIGINT,
    change BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO concert_searches VALUES('01a202d0-d3cd-713e-b2f7-4e071e389d04', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    'artists', 'Prague', 1795343569869858, NULL, 17);
INSERT INTO concert_searches VALUES('01a202d1-03a0-7000-8000-000000000001', '01a202d0-d375-72f0-8685-ce11b031724a',
    'artists', 'Prague', 1795343582112000, NULL, 66);
INSERT INTO concert_searches VALUES('01a202d1-03a1-7000-8000-000000000002', '01a202d0-d375-72f0-8685-ce11b031724a',
    'artists', 'Prague', 1795343582113000, NULL, 68);
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
    PRIMARY KEY (search_id, rank)
) WITHOUT ROWID;
INSERT INTO concert_search_subjects VALUES('01a202d0-d3cd-713e-b2f7-4e071e389d04', 1,
    '01a202d0-d3c1-7147-934a-3a26631f2f2a', 'Coldplay', 'artist:coldplay', 'complete', NULL, NULL, NULL);
INSERT INTO concert_search_subjects VALUES('01a202d0-d3cd-713e-b2f7-4e071e389d04', 2,
    '01a202d0-d3c1-7147-934b-cccc5c5103f1', 'Metallica', 'artist:metallica', 'complete', NULL, NULL, NULL);
INSERT INTO concert_search_subjects VALUES('01a202d0-d3cd-713e-b2f7-4e071e389d04', 3,
    '01a202d0-d3c1-7147-934c-448e88f2fdc4', 'Björk', 'artist:bjork', 'complete', NULL, NULL, NULL);
INSERT INTO concert_search_subjects VALUES('01a202d0-d3cd-713e-b2f7-4e071e389d04', 4,
    '01a202d0-d3c1-7147-934d-076e36cd5ba7', 'Kabát', 'artist:kabat', 'complete', NULL, NULL, NULL);
INSERT INTO concert_search_subjects VALUES('01a202d1-03a0-7000-8000-000000000001', 1,
    '01a202d1-0380-7000-8000-000000000001', 'Coldplay', 'artist:coldplay', 'complete', NULL, NULL, NULL);
INSERT INTO concert_search_subjects VALUES('01a202d1-03a0-7000-8000-000000000001', 2,
    '01a202d1-0380-7000-8000-000000000002', 'Air', 'artist:air', NULL, NULL, NULL,
    '01a202d1-0390-7000-8000-0000000000aa');
INSERT INTO concert_search_subjects VALUES('01a202d1-03a0-7000-8000-000000000001', 3,
    '01a202d1-0380-7000-8000-000000000003', 'Metallica', 'artist:metallica', NULL, NULL, NULL,
    '01a202d0-d3cf-77e2-a94f-20cbfd5aca88');
INSERT INTO concert_search_subjects VALUES('01a202d1-03a1-7000-8000-000000000002', 1,
    '01a202d1-0380-7000-8000-000000000004', 'Muse', 'artist:muse', NULL, NULL, NULL,
    '01a202d1-03a1-7000-8000-0000000000bb');
CREATE TABLE tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
, expires_at BIGINT) WITHOUT ROWID;
INSERT INTO tokens VALUES('9f76eb0798c38858a337852003d4c4e4e459ef1eafa32efa6c40834ac17af64d',
    '01a202d0-d329-70b2-a3a8-de386343d7b2', '01a202d0-d329-70b2-a3a7-213ba780f8b7', 'first', 1795343569705444,
    1795343580000000, NULL);
INSERT INTO tokens VALUES('bdba41094e504fde69a0a4e72007745ff087b8a2e09f313b31604a2cd56017ab',
    '01a202d0-d375-72f0-8686-2f6c818110bc', '01a202d0-d375-72f0-8685-ce11b031724a', 'first', 1795343569781285,
    1795343520000000, NULL);
CREATE TABLE sessions (
    hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash TEXT REFERENCES tokens (hash) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
, user_agent TEXT) WITHOUT ROWID;
INSERT INTO sessions VALUES('5d3f8c0f6a0f4f0c9b7f4c7a2b1d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d',
    '01a202d0-d380-7000-8000-000000000001', '01a202d0-d329-70b2-a3a7-213ba780f8b7',
    '9f76eb0798c38858a337852003d4c4e4e459ef1eafa32efa6c40834ac17af64d', 1795343569800000, 1795343569800000,
    1797935569800000, 'Firefox');
CREATE TABLE sign_in_links (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE TABLE job_kind_counts (
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (kind, state)
) WITHOUT ROWID;
INSERT INTO job_kind_counts VALUES('concerts.lookup','queued',1);
INSERT INTO job_kind_counts VALUES('concerts.lookup','running',0);
INSERT INTO job_kind_counts VALUES('concerts.lookup','succeeded',4);
INSERT INTO job_kind_counts VALUES('diagnostics.echo','cancelled',1);
INSERT INTO job_kind_counts VALUES('diagnostics.echo','failed',1);
INSERT INTO job_kind_counts VALUES('diagnostics.echo','queued',2);
INSERT INTO job_kind_counts VALUES('diagnostics.echo','running',1);
INSERT INTO job_kind_counts VALUES('diagnostics.echo','scheduled',1);
INSERT INTO job_kind_counts VALUES('diagnostics.echo','succeeded',2);
INSERT INTO job_kind_counts VALUES('setup.verifyGemini','queued',0);
INSERT INTO job_kind_counts VALUES('setup.verifyGemini','running',0);
INSERT INTO job_kind_counts VALUES('setup.verifyGemini','succeeded',1);
INSERT INTO job_kind_counts VALUES('setup.verifyTicketmaster','queued',0);
INSERT INTO job_kind_counts VALUES('setup.verifyTicketmaster','running',0);
INSERT INTO job_kind_counts VALUES('setup.verifyTicketmaster','succeeded',1);
INSERT INTO job_kind_counts VALUES('spotify.profile','running',0);
INSERT INTO job_kind_counts VALUES('spotify.profile','scheduled',1);
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
INSERT INTO secrets VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', 'gemini', 'apiKey', '5f11945bda87d628',
    X'250851524db3bbc10341bc512c1a279fb21de7ed4ddde89396f3c31f1cb5db84e32c8b26b7582968f42563', '-key',
    1795343570887743);
INSERT INTO secrets VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', 'ticketmaster', 'apiKey', '5f11945bda87d628',
    X'4e7578023857959e9b74c3b2da26dea6d625d19d5fc06d7502c67f7ace615b79cdf6db98', '', 1795343571304733);
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
CREATE TABLE authorizations (
    state_hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    session_hash TEXT,
    provider TEXT NOT NULL,
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
INSERT INTO authorizations VALUES('1f2e3d4c5b6a79880f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978',
    '01a202d0-d381-7000-8000-000000000001', '01a202d0-d329-70b2-a3a7-213ba780f8b7', NULL, 'spotify',
    'http://127.0.0.1:8080/auth/spotify/callback', 'user-read-email', NULL, 'k1', x'010203', NULL, NULL, '/settings',
    1795343569900000, 1795344169900000);
CREATE TABLE connections (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    until BIGINT,
    account_id TEXT,
    account_name TEXT,
    details TEXT,
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
INSERT INTO connections VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', 'gemini', 'connected', NULL, NULL, NULL, NULL,
    NULL, NULL, 1795343570887743, NULL, NULL, NULL, NULL, NULL, 21, 1795343570887743);
INSERT INTO connections VALUES('01a202d0-d329-70b2-a3a7-213ba780f8b7', 'ticketmaster', 'connected', NULL, NULL, NULL,
    NULL, NULL, NULL, 1795343571304733, NULL, NULL, NULL, NULL, NULL, 25, 1795343571304733);
CREATE INDEX jobs_of_user ON jobs (user_id, id);
CREATE INDEX jobs_live ON jobs (change) WHERE finished_at IS NULL;
CREATE INDEX jobs_dead ON jobs (user_id, id) WHERE state = 'failed';
CREATE UNIQUE INDEX jobs_unique ON jobs (user_id, unique_key)
WHERE unique_key IS NOT NULL AND finished_at IS NULL;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
CREATE UNIQUE INDEX users_by_name ON users (name);
CREATE INDEX concert_subjects_of_event ON concert_subject_events (event_id);
CREATE INDEX concert_searches_changed ON concert_searches (user_id, change);
CREATE INDEX concert_search_waiters ON concert_search_subjects (job_id) WHERE job_id IS NOT NULL;
CREATE UNIQUE INDEX tokens_by_id ON tokens (id);
CREATE UNIQUE INDEX tokens_of_user ON tokens (user_id, name);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_of_token ON sessions (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id);
CREATE INDEX jobs_dead_of_all ON jobs (id) WHERE state = 'failed';
CREATE INDEX jobs_ended ON jobs (user_id, change) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX users_by_name_key ON users (name_key);
CREATE UNIQUE INDEX users_by_google_subject ON users (google_subject) WHERE google_subject IS NOT NULL;
CREATE INDEX secrets_of_key ON secrets (key_id);
CREATE INDEX credential_candidates_of_user ON credential_candidates (user_id);
CREATE INDEX credential_candidates_by_end ON credential_candidates (expires_at);
CREATE UNIQUE INDEX authorizations_by_id ON authorizations (id);
CREATE INDEX authorizations_of_user ON authorizations (user_id);
CREATE INDEX authorizations_by_end ON authorizations (expires_at);
CREATE INDEX connections_changed ON connections (user_id, change);
CREATE INDEX jobs_awaiting ON jobs (user_id, awaits) WHERE awaits IS NOT NULL;
COMMIT;
