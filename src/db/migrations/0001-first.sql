-- Moments are integers: microseconds since 1970 (kernel/time). Lists and settings are JSON text.
CREATE TABLE teams (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, name TEXT NOT NULL,
  features TEXT NOT NULL,
  participantLimit INTEGER, participantCount INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Secrets of two-step sign-in, and of grants below, are sealed with a key that is not in the database.
CREATE TABLE users (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, name TEXT NOT NULL,
  email TEXT NOT NULL COLLATE NOCASE UNIQUE,
  passwordHash TEXT, totpSecret TEXT, totpPending TEXT, totpUsedStep INTEGER,
  isDisabled INTEGER NOT NULL DEFAULT 0, lastSeenAt INTEGER
) STRICT;

CREATE TABLE teamMembers (
  team TEXT NOT NULL REFERENCES teams ON DELETE CASCADE,
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  permissions TEXT NOT NULL,
  isDisabled INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (team, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX teamMembersByUser ON teamMembers (user);

CREATE TABLE apiKeys (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL, prefix TEXT NOT NULL, hash TEXT NOT NULL UNIQUE,
  expiresAt INTEGER, lastUsedAt INTEGER, lastAddress TEXT
) STRICT;
CREATE INDEX apiKeysByUser ON apiKeys (user);

CREATE TABLE sessions (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  hash TEXT NOT NULL UNIQUE, csrfToken TEXT NOT NULL,
  expiresAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL, confirmedAt INTEGER
) STRICT;
CREATE INDEX sessionsByUser ON sessions (user);

CREATE TABLE setupTokens (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, hash TEXT NOT NULL UNIQUE,
  purpose TEXT NOT NULL, user TEXT REFERENCES users ON DELETE CASCADE,
  expiresAt INTEGER NOT NULL, usedAt INTEGER
) STRICT;

CREATE TABLE trials (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, team TEXT NOT NULL REFERENCES teams,
  name TEXT NOT NULL, code TEXT NOT NULL UNIQUE, description TEXT,
  settings TEXT NOT NULL DEFAULT '{}',
  passwordHash TEXT, timezone TEXT, behindScheduleNotices TEXT NOT NULL DEFAULT '["push","email"]',
  restrictRegistration INTEGER NOT NULL DEFAULT 1,
  isArchived INTEGER NOT NULL DEFAULT 0,
  isLocked INTEGER NOT NULL DEFAULT 0, isDatabaseLocked INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 1, progressRevision INTEGER NOT NULL DEFAULT 1,
  participantCount INTEGER NOT NULL DEFAULT 0, dataTypeCount INTEGER NOT NULL DEFAULT 0,
  stageCount INTEGER NOT NULL DEFAULT 0, responseCount INTEGER NOT NULL DEFAULT 0,
  unreadCount INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX trialsByTeam ON trials (team, _id);
-- Those whose configuration changed since everybody's progress was brought up to date: nearly always none.
CREATE INDEX trialsStale ON trials (_id) WHERE revision <> progressRevision;

CREATE TABLE roles (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL, description TEXT, permissions TEXT NOT NULL
) STRICT;
CREATE INDEX rolesByTrial ON roles (trial);

CREATE TABLE userRoles (
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  role TEXT NOT NULL REFERENCES roles ON DELETE CASCADE,
  PRIMARY KEY (user, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX userRolesByRole ON userRoles (role);

-- What a person holds directly; scope is the trial's, a site's or a group's _id.
CREATE TABLE permissions (
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  scope TEXT NOT NULL, keys TEXT NOT NULL,
  PRIMARY KEY (user, trial, scope)
) STRICT, WITHOUT ROWID;
CREATE INDEX permissionsByTrial ON permissions (trial);

CREATE TABLE groups (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL, colour TEXT
) STRICT;
CREATE INDEX groupsByTrial ON groups (trial);

CREATE TABLE sites (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL, id TEXT NOT NULL COLLATE NOCASE, description TEXT, image TEXT,
  contactName TEXT, contactEmail TEXT, contactPhone TEXT,
  addressLine1 TEXT, addressLine2 TEXT, addressCity TEXT, addressPostCode TEXT, addressCountry TEXT,
  irb TEXT, approvalStatus TEXT, activityStatus TEXT,
  UNIQUE (trial, id)
) STRICT;

CREATE TABLE participants (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  id TEXT NOT NULL, idSort TEXT NOT NULL,
  passwordHash TEXT, lastSeenAt INTEGER, joinedAt INTEGER,
  isUnallocated INTEGER NOT NULL DEFAULT 0, allocatedReason TEXT,
  isArchived INTEGER NOT NULL DEFAULT 0, isWithdrawn INTEGER NOT NULL DEFAULT 0,
  name TEXT, dob TEXT, email TEXT, phone TEXT, whatsapp TEXT, timezone TEXT,
  pushToken TEXT, pushSession TEXT,
  ratioComplete REAL NOT NULL DEFAULT 0, stagesBehindSchedule INTEGER NOT NULL DEFAULT 0,
  progressDueAt INTEGER DEFAULT 0, remindersDueAt INTEGER,
  unreadCount INTEGER NOT NULL DEFAULT 0,
  groupCount INTEGER NOT NULL DEFAULT 0,
  responseCount INTEGER NOT NULL DEFAULT 0, signedCount INTEGER NOT NULL DEFAULT 0,
  facets INTEGER NOT NULL DEFAULT 0,
  UNIQUE (trial, idSort)
) STRICT;
CREATE INDEX participantsByCreation ON participants (trial, facets, createdAt, _id);
CREATE INDEX participantsById ON participants (trial, facets, idSort, _id);
CREATE INDEX participantsBySeen ON participants (trial, facets, lastSeenAt, _id);
CREATE INDEX participantsByRatio ON participants (trial, facets, ratioComplete, _id);
CREATE INDEX participantsByProgressDue ON participants (progressDueAt) WHERE progressDueAt IS NOT NULL;
CREATE INDEX participantsByRemindersDue ON participants (remindersDueAt) WHERE remindersDueAt IS NOT NULL;
CREATE INDEX participantsByPushToken ON participants (pushToken) WHERE pushToken IS NOT NULL;

CREATE TABLE participantGroups (
  participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  "group" TEXT NOT NULL REFERENCES groups ON DELETE CASCADE,
  PRIMARY KEY (participant, "group")
) STRICT, WITHOUT ROWID;
CREATE INDEX participantGroupsByGroup ON participantGroups ("group", participant);

CREATE TABLE participantSites (
  participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  PRIMARY KEY (participant, site)
) STRICT, WITHOUT ROWID;
CREATE INDEX participantSitesBySite ON participantSites (site, participant);

CREATE TABLE participantTokens (
  hash TEXT PRIMARY KEY, participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  trial TEXT NOT NULL, createdAt INTEGER NOT NULL, lastUsedAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX participantTokensByParticipant ON participantTokens (participant);
-- A device is told things only while the session lasts that registered it.
CREATE TRIGGER participantTokensPush AFTER DELETE ON participantTokens BEGIN
  UPDATE participants SET pushToken = NULL, pushSession = NULL WHERE _id = OLD.participant AND pushSession = OLD.hash;
END;

CREATE TABLE grants (
  hash TEXT PRIMARY KEY, participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  secret TEXT NOT NULL, createdAt INTEGER NOT NULL, createdBy TEXT NOT NULL,
  expiresAt INTEGER NOT NULL, usedAt INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX grantsByParticipant ON grants (participant);

CREATE TABLE dataTypes (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL, code TEXT NOT NULL COLLATE NOCASE, description TEXT,
  format TEXT NOT NULL, unit TEXT, settings TEXT NOT NULL,
  isRestricted INTEGER NOT NULL DEFAULT 0, isPii INTEGER NOT NULL DEFAULT 0,
  UNIQUE (trial, code)
) STRICT;

CREATE TABLE stages (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  "index" INTEGER NOT NULL, name TEXT NOT NULL, description TEXT,
  enabled INTEGER NOT NULL DEFAULT 1,
  settings TEXT NOT NULL DEFAULT '{}', components TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX stagesByTrial ON stages (trial, "index");

-- Which data types the values of a response stand for, in order. A stage whose fields change gets a new one.
CREATE TABLE layouts (
  _id TEXT PRIMARY KEY, stage TEXT NOT NULL REFERENCES stages ON DELETE CASCADE, dataTypes TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE stageGroups (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  "index" INTEGER NOT NULL, name TEXT NOT NULL, description TEXT, colour TEXT, stages TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX stageGroupsByTrial ON stageGroups (trial, "index");

-- What staff have to do, on a board of lanes; `index` counts 0, 1, 2, … within a trial, and within a lane. A lane that
-- holds tasks cannot go. `participant` is whom a task is about that a submission called for, and `scored` the data types
-- that counted for it: who may not see them does not see the task.
CREATE TABLE taskLanes (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  "index" INTEGER NOT NULL, name TEXT NOT NULL, description TEXT, isCompleteLane INTEGER NOT NULL
) STRICT;
CREATE INDEX taskLanesByTrial ON taskLanes (trial, "index");

CREATE TABLE tasks (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, createdBy TEXT, completedAt INTEGER,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  taskLane TEXT NOT NULL REFERENCES taskLanes, "index" INTEGER NOT NULL,
  title TEXT NOT NULL, description TEXT, status TEXT NOT NULL, assignees TEXT NOT NULL, dueDate INTEGER,
  participant TEXT, scored TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX tasksByTrial ON tasks (trial);
CREATE INDEX tasksByLane ON tasks (taskLane, "index");

CREATE TABLE anchors (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL, description TEXT, assignmentRule TEXT NOT NULL
) STRICT;
CREATE INDEX anchorsByTrial ON anchors (trial);

-- The dates of participants' anchors; `datetime` is NULL where staff cleared one, which no new rule then sets.
CREATE TABLE participantAnchors (
  participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  anchor TEXT NOT NULL REFERENCES anchors ON DELETE CASCADE,
  datetime INTEGER,
  PRIMARY KEY (participant, anchor)
) STRICT, WITHOUT ROWID;

CREATE TABLE stageOverrides (
  participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  stage TEXT NOT NULL REFERENCES stages ON DELETE CASCADE,
  stageRecurrence INTEGER NOT NULL, enableAt INTEGER NOT NULL, applyToAllRecurrences INTEGER NOT NULL,
  PRIMARY KEY (participant, stage, stageRecurrence)
) STRICT, WITHOUT ROWID;

-- Links that open one stage without sign-in. `stageRecurrence` is null for an ad hoc stage: each submission is a new one.
CREATE TABLE stageTokens (
  hash TEXT PRIMARY KEY, participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  stage TEXT NOT NULL, stageRecurrence INTEGER,
  createdAt INTEGER NOT NULL, createdBy TEXT NOT NULL, expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX stageTokensByParticipant ON stageTokens (participant);
CREATE INDEX stageTokensByExpiry ON stageTokens (expiresAt);

-- Reminders and notices that went out, written in the transaction of the message itself: each once, whatever happens to the
-- service. The occasion is the hour after opening, or `behind`.
CREATE TABLE sentReminders (
  participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  stage TEXT NOT NULL, stageRecurrence INTEGER NOT NULL, occasion TEXT NOT NULL, sentAt INTEGER NOT NULL,
  PRIMARY KEY (participant, stage, stageRecurrence, occasion)
) STRICT, WITHOUT ROWID;

-- The current state of what was submitted. `values` is a JSON list in the order of the layout; `stamps` is the rowid
-- of the submission each value came from: one number where all came from the same, else a list in the same order.
-- `marks` counts verification marks and standing signatures, so that an amendment looks for them only where there are any.
CREATE TABLE responses (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  stage TEXT NOT NULL REFERENCES stages ON DELETE CASCADE, stageRecurrence INTEGER NOT NULL,
  participant TEXT REFERENCES participants ON DELETE CASCADE,
  layout TEXT NOT NULL, "values" TEXT NOT NULL, stamps TEXT NOT NULL,
  score REAL, status TEXT, partialSubmission INTEGER NOT NULL DEFAULT 0, marks INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX responsesByOccurrence ON responses (participant, stage, stageRecurrence);
CREATE INDEX responsesByStage ON responses (stage, _id);
CREATE INDEX responsesByTrial ON responses (trial, _id);

-- Everything that was ever submitted, append-only. `fields` lists positions in the layout (null: all of it),
-- `values` what they became; what they were before, the submissions before it say.
-- Numbers are never given twice, also after an erasure: the audit trail names them.
CREATE TABLE submissions (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, response TEXT NOT NULL,
  trial TEXT NOT NULL, stage TEXT NOT NULL, stageRecurrence INTEGER NOT NULL, participant TEXT,
  layout TEXT NOT NULL, fields TEXT, "values" TEXT NOT NULL, entered TEXT,
  score REAL, partialSubmission INTEGER NOT NULL,
  createdBy TEXT NOT NULL, createdByType TEXT NOT NULL, address TEXT, device TEXT, updateNote TEXT
) STRICT;
CREATE INDEX submissionsByResponse ON submissions (response, _id);
CREATE INDEX submissionsByParticipant ON submissions (participant);

CREATE TRIGGER submissionsAreNotChanged BEFORE UPDATE ON submissions
BEGIN SELECT RAISE(ABORT, 'submissions are append-only'); END;
-- They go only with their trial, or with somebody whom their response belonged to, once it is gone.
CREATE TRIGGER submissionsAreKept BEFORE DELETE ON submissions
WHEN EXISTS (SELECT 1 FROM trials WHERE _id = OLD.trial) AND (
  EXISTS (SELECT 1 FROM responses WHERE _id = OLD.response) OR (
    (OLD.participant IS NULL OR EXISTS (SELECT 1 FROM participants WHERE _id = OLD.participant))
    AND NOT EXISTS (SELECT 1 FROM responseEvents e WHERE e.response = OLD.response AND e.participant IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM participants p WHERE p._id = e.participant))))
BEGIN SELECT RAISE(ABORT, 'submissions are append-only'); END;

-- What a submission calls for later; it goes into the outbox when it is due, and with its response.
CREATE TABLE dueNotifications (
  response TEXT NOT NULL REFERENCES responses ON DELETE CASCADE, component TEXT NOT NULL,
  dueAt INTEGER NOT NULL, sentAt INTEGER, title TEXT, body TEXT NOT NULL,
  PRIMARY KEY (response, component)
) STRICT, WITHOUT ROWID;
CREATE INDEX dueNotificationsByDue ON dueNotifications (dueAt) WHERE sentAt IS NULL;

CREATE TABLE drafts (
  participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  stage TEXT NOT NULL REFERENCES stages ON DELETE CASCADE, stageRecurrence INTEGER NOT NULL,
  author TEXT NOT NULL, savedAt INTEGER NOT NULL, response TEXT NOT NULL, updateNote TEXT,
  PRIMARY KEY (participant, stage, stageRecurrence, author)
) STRICT, WITHOUT ROWID;

-- The answer to a write that carried an Idempotency-Key, given again when the same write is repeated.
CREATE TABLE repeats (
  caller TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL, createdAt INTEGER NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX repeatsByAge ON repeats (createdAt);

-- The audit trail: one chain a trial (chain = trial _id), one a team, and one of the service itself. `personal` holds
-- personal information apart, so that it can be hidden, and erased (set to null) without breaking the chain, which
-- covers only its hash.
CREATE TABLE auditEntries (
  _id INTEGER PRIMARY KEY, chain TEXT NOT NULL, number INTEGER NOT NULL, createdAt INTEGER NOT NULL,
  type TEXT NOT NULL, userType TEXT NOT NULL, user TEXT, userEmail TEXT, apiToken TEXT,
  participant TEXT, event TEXT NOT NULL, address TEXT, device TEXT,
  personal TEXT, personalHash TEXT, hash TEXT NOT NULL,
  UNIQUE (chain, number)
) STRICT;
CREATE INDEX auditByUserType ON auditEntries (chain, userType, number);
CREATE INDEX auditByType ON auditEntries (chain, userType, type, number);
CREATE INDEX auditByParticipant ON auditEntries (participant) WHERE participant IS NOT NULL;

CREATE TRIGGER auditIsNotChanged BEFORE UPDATE OF _id, chain, number, createdAt, type, userType, user, userEmail,
  apiToken, participant, event, address, device, personalHash, hash ON auditEntries
BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER auditPersonalIsOnlyErased BEFORE UPDATE OF personal ON auditEntries WHEN NEW.personal IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER auditIsKept BEFORE DELETE ON auditEntries
WHEN NOT EXISTS (SELECT 1 FROM deletedChains WHERE chain = OLD.chain)
BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;

-- Chains that went with their trial; only those may be deleted.
CREATE TABLE deletedChains (
  chain TEXT PRIMARY KEY, deletedAt INTEGER NOT NULL, number INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How many entries each chain was ever given, and the hash of the last: a chain cut at its end is shorter than that,
-- also after more is written to it.
CREATE TABLE auditHeads (
  chain TEXT PRIMARY KEY, entries INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER auditIsCounted AFTER INSERT ON auditEntries BEGIN
  INSERT INTO auditHeads VALUES (NEW.chain, 1, NEW.hash)
    ON CONFLICT (chain) DO UPDATE SET entries = entries + 1, hash = excluded.hash;
END;
CREATE TRIGGER auditHeadsOnlyGrow BEFORE UPDATE ON auditHeads
WHEN NEW.chain <> OLD.chain OR NEW.entries <> OLD.entries + 1
  OR NEW.hash IS NOT (SELECT hash FROM auditEntries WHERE chain = NEW.chain ORDER BY number DESC LIMIT 1)
BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER auditHeadsAreKept BEFORE DELETE ON auditHeads
WHEN NOT EXISTS (SELECT 1 FROM deletedChains WHERE chain = OLD.chain)
BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER auditHeadsEnd AFTER INSERT ON deletedChains BEGIN DELETE FROM auditHeads WHERE chain = NEW.chain; END;

CREATE TABLE jobs (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, kind TEXT NOT NULL, user TEXT NOT NULL, trial TEXT,
  input TEXT NOT NULL, status TEXT NOT NULL, progress TEXT NOT NULL, result TEXT, error TEXT,
  startedAt INTEGER, finishedAt INTEGER
) STRICT;
CREATE INDEX jobsPending ON jobs (status, _id) WHERE status = 'pending';
CREATE INDEX jobsOfTimelines ON jobs (trial, user) WHERE status = 'pending' AND kind = 'timelines';

-- How far the work on a changed configuration has come: the participant after whom it goes on, and how many are done.
CREATE TABLE timelineSweeps (
  trial TEXT PRIMARY KEY REFERENCES trials ON DELETE CASCADE, revision INTEGER NOT NULL,
  after TEXT NOT NULL, done INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Files behind signed URLs: uploads (finishedAt null until the bytes are complete), exports, and the study records of
-- locked databases (kind dataset), which are kept and backed up as uploads are.
CREATE TABLE files (
  storedName TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, kind TEXT NOT NULL,
  trial TEXT, forType TEXT NOT NULL, forId TEXT NOT NULL, createdBy TEXT NOT NULL,
  name TEXT NOT NULL, type TEXT NOT NULL, size INTEGER, sha256 TEXT, finishedAt INTEGER, expiresAt INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX filesByExpiry ON files (expiresAt) WHERE expiresAt IS NOT NULL;
CREATE INDEX filesByOwner ON files (forType, forId);

CREATE TABLE outbox (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT, participant TEXT, user TEXT,
  channel TEXT NOT NULL, recipient TEXT NOT NULL, subject TEXT, body TEXT NOT NULL,
  isSecret INTEGER NOT NULL DEFAULT 0, status TEXT NOT NULL, detail TEXT, attempts INTEGER NOT NULL DEFAULT 0,
  dueAt INTEGER, expiresAt INTEGER, forms TEXT, sentAt INTEGER
) STRICT;
CREATE INDEX outboxByTrial ON outbox (trial, _id);
CREATE INDEX outboxByParticipant ON outbox (participant) WHERE participant IS NOT NULL;
-- The communication log, as a whole and by what it is filtered by.
CREATE INDEX outboxLog ON outbox (trial, _id) WHERE participant IS NOT NULL;
CREATE INDEX outboxLogByStatus ON outbox (trial, status, _id) WHERE participant IS NOT NULL;
CREATE INDEX outboxLogByChannel ON outbox (trial, channel, _id) WHERE participant IS NOT NULL;
-- What is to be sent, and what a stop of the service cut off.
CREATE INDEX outboxByDue ON outbox (channel, dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX outboxSending ON outbox (_id) WHERE status = 'sending';

-- What was held on a site or group goes with it.
CREATE TRIGGER sitesScopeDelete AFTER DELETE ON sites BEGIN
  DELETE FROM permissions WHERE trial = OLD.trial AND scope = OLD._id;
  UPDATE roles SET permissions = json_remove(permissions, '$."' || OLD._id || '"')
    WHERE trial = OLD.trial AND instr(permissions, OLD._id);
END;
CREATE TRIGGER groupsScopeDelete AFTER DELETE ON groups BEGIN
  DELETE FROM permissions WHERE trial = OLD.trial AND scope = OLD._id;
  UPDATE roles SET permissions = json_remove(permissions, '$."' || OLD._id || '"')
    WHERE trial = OLD.trial AND instr(permissions, OLD._id);
END;

-- What compiled access and configuration are cached by: a fresh random stamp at every change, whoever makes it, so that
-- no cache can be forgotten, and a number used by work that was undone never comes again.
CREATE TABLE stamps (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO stamps VALUES ('access', 0);
CREATE TRIGGER usersAccessInsert AFTER INSERT ON users BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER usersAccessDelete AFTER DELETE ON users BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER usersAccessUpdate AFTER UPDATE OF email, name, isDisabled ON users BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER teamsAccessInsert AFTER INSERT ON teams BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER teamsAccessDelete AFTER DELETE ON teams BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER teamsAccessUpdate AFTER UPDATE OF name, features, participantLimit ON teams BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER teamMembersAccessInsert AFTER INSERT ON teamMembers BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER teamMembersAccessDelete AFTER DELETE ON teamMembers BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER teamMembersAccessUpdate AFTER UPDATE ON teamMembers BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER apiKeysAccessInsert AFTER INSERT ON apiKeys BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER apiKeysAccessDelete AFTER DELETE ON apiKeys BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER apiKeysAccessUpdate AFTER UPDATE OF user, hash, expiresAt ON apiKeys BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER sessionsAccessInsert AFTER INSERT ON sessions BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER sessionsAccessDelete AFTER DELETE ON sessions BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER sessionsAccessUpdate AFTER UPDATE OF user, hash, csrfToken, expiresAt, confirmedAt ON sessions BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER rolesAccessInsert AFTER INSERT ON roles BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER rolesAccessDelete AFTER DELETE ON roles BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER rolesAccessUpdate AFTER UPDATE OF permissions ON roles BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER userRolesAccessInsert AFTER INSERT ON userRoles BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER userRolesAccessDelete AFTER DELETE ON userRoles BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER userRolesAccessUpdate AFTER UPDATE ON userRoles BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER permissionsAccessInsert AFTER INSERT ON permissions BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER permissionsAccessDelete AFTER DELETE ON permissions BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER permissionsAccessUpdate AFTER UPDATE ON permissions BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER sitesAccessInsert AFTER INSERT ON sites BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER sitesAccessDelete AFTER DELETE ON sites BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER sitesAccessUpdate AFTER UPDATE OF _id ON sites BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER groupsAccessInsert AFTER INSERT ON groups BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER groupsAccessDelete AFTER DELETE ON groups BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER groupsAccessUpdate AFTER UPDATE OF _id ON groups BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER trialsAccessInsert AFTER INSERT ON trials BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER trialsAccessDelete AFTER DELETE ON trials BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER trialsAccessUpdate AFTER UPDATE OF _id, team ON trials BEGIN UPDATE stamps SET value = abs(random() % 9007199254740991) WHERE name = 'access'; END;
CREATE TRIGGER dataTypesRevisionInsert AFTER INSERT ON dataTypes BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER dataTypesRevisionDelete AFTER DELETE ON dataTypes BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = OLD.trial; END;
CREATE TRIGGER dataTypesRevisionUpdate AFTER UPDATE ON dataTypes BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER stagesRevisionInsert AFTER INSERT ON stages BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER stagesRevisionDelete AFTER DELETE ON stages BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = OLD.trial; END;
CREATE TRIGGER stagesRevisionUpdate AFTER UPDATE ON stages BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER stageGroupsRevisionInsert AFTER INSERT ON stageGroups BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER stageGroupsRevisionDelete AFTER DELETE ON stageGroups BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = OLD.trial; END;
CREATE TRIGGER stageGroupsRevisionUpdate AFTER UPDATE ON stageGroups BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER anchorsRevisionInsert AFTER INSERT ON anchors BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER anchorsRevisionDelete AFTER DELETE ON anchors BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = OLD.trial; END;
CREATE TRIGGER anchorsRevisionUpdate AFTER UPDATE ON anchors BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER groupsRevisionInsert AFTER INSERT ON groups BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER groupsRevisionDelete AFTER DELETE ON groups BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = OLD.trial; END;
CREATE TRIGGER groupsRevisionUpdate AFTER UPDATE ON groups BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER sitesRevisionInsert AFTER INSERT ON sites BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;
CREATE TRIGGER sitesRevisionDelete AFTER DELETE ON sites BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = OLD.trial; END;
CREATE TRIGGER sitesRevisionUpdate AFTER UPDATE ON sites BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW.trial; END;

-- Counts are kept, never computed for a list.
CREATE TRIGGER participantsCountInsert AFTER INSERT ON participants BEGIN UPDATE trials SET participantCount = participantCount + 1 WHERE _id = NEW.trial; UPDATE teams SET participantCount = participantCount + 1 WHERE _id = (SELECT team FROM trials WHERE _id = NEW.trial); END;
CREATE TRIGGER participantsCountDelete AFTER DELETE ON participants BEGIN UPDATE trials SET participantCount = participantCount - 1 WHERE _id = OLD.trial; UPDATE teams SET participantCount = participantCount - 1 WHERE _id = (SELECT team FROM trials WHERE _id = OLD.trial); END;
CREATE TRIGGER dataTypesCountInsert AFTER INSERT ON dataTypes BEGIN UPDATE trials SET dataTypeCount = dataTypeCount + 1 WHERE _id = NEW.trial; END;
CREATE TRIGGER dataTypesCountDelete AFTER DELETE ON dataTypes BEGIN UPDATE trials SET dataTypeCount = dataTypeCount - 1 WHERE _id = OLD.trial; END;
CREATE TRIGGER stagesCountInsert AFTER INSERT ON stages BEGIN UPDATE trials SET stageCount = stageCount + 1 WHERE _id = NEW.trial; END;
CREATE TRIGGER stagesCountDelete AFTER DELETE ON stages BEGIN UPDATE trials SET stageCount = stageCount - 1 WHERE _id = OLD.trial; END;
CREATE TRIGGER responsesCountInsert AFTER INSERT ON responses BEGIN UPDATE trials SET responseCount = responseCount + 1 WHERE _id = NEW.trial; END;
CREATE TRIGGER responsesCountDelete AFTER DELETE ON responses BEGIN UPDATE trials SET responseCount = responseCount - 1 WHERE _id = OLD.trial; END;
CREATE TRIGGER trialsCountDelete AFTER DELETE ON trials BEGIN UPDATE teams SET participantCount = participantCount - OLD.participantCount WHERE _id = OLD.team; END;
CREATE TRIGGER participantGroupsCountInsert AFTER INSERT ON participantGroups BEGIN UPDATE participants SET groupCount = groupCount + 1 WHERE _id = NEW.participant; END;
CREATE TRIGGER participantGroupsCountDelete AFTER DELETE ON participantGroups BEGIN UPDATE participants SET groupCount = groupCount - 1 WHERE _id = OLD.participant; END;

-- What a participant's progress and reminders follow from: at every change they are due to be worked out again.
CREATE TRIGGER participantSitesProgressInsert AFTER INSERT ON participantSites BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = NEW.participant; END;
CREATE TRIGGER participantSitesProgressDelete AFTER DELETE ON participantSites BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = OLD.participant; END;
CREATE TRIGGER participantGroupsProgressInsert AFTER INSERT ON participantGroups BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = NEW.participant; END;
CREATE TRIGGER participantGroupsProgressDelete AFTER DELETE ON participantGroups BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = OLD.participant; END;
CREATE TRIGGER participantAnchorsProgressInsert AFTER INSERT ON participantAnchors BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = NEW.participant; END;
CREATE TRIGGER participantAnchorsProgressDelete AFTER DELETE ON participantAnchors BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = OLD.participant; END;
CREATE TRIGGER participantAnchorsProgressUpdate AFTER UPDATE ON participantAnchors BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = NEW.participant; END;
CREATE TRIGGER stageOverridesProgressInsert AFTER INSERT ON stageOverrides BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = NEW.participant; END;
CREATE TRIGGER stageOverridesProgressDelete AFTER DELETE ON stageOverrides BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = OLD.participant; END;
CREATE TRIGGER stageOverridesProgressUpdate AFTER UPDATE ON stageOverrides BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = NEW.participant; END;
CREATE TRIGGER responsesProgressInsert AFTER INSERT ON responses BEGIN UPDATE participants SET progressDueAt = 0, responseCount = responseCount + 1 WHERE _id = NEW.participant; END;
CREATE TRIGGER responsesProgressDelete AFTER DELETE ON responses BEGIN UPDATE participants SET progressDueAt = 0, responseCount = responseCount - 1 WHERE _id = OLD.participant; END;
CREATE TRIGGER responsesProgressUpdate AFTER UPDATE OF participant ON responses BEGIN
  UPDATE participants SET progressDueAt = 0, responseCount = responseCount - 1 WHERE _id = OLD.participant;
  UPDATE participants SET progressDueAt = 0, responseCount = responseCount + 1 WHERE _id = NEW.participant;
END;
CREATE TRIGGER participantsProgressState AFTER UPDATE OF timezone, isArchived, isWithdrawn ON participants BEGIN UPDATE participants SET progressDueAt = 0 WHERE _id = NEW._id; END;
CREATE TRIGGER trialsProgressState AFTER UPDATE OF timezone, behindScheduleNotices, isArchived, isDatabaseLocked ON trials BEGIN UPDATE trials SET revision = abs(random() % 9007199254740991) WHERE _id = NEW._id; END;

-- What the participants' list filters by, as one number a participant: 1 archived, 2 unallocated, 4 withdrawn, 8 joined,
-- 16 behind schedule, 32 unread messages, 64 in no group, 128 never seen. Every index of the list begins with it, and
-- participantCounts holds how many there are of each, so that a filtered list is merged from sorted runs and its total is
-- a sum of at most 256 numbers. The facets change only when one of them does: submissions do not touch them.
CREATE TABLE participantCounts (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE, facets INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (trial, facets)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER participantsFacetsInsert AFTER INSERT ON participants BEGIN
  INSERT INTO participantCounts VALUES (NEW.trial, NEW.facets, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  UPDATE participants SET facets = (NEW.isArchived <> 0) | ((NEW.isUnallocated <> 0) << 1) | ((NEW.isWithdrawn <> 0) << 2) | ((NEW.joinedAt IS NOT NULL) << 3) | ((NEW.stagesBehindSchedule > 0) << 4) | ((NEW.unreadCount > 0) << 5) | ((NEW.groupCount = 0) << 6) | ((NEW.lastSeenAt IS NULL) << 7) WHERE _id = NEW._id;
  INSERT INTO stamps VALUES ('roster ' || NEW.trial, abs(random() % 9007199254740991)) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER participantsFacetsDelete AFTER DELETE ON participants BEGIN
  UPDATE participantCounts SET count = count - 1 WHERE trial = OLD.trial AND facets = OLD.facets;
  INSERT INTO stamps VALUES ('roster ' || OLD.trial, abs(random() % 9007199254740991)) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
END;
CREATE TRIGGER participantsFacetsUpdate AFTER UPDATE OF isArchived, isUnallocated, isWithdrawn, joinedAt, lastSeenAt,
  stagesBehindSchedule, unreadCount, groupCount ON participants
WHEN NEW.facets <> ((NEW.isArchived <> 0) | ((NEW.isUnallocated <> 0) << 1) | ((NEW.isWithdrawn <> 0) << 2) | ((NEW.joinedAt IS NOT NULL) << 3) | ((NEW.stagesBehindSchedule > 0) << 4) | ((NEW.unreadCount > 0) << 5) | ((NEW.groupCount = 0) << 6) | ((NEW.lastSeenAt IS NULL) << 7))
BEGIN UPDATE participants SET facets = (NEW.isArchived <> 0) | ((NEW.isUnallocated <> 0) << 1) | ((NEW.isWithdrawn <> 0) << 2) | ((NEW.joinedAt IS NOT NULL) << 3) | ((NEW.stagesBehindSchedule > 0) << 4) | ((NEW.unreadCount > 0) << 5) | ((NEW.groupCount = 0) << 6) | ((NEW.lastSeenAt IS NULL) << 7) WHERE _id = NEW._id; END;
CREATE TRIGGER participantsFacetsCount AFTER UPDATE OF facets ON participants WHEN NEW.facets <> OLD.facets BEGIN
  UPDATE participantCounts SET count = count - 1 WHERE trial = OLD.trial AND facets = OLD.facets;
  INSERT INTO participantCounts VALUES (NEW.trial, NEW.facets, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO stamps VALUES ('roster ' || NEW.trial, abs(random() % 9007199254740991)) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
END;

-- The roster's stamp changes with who is on the list and with what may filter it: what totals of searches are kept by.
CREATE TRIGGER participantsRosterId AFTER UPDATE OF idSort ON participants BEGIN INSERT INTO stamps VALUES ('roster ' || NEW.trial, abs(random() % 9007199254740991)) ON CONFLICT (name) DO UPDATE SET value = excluded.value; END;
CREATE TRIGGER participantSitesRosterInsert AFTER INSERT ON participantSites WHEN EXISTS (SELECT 1 FROM participants WHERE _id = NEW.participant) BEGIN INSERT INTO stamps VALUES ('roster ' || (SELECT trial FROM participants WHERE _id = NEW.participant), abs(random() % 9007199254740991)) ON CONFLICT (name) DO UPDATE SET value = excluded.value; END;
CREATE TRIGGER participantSitesRosterDelete AFTER DELETE ON participantSites WHEN EXISTS (SELECT 1 FROM participants WHERE _id = OLD.participant) BEGIN INSERT INTO stamps VALUES ('roster ' || (SELECT trial FROM participants WHERE _id = OLD.participant), abs(random() % 9007199254740991)) ON CONFLICT (name) DO UPDATE SET value = excluded.value; END;
CREATE TRIGGER participantGroupsRosterInsert AFTER INSERT ON participantGroups WHEN EXISTS (SELECT 1 FROM participants WHERE _id = NEW.participant) BEGIN INSERT INTO stamps VALUES ('roster ' || (SELECT trial FROM participants WHERE _id = NEW.participant), abs(random() % 9007199254740991)) ON CONFLICT (name) DO UPDATE SET value = excluded.value; END;
CREATE TRIGGER participantGroupsRosterDelete AFTER DELETE ON participantGroups WHEN EXISTS (SELECT 1 FROM participants WHERE _id = OLD.participant) BEGIN INSERT INTO stamps VALUES ('roster ' || (SELECT trial FROM participants WHERE _id = OLD.participant), abs(random() % 9007199254740991)) ON CONFLICT (name) DO UPDATE SET value = excluded.value; END;
CREATE TRIGGER trialsRosterDelete AFTER DELETE ON trials BEGIN DELETE FROM stamps WHERE name = 'roster ' || OLD._id; END;

-- What became of responses besides submissions, append-only: a field was verified, its mark cleared, a status set, the
-- response signed, allocated, deleted. `participant` is whom it belonged to then; `content` says the rest.
-- Numbers are never given twice, also after an erasure: the audit trail names them.
CREATE TABLE responseEvents (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  response TEXT NOT NULL, participant TEXT, type TEXT NOT NULL,
  createdBy TEXT NOT NULL, createdByType TEXT NOT NULL, content TEXT NOT NULL
) STRICT;
CREATE INDEX responseEventsByResponse ON responseEvents (response, _id);
CREATE INDEX responseEventsByTrial ON responseEvents (trial, type);
CREATE INDEX responseEventsByParticipant ON responseEvents (participant) WHERE type = 'deleted';
CREATE TRIGGER responseEventsAreNotChanged BEFORE UPDATE ON responseEvents
BEGIN SELECT RAISE(ABORT, 'the history of responses is append-only'); END;
CREATE TRIGGER responseEventsAreKept BEFORE DELETE ON responseEvents
WHEN EXISTS (SELECT 1 FROM trials WHERE _id = OLD.trial) AND (
  EXISTS (SELECT 1 FROM responses WHERE _id = OLD.response)
  OR EXISTS (SELECT 1 FROM submissions WHERE response = OLD.response))
BEGIN SELECT RAISE(ABORT, 'the history of responses is append-only'); END;

-- Source verification: fields that somebody compared with their source. A mark goes when its field changes.
CREATE TABLE verifications (
  response TEXT NOT NULL REFERENCES responses ON DELETE CASCADE,
  dataType TEXT NOT NULL, verifiedAt INTEGER NOT NULL, verifiedBy TEXT NOT NULL,
  PRIMARY KEY (response, dataType)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER verificationsMarksInsert AFTER INSERT ON verifications BEGIN UPDATE responses SET marks = marks + 1 WHERE _id = NEW.response; END;
CREATE TRIGGER verificationsMarksDelete AFTER DELETE ON verifications BEGIN UPDATE responses SET marks = marks - 1 WHERE _id = OLD.response; END;

-- Signatures are never changed; what they cover ends to be signed when it changes.
CREATE TABLE signatures (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL,
  participant TEXT NOT NULL REFERENCES participants ON DELETE CASCADE,
  isCasebook INTEGER NOT NULL, meaning TEXT NOT NULL, user TEXT NOT NULL, userName TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE INDEX signaturesByParticipant ON signatures (participant, _id);
CREATE TRIGGER signaturesAreNotChanged BEFORE UPDATE ON signatures
BEGIN SELECT RAISE(ABORT, 'signatures are not changed'); END;
CREATE TRIGGER signaturesAreKept BEFORE DELETE ON signatures
WHEN EXISTS (SELECT 1 FROM participants WHERE _id = OLD.participant)
BEGIN SELECT RAISE(ABORT, 'signatures are kept'); END;

-- `endedAt` is when the response changed after it was signed; null while the signature stands.
CREATE TABLE signedResponses (
  signature TEXT NOT NULL REFERENCES signatures ON DELETE CASCADE,
  response TEXT NOT NULL, hash TEXT NOT NULL, endedAt INTEGER,
  PRIMARY KEY (signature, response)
) STRICT, WITHOUT ROWID;
CREATE INDEX signedResponsesByResponse ON signedResponses (response);
CREATE TRIGGER signedResponsesAreNotChanged BEFORE UPDATE ON signedResponses
WHEN OLD.endedAt IS NOT NULL OR NEW.signature <> OLD.signature OR NEW.response <> OLD.response OR NEW.hash <> OLD.hash
BEGIN SELECT RAISE(ABORT, 'signatures are not changed'); END;
CREATE TRIGGER signedResponsesAreKept BEFORE DELETE ON signedResponses
WHEN EXISTS (SELECT 1 FROM signatures WHERE _id = OLD.signature)
BEGIN SELECT RAISE(ABORT, 'signatures are kept'); END;
CREATE TRIGGER signedResponsesMarksInsert AFTER INSERT ON signedResponses BEGIN
  UPDATE participants SET signedCount = signedCount + 1 WHERE _id = (SELECT participant FROM signatures WHERE _id = NEW.signature)
    AND NOT EXISTS (SELECT 1 FROM signedResponses WHERE response = NEW.response AND signature <> NEW.signature AND endedAt IS NULL);
  UPDATE responses SET marks = marks + 1 WHERE _id = NEW.response;
END;
CREATE TRIGGER signedResponsesMarksEnd AFTER UPDATE OF endedAt ON signedResponses WHEN OLD.endedAt IS NULL AND NEW.endedAt IS NOT NULL BEGIN
  UPDATE participants SET signedCount = signedCount - 1 WHERE _id = (SELECT participant FROM signatures WHERE _id = NEW.signature)
    AND NOT EXISTS (SELECT 1 FROM signedResponses WHERE response = NEW.response AND endedAt IS NULL);
  UPDATE responses SET marks = marks - 1 WHERE _id = NEW.response;
END;

-- Questions about data. `raisedBy` is null where a rule raised it: once for each response, field, rule and value. They
-- outlive a deleted response as its history does, and go with the participant.
CREATE TABLE queries (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT REFERENCES participants ON DELETE CASCADE,
  response TEXT NOT NULL,
  dataType TEXT, status TEXT NOT NULL, assignees TEXT NOT NULL,
  raisedBy TEXT, rule TEXT, instructions TEXT, fingerprint TEXT UNIQUE
) STRICT;
CREATE INDEX queriesByTrial ON queries (trial, _id);
CREATE INDEX queriesByStatus ON queries (trial, status, _id);
CREATE INDEX queriesByParticipant ON queries (participant);
CREATE INDEX queriesByResponse ON queries (response);
CREATE TRIGGER queriesFollow AFTER UPDATE OF participant ON responses BEGIN UPDATE queries SET participant = NEW.participant WHERE response = NEW._id; END;
-- What a submission called for was meant for whoever it was taken for.
CREATE TRIGGER dueNotificationsEnd AFTER UPDATE OF participant ON responses BEGIN DELETE FROM dueNotifications WHERE response = NEW._id AND sentAt IS NULL; END;

CREATE TABLE queryMessages (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, query TEXT NOT NULL REFERENCES queries ON DELETE CASCADE,
  user TEXT, text TEXT NOT NULL, attachments TEXT NOT NULL
) STRICT;
CREATE INDEX queryMessagesByQuery ON queryMessages (query, _id);
CREATE TRIGGER queryMessagesAreNotChanged BEFORE UPDATE ON queryMessages
BEGIN SELECT RAISE(ABORT, 'messages are not changed'); END;

-- How far work that goes through something once has come.
CREATE TABLE cursors (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Snapshots of what is configured, by hand and at each lock; never changed, and gone only with their trial.
CREATE TABLE configurationVersions (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  number INTEGER NOT NULL, user TEXT NOT NULL, userEmail TEXT NOT NULL, "trigger" TEXT NOT NULL, note TEXT,
  hash TEXT NOT NULL, snapshot TEXT NOT NULL,
  UNIQUE (trial, number)
) STRICT;
CREATE TRIGGER configurationVersionsAreNotChanged BEFORE UPDATE ON configurationVersions
BEGIN SELECT RAISE(ABORT, 'configuration versions are not changed'); END;
CREATE TRIGGER configurationVersionsAreKept BEFORE DELETE ON configurationVersions
WHEN EXISTS (SELECT 1 FROM trials WHERE _id = OLD.trial)
BEGIN SELECT RAISE(ABORT, 'configuration versions are kept'); END;

-- The study record that each lock of a database leaves. `sha256`, `size` and `counts` are null until it is made.
CREATE TABLE lockedDatasets (
  _id TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  user TEXT NOT NULL, userEmail TEXT NOT NULL, version INTEGER NOT NULL, job TEXT NOT NULL UNIQUE,
  storedName TEXT NOT NULL, name TEXT NOT NULL, size INTEGER, sha256 TEXT, counts TEXT
) STRICT;
CREATE INDEX lockedDatasetsByTrial ON lockedDatasets (trial, createdAt, _id);
CREATE TRIGGER lockedDatasetsAreNotChanged BEFORE UPDATE ON lockedDatasets
WHEN OLD.sha256 IS NOT NULL OR NEW._id <> OLD._id OR NEW.createdAt <> OLD.createdAt OR NEW.trial <> OLD.trial
  OR NEW.user <> OLD.user OR NEW.version <> OLD.version OR NEW.job <> OLD.job OR NEW.storedName <> OLD.storedName
BEGIN SELECT RAISE(ABORT, 'locked datasets are not changed'); END;
CREATE TRIGGER lockedDatasetsAreKept BEFORE DELETE ON lockedDatasets
WHEN EXISTS (SELECT 1 FROM trials WHERE _id = OLD.trial)
BEGIN SELECT RAISE(ABORT, 'locked datasets are kept'); END;
