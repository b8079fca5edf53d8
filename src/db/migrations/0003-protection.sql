-- What protects a study: who looked, who destroyed, who may dispense, and consent that has effects.

SELECT 1;
-- Dispensing by arm

-- Clock

-- Consent

-- Rights

-- Reads

-- Deletions

-- What was deleted is kept hidden until `restorableUntil`. `trial`: the trial that it is part of; NULL for a trial itself, whose `_id`
-- is `subject`. `participant`: whose data it is. `request`: the deletions of one request have the same. `hash`: the SHA-256 of what
-- `deletedRows` holds; NULL if that holds nothing. A purge before its
-- time is asked for by one admin and confirmed by another.
CREATE TABLE deletions (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  team TEXT NOT NULL REFERENCES teams,
  trial TEXT REFERENCES trials ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind = 'trial' OR kind = 'participant' OR kind = 'response' OR kind = 'site' OR kind = 'file'),
  subject TEXT NOT NULL,
  participant TEXT,
  name TEXT NOT NULL,
  reason TEXT,
  deletedBy TEXT NOT NULL,
  deletedByEmail TEXT NOT NULL,
  apiKey TEXT,
  request TEXT NOT NULL,
  restorableUntil INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status = 'kept' OR status = 'restored' OR status = 'purged'),
  hash TEXT,
  purgeAskedBy TEXT,
  purgeAskedAt INTEGER,
  purgeReason TEXT,
  purgeConfirmedBy TEXT,
  endedAt INTEGER,
  code TEXT,
  wasArchived INTEGER CHECK (wasArchived IN (0, 1)),
  record TEXT,
  job TEXT
) STRICT;
CREATE INDEX deletionsByTrial ON deletions (trial, status, _id);
CREATE INDEX deletionsByTeam ON deletions (team, status, _id);
CREATE INDEX deletionsBySubject ON deletions (subject);
CREATE INDEX deletionsByParticipant ON deletions (participant) WHERE participant IS NOT NULL;
CREATE INDEX deletionsByEnd ON deletions (restorableUntil) WHERE status = 'kept';

-- The rows of a deletion, as JSON that is compressed, in parts.
CREATE TABLE deletedRows (
  deletion TEXT NOT NULL REFERENCES deletions ON DELETE CASCADE,
  number INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (deletion, number)
) STRICT;

-- Uploads of what was deleted: `row` is their row of `files`, as JSON. Their bytes stay on the disk until the last purge.
CREATE TABLE keptFiles (
  storedName TEXT NOT NULL,
  deletion TEXT NOT NULL REFERENCES deletions ON DELETE CASCADE,
  sha256 TEXT,
  row TEXT NOT NULL,
  PRIMARY KEY (storedName, deletion)
) STRICT, WITHOUT ROWID;
CREATE INDEX keptFilesByDeletion ON keptFiles (deletion);

-- A trial that was deleted stays where it is, hidden from everybody, until its deletion is purged. Its deletion has its `code`, and whether
-- it was archived; `record`: the file of the study record that is left of it, and `job`, which writes that.
ALTER TABLE trials ADD COLUMN deletedAt INTEGER;

-- For how many days a team keeps what was deleted; NULL: 30. A lower number that one admin asked for, until another confirms it.
ALTER TABLE teams ADD COLUMN deletionGraceDays INTEGER;
ALTER TABLE teams ADD COLUMN lowerGraceDays INTEGER;
ALTER TABLE teams ADD COLUMN lowerGraceAskedBy TEXT;

-- The events of responses know restorations: a CHECK cannot be changed in place.
CREATE TABLE responseEventsNew (
  _id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  response TEXT NOT NULL,
  participant TEXT,
  type TEXT NOT NULL CHECK (
    type = 'verified' OR type = 'unverified' OR type = 'cleared' OR type = 'status' OR type = 'signed'
    OR type = 'moved' OR type = 'deleted' OR type = 'ignored' OR type = 'restored'
  ),
  createdBy TEXT NOT NULL,
  createdByType TEXT NOT NULL CHECK (createdByType IN ('user', 'participant')),
  content TEXT NOT NULL CHECK (json_valid(content))
) STRICT;
INSERT INTO responseEventsNew SELECT * FROM responseEvents;
-- The numbers of deleted events are not given again.
INSERT INTO sqlite_sequence (name, seq) SELECT 'responseEventsNew', 0
  WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'responseEventsNew');
UPDATE sqlite_sequence SET seq = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'responseEvents'), 0)
  WHERE name = 'responseEventsNew';
DROP TABLE responseEvents;
ALTER TABLE responseEventsNew RENAME TO responseEvents;
CREATE INDEX responseEventsByResponse ON responseEvents (response, _id);
CREATE INDEX responseEventsByTrial ON responseEvents (trial, type);
CREATE INDEX responseEventsByParticipant ON responseEvents (participant) WHERE type = 'deleted';

-- Restored copies

-- Uploads and jobs
