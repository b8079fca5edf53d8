-- Moments are integers: microseconds since 1970 (kernel/time). Lists and settings are JSON text. A CHECK of three words or
-- more uses OR: for an IN list of that length, SQLite builds an index for every row that it checks (measured: 1 µs).
CREATE TABLE teams (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  name TEXT NOT NULL,
  features TEXT NOT NULL CHECK (json_valid(features)),
  participantLimit INTEGER,
  participantCount INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Secrets of two-step sign-in, and of grants below, are encrypted with a key that is not in the database.
CREATE TABLE users (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL COLLATE NOCASE UNIQUE,
  language TEXT,
  passwordHash TEXT,
  totpSecret TEXT,
  totpPending TEXT,
  totpUsedStep INTEGER,
  isDisabled INTEGER NOT NULL DEFAULT 0 CHECK (isDisabled IN (0, 1)),
  lastSeenAt INTEGER
) STRICT;

CREATE TABLE teamMembers (
  team TEXT NOT NULL REFERENCES teams ON DELETE CASCADE,
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  permissions TEXT NOT NULL CHECK (json_valid(permissions)),
  isDisabled INTEGER NOT NULL DEFAULT 0 CHECK (isDisabled IN (0, 1)),
  PRIMARY KEY (team, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX teamMembersByUser ON teamMembers (user);

CREATE TABLE apiKeys (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  expiresAt INTEGER,
  lastUsedAt INTEGER,
  lastAddress TEXT
) STRICT;
CREATE INDEX apiKeysByUser ON apiKeys (user);

CREATE TABLE sessions (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  hash TEXT NOT NULL UNIQUE,
  csrfToken TEXT NOT NULL,
  expiresAt INTEGER NOT NULL,
  lastSeenAt INTEGER NOT NULL,
  confirmedAt INTEGER
) STRICT;
CREATE INDEX sessionsByUser ON sessions (user);

-- Failed attempts at passwords: of an account, from an address, and of an account from an address; `name` is a hash of these.
-- `failures` is their number at the moment `at`, and is forgotten with time. Until `knownUntil`, the account is known at the
-- address, since it has signed in from there. `forgottenAt`: when all failures of the account ended, since it got a new password.
CREATE TABLE attempts (
  name TEXT PRIMARY KEY,
  failures REAL NOT NULL,
  at INTEGER NOT NULL,
  lockedUntil INTEGER NOT NULL DEFAULT 0,
  knownUntil INTEGER NOT NULL DEFAULT 0,
  forgottenAt INTEGER NOT NULL DEFAULT 0,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attemptsByExpiry ON attempts (expiresAt);

CREATE TABLE setupTokens (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  purpose TEXT NOT NULL CHECK (purpose = 'first' OR purpose = 'invitation' OR purpose = 'reset'),
  user TEXT REFERENCES users ON DELETE CASCADE,
  expiresAt INTEGER NOT NULL,
  usedAt INTEGER
) STRICT;
CREATE INDEX setupTokensByUser ON setupTokens (user);

CREATE TABLE trials (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  team TEXT NOT NULL REFERENCES teams,
  name TEXT NOT NULL,
  code TEXT NOT NULL UNIQUE,
  description TEXT,
  settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)),
  passwordHash TEXT,
  timezone TEXT,
  behindScheduleNotices TEXT NOT NULL DEFAULT '["push","email"]' CHECK (json_valid(behindScheduleNotices)),
  restrictRegistration INTEGER NOT NULL DEFAULT 1 CHECK (restrictRegistration IN (0, 1)),
  isArchived INTEGER NOT NULL DEFAULT 0 CHECK (isArchived IN (0, 1)),
  isLocked INTEGER NOT NULL DEFAULT 0 CHECK (isLocked IN (0, 1)),
  isDatabaseLocked INTEGER NOT NULL DEFAULT 0 CHECK (isDatabaseLocked IN (0, 1)),
  revision INTEGER NOT NULL DEFAULT 1,
  progressRevision INTEGER NOT NULL DEFAULT 1,
  participantCount INTEGER NOT NULL DEFAULT 0,
  dataTypeCount INTEGER NOT NULL DEFAULT 0,
  stageCount INTEGER NOT NULL DEFAULT 0,
  responseCount INTEGER NOT NULL DEFAULT 0,
  unreadCount INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX trialsByTeam ON trials (team, _id);
-- The trials whose configuration has changed since the stored progress of all participants was calculated: usually none.
CREATE INDEX trialsStale ON trials (_id) WHERE revision <> progressRevision;

CREATE TABLE roles (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT,
  permissions TEXT NOT NULL CHECK (json_valid(permissions))
) STRICT;
CREATE INDEX rolesByTrial ON roles (trial);

CREATE TABLE userRoles (
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  role TEXT NOT NULL REFERENCES roles ON DELETE CASCADE,
  PRIMARY KEY (user, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX userRolesByRole ON userRoles (role);

-- The permissions that were granted to a person directly. `scope` is the _id of the trial, a site or a group.
CREATE TABLE permissions (
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  scope TEXT NOT NULL,
  keys TEXT NOT NULL CHECK (json_valid(keys)),
  PRIMARY KEY (user, trial, scope)
) STRICT, WITHOUT ROWID;
CREATE INDEX permissionsByTrial ON permissions (trial);

CREATE TABLE groups (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  colour TEXT
) STRICT;
CREATE INDEX groupsByTrial ON groups (trial);

CREATE TABLE sites (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  id TEXT NOT NULL COLLATE NOCASE,
  description TEXT,
  image TEXT,
  contactName TEXT,
  contactEmail TEXT,
  contactPhone TEXT,
  addressLine1 TEXT,
  addressLine2 TEXT,
  addressCity TEXT,
  addressPostCode TEXT,
  addressCountry TEXT,
  irb TEXT CHECK (irb = 'none' OR irb = 'local' OR irb = 'central'),
  approvalStatus TEXT CHECK (
    approvalStatus = 'pending' OR approvalStatus = 'onHold' OR approvalStatus = 'selected'
    OR approvalStatus = 'rejected'
  ),
  activityStatus TEXT CHECK (
    activityStatus = 'pendingSelection' OR activityStatus = 'selected' OR activityStatus = 'activeRecruiting'
    OR activityStatus = 'activeNotRecruiting' OR activityStatus = 'closedToRecruitment' OR activityStatus = 'closed'
  ),
  UNIQUE (trial, id)
) STRICT;

CREATE TABLE participants (
  key INTEGER PRIMARY KEY,
  _id TEXT NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  id TEXT NOT NULL,
  idSort TEXT NOT NULL,
  passwordHash TEXT,
  lastSeenAt INTEGER,
  joinedAt INTEGER,
  isUnallocated INTEGER NOT NULL DEFAULT 0 CHECK (isUnallocated IN (0, 1)),
  allocatedReason TEXT,
  isArchived INTEGER NOT NULL DEFAULT 0 CHECK (isArchived IN (0, 1)),
  isWithdrawn INTEGER NOT NULL DEFAULT 0 CHECK (isWithdrawn IN (0, 1)),
  erasedAt INTEGER,
  salt TEXT,
  name TEXT,
  dob TEXT,
  email TEXT,
  phone TEXT,
  whatsapp TEXT,
  timezone TEXT,
  language TEXT,
  pushToken TEXT,
  pushSession TEXT,
  ratioComplete REAL NOT NULL DEFAULT 0,
  stagesBehindSchedule INTEGER NOT NULL DEFAULT 0,
  progressDueAt INTEGER DEFAULT 0,
  remindersDueAt INTEGER,
  scheduleDigest INTEGER NOT NULL DEFAULT 0,
  unreadCount INTEGER NOT NULL DEFAULT 0,
  lastMessageAt INTEGER NOT NULL DEFAULT 0,
  teamMailedAt INTEGER,
  teamMailDueAt INTEGER,
  groupCount INTEGER NOT NULL DEFAULT 0,
  responseCount INTEGER NOT NULL DEFAULT 0,
  signedCount INTEGER NOT NULL DEFAULT 0,
  facets INTEGER NOT NULL GENERATED ALWAYS AS (
    isArchived | (isUnallocated << 1) | (isWithdrawn << 2) | ((joinedAt IS NOT NULL) << 3)
    | ((stagesBehindSchedule > 0) << 4) | ((unreadCount > 0) << 5) | ((groupCount = 0) << 6) | ((lastSeenAt IS NULL) << 7)
  ) STORED,
  UNIQUE (trial, idSort)
) STRICT;
-- For work that goes through a whole trial page by page.
CREATE INDEX participantsByTrial ON participants (trial, _id);
CREATE INDEX participantsByCreation ON participants (trial, facets, createdAt, _id);
CREATE INDEX participantsById ON participants (trial, facets, idSort, _id);
CREATE INDEX participantsBySeen ON participants (trial, facets, lastSeenAt, _id);
CREATE INDEX participantsByRatio ON participants (trial, facets, ratioComplete, _id);
CREATE INDEX participantsByMessage ON participants (trial, facets, lastMessageAt, _id);
CREATE INDEX participantsByTeamMailDue ON participants (teamMailDueAt) WHERE teamMailDueAt IS NOT NULL;
CREATE INDEX participantsByProgressDue ON participants (progressDueAt) WHERE progressDueAt IS NOT NULL;
CREATE INDEX participantsByRemindersDue ON participants (remindersDueAt) WHERE remindersDueAt IS NOT NULL;
CREATE INDEX participantsByPushToken ON participants (pushToken) WHERE pushToken IS NOT NULL;

-- Participants whose `passwordHash` is the encrypted password, which the job still has to hash.
CREATE TABLE passwordQueue (
  participant TEXT PRIMARY KEY REFERENCES participants (_id) ON DELETE CASCADE,
  job TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passwordQueueByJob ON passwordQueue (job, participant);

CREATE TABLE participantGroups (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  "group" TEXT NOT NULL REFERENCES groups ON DELETE CASCADE,
  PRIMARY KEY (participant, "group")
) STRICT, WITHOUT ROWID;
CREATE INDEX participantGroupsByGroup ON participantGroups ("group", participant);

CREATE TABLE participantSites (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  PRIMARY KEY (participant, site)
) STRICT, WITHOUT ROWID;
CREATE INDEX participantSitesBySite ON participantSites (site, participant);

CREATE TABLE participantTokens (
  hash TEXT PRIMARY KEY,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  trial TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  lastUsedAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX participantTokensByParticipant ON participantTokens (participant);

CREATE TABLE grants (
  hash TEXT PRIMARY KEY,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  expiresAt INTEGER NOT NULL,
  usedAt INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX grantsByParticipant ON grants (participant);

CREATE TABLE dataTypes (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  code TEXT NOT NULL COLLATE NOCASE,
  description TEXT,
  format TEXT NOT NULL,
  unit TEXT,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  isRestricted INTEGER NOT NULL DEFAULT 0 CHECK (isRestricted IN (0, 1)),
  isPii INTEGER NOT NULL DEFAULT 0 CHECK (isPii IN (0, 1)),
  UNIQUE (trial, code)
) STRICT;

CREATE TABLE stages (
  key INTEGER PRIMARY KEY,
  _id TEXT NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  "index" INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)),
  components TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(components))
) STRICT;
CREATE INDEX stagesByTrial ON stages (trial, "index");

-- The data types to which the values of a response belong, in order. If the fields of a stage change, it gets a new layout.
-- A layout is kept after its stage is deleted, because submissions of deleted responses are kept, and only the layout says
-- which questions their values answer.
CREATE TABLE layouts (
  key INTEGER PRIMARY KEY,
  _id TEXT NOT NULL UNIQUE,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  stage TEXT NOT NULL,
  dataTypes TEXT NOT NULL CHECK (json_valid(dataTypes))
) STRICT;
CREATE INDEX layoutsByTrial ON layouts (trial);
CREATE INDEX layoutsByStage ON layouts (stage);

CREATE TABLE stageGroups (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  "index" INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  colour TEXT,
  stages TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(stages))
) STRICT;
CREATE INDEX stageGroupsByTrial ON stageGroups (trial, "index");

-- What participants can read and watch in the app. Each type has its own content: `storedName` (with the facts of the upload),
-- `linkUrl`, `youtubeUrl` or `html`, which holds only what may be shown.
CREATE TABLE participantResources (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  "index" INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type = 'file' OR type = 'link' OR type = 'youtube' OR type = 'video' OR type = 'text'),
  title TEXT NOT NULL,
  description TEXT,
  storedName TEXT,
  originalName TEXT,
  mimeType TEXT,
  size INTEGER,
  linkUrl TEXT,
  youtubeUrl TEXT,
  html TEXT
) STRICT;
CREATE INDEX participantResourcesByTrial ON participantResources (trial, "index");

-- The tasks of staff, on a board of lanes. `index` is 0, 1, 2, … within the trial for lanes, and within the lane for tasks.
-- A lane with tasks cannot be deleted. If a submission caused the task, `participant` is the participant whom it is about,
-- and `scored` lists the data types that counted for it: staff who may not see their answers do not see the task.
CREATE TABLE taskLanes (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  "index" INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  isCompleteLane INTEGER NOT NULL CHECK (isCompleteLane IN (0, 1))
) STRICT;
CREATE INDEX taskLanesByTrial ON taskLanes (trial, "index");

CREATE TABLE tasks (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT,
  completedAt INTEGER,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  taskLane TEXT NOT NULL REFERENCES taskLanes,
  "index" INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'completed')),
  assignees TEXT NOT NULL CHECK (json_valid(assignees)),
  dueDate INTEGER,
  participant TEXT,
  scored TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(scored))
) STRICT;
CREATE INDEX tasksByTrial ON tasks (trial);
CREATE INDEX tasksByParticipant ON tasks (participant) WHERE participant IS NOT NULL;
CREATE INDEX tasksByLane ON tasks (taskLane, "index");
CREATE INDEX tasksByDue ON tasks (trial, dueDate, _id) WHERE status = 'pending' AND dueDate IS NOT NULL;

CREATE TABLE anchors (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT,
  assignmentRule TEXT NOT NULL CHECK (json_valid(assignmentRule))
) STRICT;
CREATE INDEX anchorsByTrial ON anchors (trial);

-- The dates of participants' anchors. `datetime` is NULL if staff cleared it; then no rule sets it again.
CREATE TABLE participantAnchors (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  anchor TEXT NOT NULL REFERENCES anchors ON DELETE CASCADE,
  datetime INTEGER,
  PRIMARY KEY (participant, anchor)
) STRICT, WITHOUT ROWID;
CREATE INDEX participantAnchorsByAnchor ON participantAnchors (anchor);

CREATE TABLE stageOverrides (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  stage TEXT NOT NULL REFERENCES stages (_id) ON DELETE CASCADE,
  stageRecurrence INTEGER NOT NULL,
  enableAt INTEGER NOT NULL,
  applyToAllRecurrences INTEGER NOT NULL CHECK (applyToAllRecurrences IN (0, 1)),
  PRIMARY KEY (participant, stage, stageRecurrence)
) STRICT, WITHOUT ROWID;
CREATE INDEX stageOverridesByStage ON stageOverrides (stage);

-- Links that open one stage without a sign-in. `stageRecurrence` is NULL for an ad hoc stage: each submission is a new one.
CREATE TABLE stageTokens (
  hash TEXT PRIMARY KEY,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  stage TEXT NOT NULL,
  stageRecurrence INTEGER,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX stageTokensByParticipant ON stageTokens (participant);
CREATE INDEX stageTokensByExpiry ON stageTokens (expiresAt);

-- Reminders and notices that were put into the outbox. The row is written in the transaction of the message, so that each
-- message exists once, even after a crash. The occasion is the hour after the stage opened, or `behind`.
CREATE TABLE sentReminders (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  stage TEXT NOT NULL,
  stageRecurrence INTEGER NOT NULL,
  occasion TEXT NOT NULL,
  sentAt INTEGER NOT NULL,
  PRIMARY KEY (participant, stage, stageRecurrence, occasion)
) STRICT, WITHOUT ROWID;

-- The current state of each response; the view `responses` shows it with its values, and with the _id of each thing that it
-- refers to. Its values are those of `submission`, its newest one. `sources` is a JSON list of the submission that each value came
-- from; NULL: all came from that one. `marks` counts verification marks and valid signatures, so that an amendment reads these
-- tables only if there are any. Every submission writes this table and the next: their JSON has no CHECK (measured: a tenth of all
-- work), and they refer by key, which makes an index a third as wide.
CREATE TABLE storedResponses (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  stage INTEGER NOT NULL REFERENCES stages (key) ON DELETE CASCADE,
  stageRecurrence INTEGER NOT NULL,
  participant INTEGER REFERENCES participants (key) ON DELETE CASCADE,
  layout INTEGER NOT NULL,
  submission INTEGER NOT NULL,
  sources TEXT,
  score REAL,
  status TEXT CHECK (status IN ('successful', 'unsuccessful')),
  partialSubmission INTEGER NOT NULL DEFAULT 0 CHECK (partialSubmission IN (0, 1)),
  marks INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX responsesByOccurrence ON storedResponses (participant, stage, stageRecurrence);
CREATE INDEX responsesByStage ON storedResponses (stage, _id);

-- Every submission, append-only; the view `submissions` shows it with its trial, its stage and the _id of its layout, which are
-- kept as long as the trial. "values" is a JSON list of all values of the response after it, in the order of the layout; `fields`
-- lists the positions that it changed (NULL: it is the first). No _id is used again, even after rows were deleted, because the
-- audit trail names them.
CREATE TABLE storedSubmissions (
  _id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  response TEXT NOT NULL,
  stageRecurrence INTEGER NOT NULL,
  participant TEXT,
  layout INTEGER NOT NULL,
  fields TEXT,
  "values" TEXT NOT NULL,
  entered TEXT,
  score REAL,
  partialSubmission INTEGER NOT NULL CHECK (partialSubmission IN (0, 1)),
  createdBy TEXT NOT NULL,
  createdByType TEXT NOT NULL CHECK (createdByType IN ('user', 'participant')),
  address TEXT,
  device TEXT,
  updateNote TEXT
) STRICT;
CREATE INDEX submissionsByResponse ON storedSubmissions (response, _id);

-- Notifications that a submission causes later. Each is put into the outbox when it is due, and is deleted with its response.
CREATE TABLE dueNotifications (
  response TEXT NOT NULL REFERENCES storedResponses (_id) ON DELETE CASCADE,
  component TEXT NOT NULL,
  dueAt INTEGER NOT NULL,
  sentAt INTEGER,
  title TEXT,
  body TEXT NOT NULL,
  reveals TEXT NOT NULL CHECK (json_valid(reveals)),
  PRIMARY KEY (response, component)
) STRICT, WITHOUT ROWID;
CREATE INDEX dueNotificationsByDue ON dueNotifications (dueAt) WHERE sentAt IS NULL;

CREATE TABLE drafts (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  stage TEXT NOT NULL REFERENCES stages (_id) ON DELETE CASCADE,
  stageRecurrence INTEGER NOT NULL,
  author TEXT NOT NULL,
  savedAt INTEGER NOT NULL,
  response TEXT NOT NULL CHECK (json_valid(response)),
  updateNote TEXT,
  PRIMARY KEY (participant, stage, stageRecurrence, author)
) STRICT, WITHOUT ROWID;
CREATE INDEX draftsByStage ON drafts (stage);

-- The responses to writes with an Idempotency-Key, which are returned again if the same write is repeated.
CREATE TABLE idempotencyKeys (
  caller TEXT NOT NULL,
  key TEXT NOT NULL,
  request TEXT NOT NULL,
  access TEXT NOT NULL,
  trial TEXT REFERENCES trials ON DELETE CASCADE,
  participant TEXT REFERENCES participants (_id) ON DELETE CASCADE,
  answer BLOB NOT NULL,
  createdAt INTEGER NOT NULL,
  expiresAt INTEGER,
  PRIMARY KEY (caller, key)
) STRICT;
CREATE INDEX idempotencyKeysByEnd ON idempotencyKeys (expiresAt) WHERE expiresAt IS NOT NULL;
CREATE INDEX idempotencyKeysByTrial ON idempotencyKeys (trial) WHERE trial IS NOT NULL;
CREATE INDEX idempotencyKeysByParticipant ON idempotencyKeys (participant) WHERE participant IS NOT NULL;

-- The audit trail: one chain for each trial (`chain` is the _id of the trial), one for each team, and one for the service.
-- `rows` holds digests of the rows that the act changed. `personal` holds personal information separately, so that it can be hidden, and erased (set to NULL) without breaking the
-- chain, which covers only its hash.
CREATE TABLE auditEntries (
  _id INTEGER PRIMARY KEY,
  chain TEXT NOT NULL,
  number INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  type TEXT NOT NULL,
  userType TEXT NOT NULL CHECK (userType = 'user' OR userType = 'participant' OR userType = 'system'),
  user TEXT,
  userEmail TEXT,
  apiToken TEXT,
  participant TEXT,
  event TEXT NOT NULL CHECK (json_valid(event)),
  address TEXT,
  device TEXT,
  personal TEXT CHECK (json_valid(personal)),
  personalHash TEXT,
  rows TEXT CHECK (json_valid(rows)),
  hash TEXT NOT NULL,
  UNIQUE (chain, number)
) STRICT;
CREATE INDEX auditByUserType ON auditEntries (chain, userType, number);
CREATE INDEX auditByType ON auditEntries (chain, type, number, userType);
-- Not all entries of a participant: most are of submissions, and each would change a page of the index.
CREATE INDEX auditOfPersonal ON auditEntries (participant) WHERE personal IS NOT NULL;
CREATE INDEX auditOfDeletions ON auditEntries (participant) WHERE type LIKE 'delete%';

-- Chains that were deleted with their trial. The entries of no other chain can be deleted.
CREATE TABLE deletedChains (
  chain TEXT PRIMARY KEY,
  deletedAt INTEGER NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How many entries each chain has ever had, and the hash of the last one. If the last entries of a chain are removed, it has
-- fewer entries than this, even after new ones are appended.
CREATE TABLE auditHeads (
  chain TEXT PRIMARY KEY,
  entries INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  kind TEXT NOT NULL,
  user TEXT NOT NULL,
  trial TEXT,
  input TEXT NOT NULL CHECK (json_valid(input)),
  status TEXT NOT NULL CHECK (status = 'pending' OR status = 'done' OR status = 'error'),
  progress TEXT NOT NULL,
  result TEXT CHECK (json_valid(result)),
  error TEXT,
  startedAt INTEGER,
  finishedAt INTEGER
) STRICT;
CREATE INDEX jobsPending ON jobs (status, _id) WHERE status = 'pending';
CREATE INDEX jobsOfTimelines ON jobs (trial, user) WHERE status = 'pending' AND kind = 'timelines';
CREATE INDEX jobsByTrial ON jobs (trial) WHERE trial IS NOT NULL;

-- The progress of a recalculation after a change of configuration: the last participant in it so far, and how many are done.
CREATE TABLE timelineSweeps (
  trial TEXT PRIMARY KEY REFERENCES trials ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  after TEXT NOT NULL,
  done INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Files behind signed URLs: uploads (`finishedAt` is NULL until the bytes are complete), exports, and the study records of
-- locked databases (kind `dataset`), which are kept and backed up like uploads. `isUsed`: a write has named the upload; those
-- that none has named within a day are given up (no `size`) and removed.
CREATE TABLE files (
  storedName TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind = 'upload' OR kind = 'export' OR kind = 'dataset'),
  trial TEXT,
  forType TEXT NOT NULL CHECK (
    forType = 'trial' OR forType = 'participant' OR forType = 'site' OR forType = 'query' OR forType = 'team'
    OR forType = 'user'
  ),
  forId TEXT NOT NULL,
  createdBy TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  size INTEGER,
  sha256 TEXT,
  isUsed INTEGER NOT NULL DEFAULT 0 CHECK (isUsed IN (0, 1)),
  finishedAt INTEGER,
  expiresAt INTEGER
) STRICT, WITHOUT ROWID;
-- Announced uploads, of a trial and of a participant.
CREATE INDEX filesAnnounced ON files (trial, createdAt) WHERE kind = 'upload' AND finishedAt IS NULL;
CREATE INDEX filesAnnouncedByOwner ON files (forType, forId, createdAt) WHERE kind = 'upload' AND finishedAt IS NULL;
CREATE INDEX filesUnused ON files (finishedAt) WHERE kind = 'upload' AND isUsed = 0;
CREATE INDEX filesByExpiry ON files (expiresAt) WHERE expiresAt IS NOT NULL;
CREATE INDEX filesByOwner ON files (forType, forId);
CREATE INDEX filesByTrial ON files (trial) WHERE trial IS NOT NULL;

-- The bytes of uploads, complete or announced, of each trial and each participant (`_id` of either). Triggers keep them.
CREATE TABLE uploadTotals (
  _id TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT,
  participant TEXT,
  user TEXT,
  message TEXT,
  channel TEXT NOT NULL CHECK (channel = 'push' OR channel = 'email' OR channel = 'sms' OR channel = 'whatsapp'),
  recipient TEXT NOT NULL,
  subject TEXT,
  body TEXT NOT NULL,
  isSecret INTEGER NOT NULL DEFAULT 0 CHECK (isSecret IN (0, 1)),
  status TEXT NOT NULL CHECK (
    status = 'notSent' OR status = 'sending' OR status = 'sent' OR status = 'failed' OR status = 'unknown'
    OR status = 'unreachable' OR status = 'expired' OR status = 'handedOver'
  ),
  detail TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  dueAt INTEGER,
  expiresAt INTEGER,
  forms TEXT CHECK (json_valid(forms)),
  appointment TEXT,
  sentAt INTEGER
) STRICT;
CREATE INDEX outboxByAppointment ON outbox (appointment) WHERE appointment IS NOT NULL;
CREATE INDEX outboxByTrial ON outbox (trial, _id);
CREATE INDEX outboxByParticipant ON outbox (participant) WHERE participant IS NOT NULL;
CREATE INDEX outboxByMessage ON outbox (message) WHERE message IS NOT NULL;
-- The communication log: without a filter, and with each of its filters.
CREATE INDEX outboxLog ON outbox (trial, _id) WHERE participant IS NOT NULL;
CREATE INDEX outboxLogByStatus ON outbox (trial, status, _id) WHERE participant IS NOT NULL;
CREATE INDEX outboxLogByChannel ON outbox (trial, channel, _id) WHERE participant IS NOT NULL;
-- Messages that are due, and messages that were being sent when the service stopped.
CREATE INDEX outboxByDue ON outbox (channel, dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX outboxSending ON outbox (_id) WHERE status = 'sending';

-- Versions of the data behind caches, such as access. Triggers replace a version at every change, so that no change can leave
-- a cache out of date. Versions are random: a version from a transaction that was rolled back is not used again.
CREATE TABLE cacheVersions (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- `facets` is the set of properties by which the list of participants can be filtered, as one number: 1 archived,
-- 2 unallocated, 4 withdrawn, 8 joined, 16 behind schedule, 32 unread messages, 64 in no group, 128 never seen. Every index
-- for the list begins with `facets`, and participantCounts has the number of participants for each value. So a filtered list
-- is merged from sorted runs, and its total is a sum of at most 256 numbers. Most submissions do not change `facets`.
CREATE TABLE participantCounts (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  facets INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (trial, facets)
) STRICT, WITHOUT ROWID;

-- Changes of responses other than submissions, append-only: a field was verified, a mark cleared, a status set; the response
-- was signed, moved to a participant, deleted. `participant` is the participant to whom it belonged at that time; `content`
-- has the details. No _id is used again, even after rows were deleted, because the audit trail names them.
CREATE TABLE responseEvents (
  _id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  response TEXT NOT NULL,
  participant TEXT,
  type TEXT NOT NULL CHECK (
    type = 'verified' OR type = 'unverified' OR type = 'cleared' OR type = 'status' OR type = 'signed'
    OR type = 'moved' OR type = 'deleted' OR type = 'ignored'
  ),
  createdBy TEXT NOT NULL,
  createdByType TEXT NOT NULL CHECK (createdByType IN ('user', 'participant')),
  content TEXT NOT NULL CHECK (json_valid(content))
) STRICT;
CREATE INDEX responseEventsByResponse ON responseEvents (response, _id);
CREATE INDEX responseEventsByTrial ON responseEvents (trial, type);
CREATE INDEX responseEventsByParticipant ON responseEvents (participant) WHERE type = 'deleted';

-- Source verification: fields that somebody compared with their source. If a field changes, its mark is deleted.
CREATE TABLE verifications (
  response TEXT NOT NULL REFERENCES storedResponses (_id) ON DELETE CASCADE,
  dataType TEXT NOT NULL,
  verifiedAt INTEGER NOT NULL,
  verifiedBy TEXT NOT NULL,
  PRIMARY KEY (response, dataType)
) STRICT, WITHOUT ROWID;

-- Signatures, which are never changed. If a signed response changes, the signature no longer covers it (`endedAt` below).
CREATE TABLE signatures (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  isCasebook INTEGER NOT NULL CHECK (isCasebook IN (0, 1)),
  meaning TEXT NOT NULL,
  user TEXT NOT NULL,
  userName TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX signaturesByParticipant ON signatures (participant, _id);

-- `endedAt` is when the response changed after it was signed; NULL as long as the signature is valid for it.
CREATE TABLE signedResponses (
  signature TEXT NOT NULL REFERENCES signatures ON DELETE CASCADE,
  response TEXT NOT NULL,
  hash TEXT NOT NULL,
  endedAt INTEGER,
  PRIMARY KEY (signature, response)
) STRICT, WITHOUT ROWID;
CREATE INDEX signedResponsesByResponse ON signedResponses (response);

-- Data queries. `raisedBy` is NULL if a rule raised the query, which happens once for each response, field, rule and value
-- (`fingerprint`). Queries are kept after their response is deleted, as its history is, and are deleted with the participant.
CREATE TABLE queries (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT REFERENCES participants (_id) ON DELETE CASCADE,
  response TEXT NOT NULL,
  dataType TEXT,
  status TEXT NOT NULL CHECK (status = 'open' OR status = 'answered' OR status = 'closed'),
  assignees TEXT NOT NULL CHECK (json_valid(assignees)),
  raisedBy TEXT,
  rule TEXT,
  instructions TEXT,
  fingerprint TEXT UNIQUE
) STRICT;
CREATE INDEX queriesByTrial ON queries (trial, _id);
CREATE INDEX queriesByStatus ON queries (trial, status, _id);
CREATE INDEX queriesByParticipant ON queries (participant);
CREATE INDEX queriesByResponse ON queries (response);

CREATE TABLE queryMessages (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  query TEXT NOT NULL REFERENCES queries ON DELETE CASCADE,
  user TEXT,
  text TEXT NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments))
) STRICT;
CREATE INDEX queryMessagesByQuery ON queryMessages (query, _id);

-- The thread of each participant with the team, in the order of `number`. A message is never changed; only its content can be
-- erased. `user` is the account that wrote it, also for a notification to many; NULL if the participant or the system did.
CREATE TABLE messages (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  isAutomatic INTEGER NOT NULL CHECK (isAutomatic IN (0, 1)),
  type TEXT NOT NULL CHECK (
    type = 'message' OR type = 'notification' OR type = 'onSubmit' OR type = 'scheduledNotification'
    OR type = 'reminder' OR type = 'notice' OR type = 'appointment'
  ),
  user TEXT,
  title TEXT,
  message TEXT NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments)),
  reveals TEXT NOT NULL CHECK (json_valid(reveals))
) STRICT;
CREATE UNIQUE INDEX messagesByThread ON messages (participant, isAutomatic, number);

-- Each time that a reader read messages that they had not read: the number of the last one. `reader` is the participant, an
-- account, or `team`, which has a row each time that the first account of the team came so far.
CREATE TABLE messageReads (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  reader TEXT NOT NULL,
  upTo INTEGER NOT NULL,
  readAt INTEGER NOT NULL,
  PRIMARY KEY (participant, reader, upTo)
) STRICT, WITHOUT ROWID;

-- The participants that a notification to many, which is a job, has still to reach. The row is deleted in the transaction of
-- the message, so that each message exists once, even after a crash.
CREATE TABLE notificationQueue (
  job TEXT NOT NULL,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  PRIMARY KEY (job, participant)
) STRICT, WITHOUT ROWID;
CREATE INDEX notificationQueueByParticipant ON notificationQueue (participant);

-- The position that background work has reached, by the name of the work.
CREATE TABLE cursors (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- For each trial that has automatic queries switched on, the first submission that their rules apply to.
CREATE TABLE automaticQueryStarts (
  trial TEXT PRIMARY KEY REFERENCES trials ON DELETE CASCADE,
  submission INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Snapshots of the configuration, taken by hand and at each lock. They are never changed, and are deleted only with the trial.
CREATE TABLE configurationVersions (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  number INTEGER NOT NULL,
  user TEXT NOT NULL,
  userEmail TEXT NOT NULL,
  "trigger" TEXT NOT NULL CHECK ("trigger" = 'manual' OR "trigger" = 'lock' OR "trigger" = 'databaseLock'),
  note TEXT,
  hash TEXT NOT NULL,
  snapshot TEXT NOT NULL CHECK (json_valid(snapshot)),
  UNIQUE (trial, number)
) STRICT;

-- The study record that each lock of a database creates. `sha256`, `size` and `counts` are NULL until it is written.
CREATE TABLE lockedDatasets (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  user TEXT NOT NULL,
  userEmail TEXT NOT NULL,
  version INTEGER NOT NULL,
  job TEXT NOT NULL UNIQUE,
  storedName TEXT NOT NULL,
  name TEXT NOT NULL,
  size INTEGER,
  sha256 TEXT,
  counts TEXT CHECK (json_valid(counts))
) STRICT;
CREATE INDEX lockedDatasetsByTrial ON lockedDatasets (trial, createdAt, _id);

-- Notes of staff about a participant. `inRelationToDate` is a day, `YYYY-MM-DD`.
CREATE TABLE notes (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  note TEXT NOT NULL,
  inRelationToDate TEXT
) STRICT;
CREATE INDEX notesByParticipant ON notes (participant, _id);
CREATE INDEX notesByTrial ON notes (trial);

-- Events and meetings of a participant. A cancelled one is kept, so that calendars show that it is cancelled. `remindersDueAt`
-- only selects what to look at: 0 after the zone changed of the participant or the trial.
CREATE TABLE appointments (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  isMeeting INTEGER NOT NULL CHECK (isMeeting IN (0, 1)),
  title TEXT NOT NULL,
  description TEXT,
  startsAt INTEGER NOT NULL,
  duration INTEGER,
  personnel TEXT NOT NULL CHECK (json_valid(personnel)),
  scheduledAt INTEGER NOT NULL,
  sequence INTEGER NOT NULL DEFAULT 0,
  cancelledAt INTEGER,
  remindersDueAt INTEGER
) STRICT;
CREATE INDEX appointmentsByParticipant ON appointments (participant, startsAt, _id);
CREATE INDEX appointmentsByTime ON appointments (trial, isMeeting, startsAt, _id);
CREATE INDEX appointmentsByRemindersDue ON appointments (remindersDueAt) WHERE remindersDueAt IS NOT NULL;

-- Reminders of appointments that were put into the outbox. The row is written in the transaction of the message, so that each
-- is sent once for each time that the appointment had, even after a crash.
CREATE TABLE sentAppointmentReminders (
  appointment TEXT NOT NULL REFERENCES appointments ON DELETE CASCADE,
  startsAt INTEGER NOT NULL,
  occasion TEXT NOT NULL CHECK (occasion IN ('day', 'hour')),
  audience TEXT NOT NULL CHECK (audience IN ('participant', 'personnel')),
  sentAt INTEGER NOT NULL,
  PRIMARY KEY (appointment, startsAt, occasion, audience)
) STRICT, WITHOUT ROWID;

-- Secret links to calendars: of a participant, or of a member of staff (`user`) in a trial. A new link replaces the old one.
CREATE TABLE calendarLinks (
  hash TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT REFERENCES participants (_id) ON DELETE CASCADE,
  user TEXT REFERENCES users ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX calendarLinksByParticipant ON calendarLinks (participant) WHERE participant IS NOT NULL;
CREATE UNIQUE INDEX calendarLinksByUser ON calendarLinks (user, trial) WHERE user IS NOT NULL;
CREATE INDEX calendarLinksByTrial ON calendarLinks (trial);

-- When the occurrences `first` to `last` of a stage open for a participant: n at the reading `origin` + n × the frequency of
-- the stage of the clocks in `zone`, and the first of them exactly at `firstAt`. A submission writes here only if another
-- stage waits for it. So the schedule of a trial finds all occurrences of a day without reading every participant.
CREATE TABLE scheduleRuns (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  stage TEXT NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  zone TEXT NOT NULL,
  origin INTEGER NOT NULL,
  firstAt INTEGER NOT NULL,
  PRIMARY KEY (participant, stage, first)
) STRICT, WITHOUT ROWID;
CREATE INDEX scheduleRunsByTime ON scheduleRuns (stage, zone, origin, participant, first, last, firstAt);
