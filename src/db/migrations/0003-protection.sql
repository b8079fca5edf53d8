-- What protects a study: who looked, who destroyed, who may dispense, and consent that has effects.

-- Dispensing by arm

-- What a participant of an arm is dispensed at a time: `quantity` packs of the type, in the order of `index`. An arm with dose levels
-- has lines for each of them; without, `doseLevel` is NULL.
CREATE TABLE randomisationDispensing (
  _id TEXT PRIMARY KEY,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  randomisation TEXT NOT NULL REFERENCES randomisations ON DELETE CASCADE,
  arm TEXT NOT NULL REFERENCES randomisationArms ON DELETE CASCADE,
  "index" INTEGER NOT NULL,
  doseLevel TEXT,
  packType TEXT NOT NULL REFERENCES packTypes,
  quantity INTEGER NOT NULL
) STRICT;
CREATE INDEX randomisationDispensingByTrial ON randomisationDispensing (trial);
CREATE INDEX randomisationDispensingByRandomisation ON randomisationDispensing (randomisation, "index");
CREATE UNIQUE INDEX randomisationDispensingByArm ON randomisationDispensing (arm, "index");
CREATE INDEX randomisationDispensingByPackType ON randomisationDispensing (packType);

-- Packs that an allocated participant got later, by the arm that the allocation says: one row an act, numbered in its randomisation from
-- 1. `replaces`: the pack that was lost, damaged or returned; each is replaced once.
CREATE TABLE dispensations (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  randomisation TEXT NOT NULL REFERENCES randomisations ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  doseLevel TEXT,
  quantity INTEGER NOT NULL,
  site TEXT,
  replaces TEXT,
  reason TEXT
) STRICT;
CREATE INDEX dispensationsByTrial ON dispensations (trial);
CREATE UNIQUE INDEX dispensationsInOrder ON dispensations (randomisation, number);
CREATE INDEX dispensationsByParticipant ON dispensations (participant, randomisation, number);
CREATE INDEX dispensationsBySite ON dispensations (site) WHERE site IS NOT NULL;
CREATE INDEX dispensationsByReplaced ON dispensations (replaces) WHERE replaces IS NOT NULL;

-- The packs of a dispensation.
CREATE TABLE dispensedPacks (
  dispensation TEXT NOT NULL REFERENCES dispensations ON DELETE CASCADE,
  pack TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  PRIMARY KEY (dispensation, pack)
) STRICT;
CREATE INDEX dispensedPacksByTrial ON dispensedPacks (trial);
CREATE INDEX dispensedPacksByPack ON dispensedPacks (pack);

-- How many packs had arrived at a place when a blinded person was refused a quantity there. `site`: empty for trial level.
CREATE TABLE scarcePlaces (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  randomisation TEXT NOT NULL REFERENCES randomisations ON DELETE CASCADE,
  site TEXT NOT NULL,
  arrivals INTEGER NOT NULL,
  PRIMARY KEY (randomisation, site)
) STRICT, WITHOUT ROWID;
CREATE INDEX scarcePlacesByTrial ON scarcePlaces (trial);

-- Consent

-- Who signed a version before this one takes part again once they have signed a newer one; NULL if no version asks for that.
ALTER TABLE consentForms ADD COLUMN blocksFrom INTEGER;
-- The keys of the consent forms without which nobody is allocated; NULL for none.
ALTER TABLE randomisations ADD COLUMN requiresConsent TEXT CHECK (requiresConsent IS NULL OR json_valid(requiresConsent));
-- Who else was there when a consent was given in person: the name of the witness, and those of others.
ALTER TABLE consentSessions ADD COLUMN witness TEXT;
ALTER TABLE consentSessions ADD COLUMN present TEXT CHECK (present IS NULL OR json_valid(present));
-- What somebody who withdrew chose for their data; NULL if they were not asked.
ALTER TABLE consents ADD COLUMN withdrawalChoice TEXT CHECK (
  withdrawalChoice = 'keep' OR withdrawalChoice = 'erasePersonalInformation' OR withdrawalChoice = 'deleteAnswers'
);
-- Whether somebody has withdrawn all of their consents is asked of every message: the index alone answers it.
CREATE INDEX consentsWithdrawn ON consents (participant, withdrawnAt) WHERE participant IS NOT NULL;
-- How many codes a trial sent on a day of its zone. `isWarned`: its administrators were told that half of the most were sent.
CREATE TABLE codeDays (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  day TEXT NOT NULL,
  count INTEGER NOT NULL,
  isWarned INTEGER NOT NULL DEFAULT 0 CHECK (isWarned IN (0, 1)),
  PRIMARY KEY (trial, day)
) STRICT, WITHOUT ROWID;

-- Rights

-- Who may see arms, or one arm in an emergency, in a trial with blindsAdmins. `scope` is the _id of the trial, a site or a group.
CREATE TABLE unblindingGrants (
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  scope TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  keys TEXT NOT NULL CHECK (json_valid(keys)),
  grantedBy TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (user, trial, scope)
) STRICT, WITHOUT ROWID;
CREATE INDEX unblindingGrantsByTrial ON unblindingGrants (trial);

-- Reads

-- Who read what about whom. Rows are never changed, and removed only with the whole block that they are in.
CREATE TABLE reads (
  _id INTEGER PRIMARY KEY,
  trial TEXT NOT NULL REFERENCES trials (_id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  block INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  operation TEXT NOT NULL,
  user TEXT,
  userEmail TEXT,
  apiToken TEXT,
  address TEXT,
  -- The participant whom the answer told of, if it was one.
  participant TEXT,
  -- The participants whom it told of, if they were several: 12 bytes of each `_id`.
  participants BLOB NOT NULL CHECK (length(participants) % 12 = 0),
  -- Whether it told of all whom the filter finds.
  isFilter INTEGER NOT NULL CHECK (isFilter IN (0, 1)),
  filter TEXT NOT NULL CHECK (json_valid(filter)),
  UNIQUE (trial, number)
) STRICT;
CREATE INDEX readsByParticipant ON reads (trial, participant, number) WHERE participant IS NOT NULL;
CREATE INDEX readsByUser ON reads (trial, user, number) WHERE user IS NOT NULL;
CREATE INDEX readsOfFilters ON reads (trial, number) WHERE isFilter = 1;

-- The block to which rows are added: how many rows it has, and the hash up to its last one.
CREATE TABLE readHeads (
  trial TEXT PRIMARY KEY REFERENCES trials (_id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  firstRow INTEGER NOT NULL,
  rowCount INTEGER NOT NULL,
  startedAt INTEGER NOT NULL,
  endedAt INTEGER NOT NULL,
  previousHash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

-- Blocks that are full. The rows of a block can be removed when they have been kept long enough; its hashes stay.
CREATE TABLE readBlocks (
  trial TEXT NOT NULL REFERENCES trials (_id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  firstRow INTEGER NOT NULL,
  rowCount INTEGER NOT NULL,
  startedAt INTEGER NOT NULL,
  endedAt INTEGER NOT NULL,
  previousHash TEXT NOT NULL,
  hash TEXT NOT NULL,
  removedAt INTEGER,
  PRIMARY KEY (trial, number)
) STRICT;

-- In which rows of a full block participants are named with others, by the last byte of their `_id`.
CREATE TABLE readMentions (
  trial TEXT NOT NULL REFERENCES trials (_id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  ending INTEGER NOT NULL,
  -- In ascending order, four bytes each, the least significant first: 22 bits of an `_id`, and 10 bits of the place of a row in the block.
  places BLOB NOT NULL CHECK (length(places) % 4 = 0),
  PRIMARY KEY (trial, block, ending)
) STRICT;

-- Drafts

-- How often a draft was saved, and when it was begun: the audit trail has its beginning and its end. NULL: begun by an earlier version.
ALTER TABLE drafts ADD COLUMN startedAt INTEGER;
ALTER TABLE drafts ADD COLUMN saves INTEGER NOT NULL DEFAULT 1;

-- Deletions

-- What was deleted is kept hidden until `restorableUntil`. `trial`: the trial that it is part of; NULL for a trial itself, whose `_id`
-- is `subject`. `participant`: whose data it is. `request`: the deletions of one request have the same. `hash`: the SHA-256 of what
-- `deletedRows` holds; NULL if that holds nothing. A purge before its
-- time is asked for by one admin and confirmed by another. `deleting`: its request was accepted, and a step that follows within moments
-- takes what it names; `address` and `device` are those of the request until then. `purging`: the purge of a trial goes on in steps.
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
  status TEXT NOT NULL CHECK (
    status = 'deleting' OR status = 'kept' OR status = 'restored' OR status = 'purging' OR status = 'purged'
  ),
  hash TEXT,
  purgeAskedBy TEXT,
  purgeAskedAt INTEGER,
  purgeReason TEXT,
  purgeConfirmedBy TEXT,
  endedAt INTEGER,
  code TEXT,
  wasArchived INTEGER CHECK (wasArchived IN (0, 1)),
  record TEXT,
  job TEXT,
  address TEXT,
  device TEXT
) STRICT;
CREATE INDEX deletionsByTrial ON deletions (trial, status, _id);
CREATE INDEX deletionsByTeam ON deletions (team, status, _id);
CREATE INDEX deletionsBySubject ON deletions (subject);
CREATE INDEX deletionsByParticipant ON deletions (participant) WHERE participant IS NOT NULL;
CREATE INDEX deletionsByEnd ON deletions (restorableUntil) WHERE status = 'kept';
CREATE INDEX deletionsOfTrials ON deletions (restorableUntil) WHERE kind = 'trial' AND status = 'kept';
CREATE INDEX deletionsConfirmed ON deletions (status, _id) WHERE kind = 'trial' AND status = 'kept' AND purgeConfirmedBy IS NOT NULL;
CREATE INDEX deletionsToDo ON deletions (status, subject) WHERE status = 'deleting';
CREATE INDEX deletionsInPurge ON deletions (status, _id) WHERE status = 'purging';

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
-- When its purge began, which goes on in steps: its history is no longer kept.
ALTER TABLE trials ADD COLUMN purgedAt INTEGER;

-- For how many days a team keeps what was deleted; NULL: 30. A lower number that one admin asked for, until another confirms it.
ALTER TABLE teams ADD COLUMN deletionGraceDays INTEGER;
ALTER TABLE teams ADD COLUMN lowerGraceDays INTEGER;
ALTER TABLE teams ADD COLUMN lowerGraceAskedBy TEXT;

-- Acts that another admin must confirm, as the trial's `secondPerson` asks; `setting`: an act is taken out of it. `subject` is the _id of
-- the trial, the randomisation, the participant or the consent; `body` what was asked, `state` how the subject was then. A request that is
-- open after `expiresAt` has ended.
CREATE TABLE secondRequests (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  act TEXT NOT NULL CHECK (act = 'unlocking' OR act = 'unblinding' OR act = 'erasure' OR act = 'setting'),
  subject TEXT NOT NULL,
  participant TEXT,
  reason TEXT,
  body TEXT NOT NULL CHECK (json_valid(body)),
  state TEXT NOT NULL CHECK (json_valid(state)),
  askedBy TEXT NOT NULL,
  askedByEmail TEXT NOT NULL,
  apiKey TEXT,
  expiresAt INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status = 'open' OR status = 'confirmed' OR status = 'withdrawn' OR status = 'refused'),
  decidedBy TEXT,
  decidedAt INTEGER
) STRICT;
CREATE INDEX secondRequestsByTrial ON secondRequests (trial, status, _id);
CREATE INDEX secondRequestsBySubject ON secondRequests (subject, act) WHERE status = 'open';
CREATE INDEX secondRequestsByParticipant ON secondRequests (participant) WHERE participant IS NOT NULL;

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

-- When a restored backup brought the key back: it is refused until somebody confirms it.
ALTER TABLE apiKeys ADD COLUMN suspendedAt INTEGER;

-- Uploads and jobs

-- How often the job was started. A stop of the server that was asked for takes it back: what counts is that the process ended.
ALTER TABLE jobs ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;

-- Until when an announced upload keeps room in the quotas, and the account, participant or link that announced it. The totals are those
-- of complete uploads from now on. Uploads that were announced before keep their room as long as they wait.
ALTER TABLE files ADD COLUMN heldUntil INTEGER;
ALTER TABLE files ADD COLUMN announcedBy TEXT;
UPDATE files SET heldUntil = expiresAt, announcedBy = createdBy
  WHERE kind = 'upload' AND finishedAt IS NULL AND size IS NOT NULL;
DROP INDEX filesAnnounced;
DROP INDEX filesAnnouncedByOwner;
CREATE INDEX filesHeld ON files (trial, heldUntil) WHERE kind = 'upload' AND finishedAt IS NULL;
CREATE INDEX filesHeldByOwner ON files (forType, forId, heldUntil) WHERE kind = 'upload' AND finishedAt IS NULL;
DELETE FROM uploadTotals;
INSERT INTO uploadTotals (_id, bytes)
  SELECT owner, sum(size) FROM (
    SELECT trial AS owner, size FROM files
      WHERE kind = 'upload' AND finishedAt IS NOT NULL AND size > 0 AND trial IS NOT NULL
    UNION ALL SELECT forId, size FROM files
      WHERE kind = 'upload' AND finishedAt IS NOT NULL AND size > 0 AND forType = 'participant')
  GROUP BY owner;

-- JSON in every SQLite
-- Before SQLite 3.45, json_valid(NULL) is 0 and not NULL, and such a CHECK refuses NULL. Another program, such as the sqlite3 of
-- Debian 12, then calls the database damaged.
DROP INDEX auditOfPersonal;
ALTER TABLE auditEntries RENAME COLUMN personal TO personalBefore;
ALTER TABLE auditEntries ADD COLUMN personal TEXT CHECK (personal IS NULL OR json_valid(personal));
UPDATE auditEntries SET personal = personalBefore WHERE personalBefore IS NOT NULL;
ALTER TABLE auditEntries DROP COLUMN personalBefore;
CREATE INDEX auditOfPersonal ON auditEntries (participant) WHERE personal IS NOT NULL;
ALTER TABLE auditEntries RENAME COLUMN rows TO rowsBefore;
ALTER TABLE auditEntries ADD COLUMN rows TEXT CHECK (rows IS NULL OR json_valid(rows));
UPDATE auditEntries SET rows = rowsBefore WHERE rowsBefore IS NOT NULL;
ALTER TABLE auditEntries DROP COLUMN rowsBefore;
ALTER TABLE jobs RENAME COLUMN result TO resultBefore;
ALTER TABLE jobs ADD COLUMN result TEXT CHECK (result IS NULL OR json_valid(result));
UPDATE jobs SET result = resultBefore WHERE resultBefore IS NOT NULL;
ALTER TABLE jobs DROP COLUMN resultBefore;
ALTER TABLE outbox RENAME COLUMN forms TO formsBefore;
ALTER TABLE outbox ADD COLUMN forms TEXT CHECK (forms IS NULL OR json_valid(forms));
UPDATE outbox SET forms = formsBefore WHERE formsBefore IS NOT NULL;
ALTER TABLE outbox DROP COLUMN formsBefore;
ALTER TABLE lockedDatasets RENAME COLUMN counts TO countsBefore;
ALTER TABLE lockedDatasets ADD COLUMN counts TEXT CHECK (counts IS NULL OR json_valid(counts));
UPDATE lockedDatasets SET counts = countsBefore WHERE countsBefore IS NOT NULL;
ALTER TABLE lockedDatasets DROP COLUMN countsBefore;
ALTER TABLE randomisations RENAME COLUMN eligibility TO eligibilityBefore;
ALTER TABLE randomisations ADD COLUMN eligibility TEXT CHECK (eligibility IS NULL OR json_valid(eligibility));
UPDATE randomisations SET eligibility = eligibilityBefore WHERE eligibilityBefore IS NOT NULL;
ALTER TABLE randomisations DROP COLUMN eligibilityBefore;
ALTER TABLE monitoringVisits RENAME COLUMN atCompletion TO atCompletionBefore;
ALTER TABLE monitoringVisits ADD COLUMN atCompletion TEXT CHECK (atCompletion IS NULL OR json_valid(atCompletion));
UPDATE monitoringVisits SET atCompletion = atCompletionBefore WHERE atCompletionBefore IS NOT NULL;
ALTER TABLE monitoringVisits DROP COLUMN atCompletionBefore;
ALTER TABLE participantResources RENAME COLUMN translations TO translationsBefore;
ALTER TABLE participantResources ADD COLUMN translations TEXT CHECK (translations IS NULL OR json_valid(translations));
UPDATE participantResources SET translations = translationsBefore WHERE translationsBefore IS NOT NULL;
ALTER TABLE participantResources DROP COLUMN translationsBefore;
ALTER TABLE participantResources RENAME COLUMN translatedFrom TO translatedFromBefore;
ALTER TABLE participantResources ADD COLUMN translatedFrom TEXT CHECK (translatedFrom IS NULL OR json_valid(translatedFrom));
UPDATE participantResources SET translatedFrom = translatedFromBefore WHERE translatedFromBefore IS NOT NULL;
ALTER TABLE participantResources DROP COLUMN translatedFromBefore;
ALTER TABLE apiKeys RENAME COLUMN trials TO trialsBefore;
ALTER TABLE apiKeys ADD COLUMN trials TEXT CHECK (trials IS NULL OR json_valid(trials));
UPDATE apiKeys SET trials = trialsBefore WHERE trialsBefore IS NOT NULL;
ALTER TABLE apiKeys DROP COLUMN trialsBefore;

-- The audit trail
-- The entries about a participant, and the acts of an account, are read without a look at the others.
CREATE INDEX auditByParticipant ON auditEntries (chain, participant, number) WHERE participant IS NOT NULL;
CREATE INDEX auditByUser ON auditEntries (chain, user, number) WHERE user IS NOT NULL;
