-- The trial office: files, packs, randomisation, monitoring and messages of sites.

-- Files of the trial master file

-- A file of a site, or of the whole trial if `site` is NULL; a site with files is not deleted. `folded` is the name as a search
-- compares it. `latest` is the number of the newest version, 0 without one, and `status` is that version's. `approved` is the
-- number of the newest approved version. Triggers keep these three.
CREATE TABLE masterFiles (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT REFERENCES sites,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  type TEXT NOT NULL CHECK (
    type = 'protocol' OR type = 'amendments' OR type = 'crf' OR type = 'contract' OR type = 'correspondence'
    OR type = 'cv' OR type = 'ethics' OR type = 'financial' OR type = 'hra' OR type = 'laboratory' OR type = 'legal'
    OR type = 'managementDocumentation' OR type = 'monitoringAndAudit' OR type = 'participants' OR type = 'plans'
    OR type = 'regulatory' OR type = 'reports' OR type = 'researchAndDevelopment' OR type = 'sop' OR type = 'staff'
    OR type = 'workingInstruction' OR type = 'draft' OR type = 'other'
  ),
  description TEXT,
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  assignees TEXT NOT NULL CHECK (json_valid(assignees)),
  latest INTEGER NOT NULL DEFAULT 0,
  status TEXT CHECK (status = 'draft' OR status = 'approved' OR status = 'rejected'),
  approved INTEGER
) STRICT;
-- The list of a trial, and with each of its filters.
CREATE INDEX masterFilesByTrial ON masterFiles (trial, _id, folded);
CREATE INDEX masterFilesOfTrial ON masterFiles (trial, _id) WHERE site IS NULL;
CREATE INDEX masterFilesBySite ON masterFiles (site, _id) WHERE site IS NOT NULL;
CREATE INDEX masterFilesByType ON masterFiles (trial, type, _id);
CREATE INDEX masterFilesByStatus ON masterFiles (trial, status, _id);
CREATE INDEX masterFilesApproved ON masterFiles (trial, _id) WHERE approved IS NOT NULL;

-- The tags and the assignees of files, by which lists are filtered. They repeat what the rows of the files hold.
CREATE TABLE masterFileTags (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  tag TEXT NOT NULL,
  file TEXT NOT NULL REFERENCES masterFiles ON DELETE CASCADE,
  PRIMARY KEY (trial, tag, file)
) STRICT, WITHOUT ROWID;
CREATE INDEX masterFileTagsByFile ON masterFileTags (file);
CREATE TABLE masterFileAssignees (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  user TEXT NOT NULL,
  file TEXT NOT NULL REFERENCES masterFiles ON DELETE CASCADE,
  PRIMARY KEY (trial, user, file)
) STRICT, WITHOUT ROWID;
CREATE INDEX masterFileAssigneesByFile ON masterFileAssignees (file);

-- The versions of a file, numbered from 1. They are not changed, but for `status`, and when and by whom it was set. Versions
-- of several files may have the same bytes, as those of copies do. `expiresAt` is a day, such as the end of an approval.
CREATE TABLE masterFileVersions (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  file TEXT NOT NULL REFERENCES masterFiles ON DELETE CASCADE,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  storedName TEXT NOT NULL,
  originalName TEXT NOT NULL,
  mimeType TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  uploader TEXT NOT NULL,
  uploaderName TEXT NOT NULL,
  expiresAt TEXT,
  status TEXT NOT NULL CHECK (status = 'draft' OR status = 'approved' OR status = 'rejected'),
  statusAt INTEGER NOT NULL,
  statusBy TEXT NOT NULL,
  UNIQUE (file, number)
) STRICT;
CREATE INDEX masterFileVersionsByTrial ON masterFileVersions (trial, file, number);
CREATE INDEX masterFileVersionsByStoredName ON masterFileVersions (storedName);

-- Approvals of files

-- Text and search of files

-- Packs

-- What kinds of packs a trial has. `extendedFields` is a list of {key, label, type}: fields that its packs have besides their own.
CREATE TABLE packTypes (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT,
  standardFields TEXT NOT NULL CHECK (json_valid(standardFields)),
  extendedFields TEXT NOT NULL CHECK (json_valid(extendedFields))
) STRICT;
CREATE INDEX packTypesByTrial ON packTypes (trial, _id);

-- `state` and `assignedToSite` follow the events of the pack, as its last event says. `assignedToSite` is NULL at trial level.
-- `participant` stays after a return or loss: only taking the assignment back empties it. There is no reference to participants:
-- the deletion of a trial begins with them, and the deletion of a single participant with packs is refused.
CREATE TABLE packs (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  packType TEXT NOT NULL REFERENCES packTypes,
  name TEXT,
  batchNumber TEXT,
  expiryDate TEXT,
  extended TEXT NOT NULL CHECK (json_valid(extended)),
  assignedToSite TEXT REFERENCES sites,
  availableToAllGroups INTEGER NOT NULL CHECK (availableToAllGroups IN (0, 1)),
  availableToGroups TEXT NOT NULL CHECK (json_valid(availableToGroups)),
  state TEXT NOT NULL CHECK (
    state = 'inStock' OR state = 'quarantined' OR state = 'dispensed' OR state = 'returned' OR state = 'lost'
    OR state = 'damaged' OR state = 'destroyed'
  ),
  participant TEXT,
  assignedAt INTEGER,
  unitsReturned INTEGER,
  searchText TEXT NOT NULL
) STRICT;
-- Each filter of the list reads sorted ranges of one of these: all states of a type, or of a type at a place, are merged.
CREATE INDEX packsByTrial ON packs (trial, _id, searchText);
CREATE INDEX packsByState ON packs (trial, state, _id);
CREATE INDEX packsByType ON packs (packType, state, _id);
CREATE INDEX packsBySite ON packs (assignedToSite, packType, state, _id);
CREATE INDEX packsByExpiry ON packs (trial, expiryDate, _id) WHERE expiryDate IS NOT NULL;
CREATE INDEX packsByParticipant ON packs (participant, assignedAt, _id) WHERE participant IS NOT NULL;
-- The order in which packs are given out: the earliest expiry date first, those without one last, then by name.
CREATE INDEX packsInStock ON packs (
  packType, assignedToSite, coalesce(expiryDate, '9999-12-31'), coalesce(name, ''), _id
) WHERE state = 'inStock';

-- The chain of custody of each pack, append-only. `state` and `site` are those after the event, `fromSite` where a moved pack was
-- before; `packType` is here so that the counts of a place need no other table.
CREATE TABLE packEvents (
  pack TEXT NOT NULL REFERENCES packs ON DELETE CASCADE,
  _id TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  occurredAt INTEGER NOT NULL,
  packType TEXT NOT NULL,
  type TEXT NOT NULL CHECK (
    type = 'received' OR type = 'moved' OR type = 'temperatureExcursion' OR type = 'quarantined' OR type = 'released'
    OR type = 'lost' OR type = 'found' OR type = 'damaged' OR type = 'dispensed' OR type = 'unassigned'
    OR type = 'returned' OR type = 'destroyed'
  ),
  state TEXT NOT NULL CHECK (
    state = 'inStock' OR state = 'quarantined' OR state = 'dispensed' OR state = 'returned' OR state = 'lost'
    OR state = 'damaged' OR state = 'destroyed'
  ),
  site TEXT REFERENCES sites,
  fromSite TEXT,
  participant TEXT,
  reason TEXT,
  units INTEGER,
  lowestTemperature REAL,
  highestTemperature REAL,
  minutes INTEGER,
  PRIMARY KEY (pack, _id)
) STRICT, WITHOUT ROWID;
CREATE INDEX packEventsBySite ON packEvents (site, packType, type);
CREATE INDEX packEventsByOrigin ON packEvents (fromSite, packType) WHERE type = 'moved';
CREATE INDEX packEventsByParticipant ON packEvents (participant) WHERE participant IS NOT NULL;

-- Randomisation

-- Monitoring of sites

-- The fields of a response that have an entry: answers, and blanks that replaced an answer. Source verification is a share of them.
ALTER TABLE storedResponses ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
UPDATE storedResponses SET entries = (
  SELECT count(*) FROM storedSubmissions m, json_each(m."values") v
  WHERE m._id = storedResponses.submission AND (v.type <> 'null' OR EXISTS (
    SELECT 1 FROM storedSubmissions f WHERE f._id = storedResponses.sources ->> v.key AND f.fields IS NOT NULL))
);

-- What a site has reached, which triggers keep: participants who are not archived, fields with an entry, and verified ones.
CREATE TABLE siteFigures (
  site TEXT PRIMARY KEY REFERENCES sites ON DELETE CASCADE,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  enrolled INTEGER NOT NULL DEFAULT 0,
  fields INTEGER NOT NULL DEFAULT 0,
  verified INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX siteFiguresByTrial ON siteFigures (trial);
INSERT INTO siteFigures (site, trial, enrolled, fields, verified)
SELECT
  _id,
  trial,
  (SELECT count(*) FROM participantSites m JOIN participants p ON p._id = m.participant
    WHERE m.site = sites._id AND p.isArchived = 0),
  (SELECT coalesce(sum(r.entries), 0) FROM participantSites m JOIN participants p ON p._id = m.participant
    JOIN storedResponses r ON r.participant = p.key WHERE m.site = sites._id),
  (SELECT count(*) FROM participantSites m JOIN participants p ON p._id = m.participant
    JOIN storedResponses r ON r.participant = p.key JOIN verifications v ON v.response = r._id WHERE m.site = sites._id)
FROM sites;

-- Those participants by the month (UTC, YYYY-MM) of their registration.
CREATE TABLE siteEnrolment (
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  month TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  enrolled INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (site, month)
) STRICT, WITHOUT ROWID;
CREATE INDEX siteEnrolmentByTrial ON siteEnrolment (trial, site, month);
INSERT INTO siteEnrolment (site, month, trial, enrolled)
SELECT m.site, strftime('%Y-%m', p.createdAt / 1000000, 'unixepoch'), p.trial, count(*)
FROM participantSites m JOIN participants p ON p._id = m.participant WHERE p.isArchived = 0 GROUP BY 1, 2;

-- How many participants a site is to enrol; no row if nobody has said it.
CREATE TABLE siteTargets (
  site TEXT PRIMARY KEY REFERENCES sites ON DELETE CASCADE,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  enrolmentTarget INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX siteTargetsByTrial ON siteTargets (trial);

-- The fields that were marked as verified at a site in each hour since 1970. Marks that are cleared later still count.
CREATE TABLE siteVerifications (
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  verified INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (site, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX siteVerificationsByTrial ON siteVerifications (trial);

-- Visits and their issues stay as long as their site: it cannot be deleted while it has any. `atCompletion`: the figures of the
-- site when the visit was completed.
CREATE TABLE monitoringVisits (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT NOT NULL REFERENCES sites,
  id TEXT NOT NULL COLLATE NOCASE,
  category TEXT NOT NULL CHECK (category IN ('mv', 'ssv')),
  priority TEXT CHECK (priority = 'low' OR priority = 'medium' OR priority = 'high'),
  status TEXT NOT NULL CHECK (status IN ('pending', 'completed')),
  scheduledAt INTEGER,
  completedAt INTEGER,
  duration INTEGER,
  assignees TEXT NOT NULL CHECK (json_valid(assignees)),
  notes TEXT,
  atCompletion TEXT CHECK (json_valid(atCompletion)),
  UNIQUE (site, id)
) STRICT;
CREATE INDEX monitoringVisitsByTime ON monitoringVisits (trial, scheduledAt, _id);
CREATE INDEX monitoringVisitsBySite ON monitoringVisits (site, _id);
CREATE INDEX monitoringVisitsByCompletion ON monitoringVisits (site, completedAt, _id);

CREATE TABLE siteIssues (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT NOT NULL REFERENCES sites,
  visit TEXT NOT NULL REFERENCES monitoringVisits,
  name TEXT NOT NULL,
  category TEXT CHECK (category = 'informedConsent' OR category = 'eSource' OR category = 'ePro'),
  severity TEXT CHECK (severity = 'minor' OR severity = 'major' OR severity = 'critical'),
  status TEXT NOT NULL CHECK (status IN ('resolved', 'unresolved')),
  gcpNonCompliance INTEGER NOT NULL DEFAULT 0 CHECK (gcpNonCompliance IN (0, 1)),
  protocolNonCompliance INTEGER NOT NULL DEFAULT 0 CHECK (protocolNonCompliance IN (0, 1)),
  assignees TEXT NOT NULL CHECK (json_valid(assignees)),
  resolvedAt INTEGER,
  resolvedBy TEXT
) STRICT;
CREATE INDEX siteIssuesByTrial ON siteIssues (trial);
CREATE INDEX siteIssuesByVisit ON siteIssues (visit, _id);
CREATE INDEX siteIssuesOpenByVisit ON siteIssues (visit) WHERE status = 'unresolved';
CREATE INDEX siteIssuesOpen ON siteIssues (site, _id) WHERE status = 'unresolved';
CREATE INDEX siteIssuesBySite ON siteIssues (site, _id);

-- Delegation and training

-- Who may do what at a site. An entry is not changed; only its end is set, once (triggers see to it).
CREATE TABLE delegations (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT NOT NULL REFERENCES sites,
  user TEXT NOT NULL,
  userName TEXT NOT NULL,
  role TEXT NOT NULL CHECK (
    role = 'principalInvestigator' OR role = 'subInvestigator' OR role = 'studyCoordinator'
    OR role = 'studyNurse' OR role = 'pharmacist' OR role = 'laboratoryStaff'
    OR role = 'dataEntry' OR role = 'other'
  ),
  tasks TEXT NOT NULL CHECK (json_valid(tasks)),
  otherTasks TEXT,
  startsOn TEXT NOT NULL,
  endsOn TEXT,
  endedAt INTEGER,
  endedBy TEXT,
  endReason TEXT
) STRICT;
CREATE INDEX delegationsByTrial ON delegations (trial);
CREATE INDEX delegationsBySite ON delegations (site, _id);
CREATE INDEX delegationsByUser ON delegations (site, user);
CREATE INDEX delegationsOfInvestigators ON delegations (site, startsOn) WHERE role = 'principalInvestigator';

-- The signatures on an entry, of the person and of the principal investigator; they are never changed.
CREATE TABLE delegationSignatures (
  delegation TEXT NOT NULL REFERENCES delegations ON DELETE CASCADE,
  signedAs TEXT NOT NULL CHECK (signedAs IN ('person', 'investigator')),
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  user TEXT NOT NULL,
  userName TEXT NOT NULL,
  signedAt INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (delegation, signedAs)
) STRICT, WITHOUT ROWID;
CREATE INDEX delegationSignaturesByTrial ON delegationSignatures (trial);

-- Which training each person of a site has. An entry made in error is struck out with a reason, and stays.
CREATE TABLE trainings (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT NOT NULL REFERENCES sites,
  user TEXT NOT NULL,
  userName TEXT NOT NULL,
  training TEXT NOT NULL,
  provider TEXT,
  trainedOn TEXT NOT NULL,
  expiresOn TEXT,
  certificate TEXT,
  struckAt INTEGER,
  struckBy TEXT,
  struckReason TEXT
) STRICT;
CREATE INDEX trainingsByTrial ON trainings (trial);
CREATE INDEX trainingsBySite ON trainings (site, _id);
CREATE INDEX trainingsByUser ON trainings (site, user, trainedOn, _id);

-- Messages of sites

-- The message board of each site, in the order of `number`, which is 1 for the first message and has no gaps. A message is never
-- changed; only its content can be erased. `userNumber` is the same count for the messages of its author on this board: with both, the number of unread messages
-- is a difference of four numbers, each found by index, however many messages there are. `broadcast` is the same in every message
-- of one broadcast.
CREATE TABLE siteMessages (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  number INTEGER NOT NULL,
  user TEXT NOT NULL,
  userNumber INTEGER NOT NULL,
  message TEXT NOT NULL,
  attachments TEXT NOT NULL CHECK (json_valid(attachments)),
  broadcast TEXT,
  erasedAt INTEGER
) STRICT;
CREATE UNIQUE INDEX siteMessagesByBoard ON siteMessages (site, number);
CREATE UNIQUE INDEX siteMessagesByUser ON siteMessages (site, user, number);
CREATE INDEX siteMessagesByBroadcast ON siteMessages (broadcast) WHERE broadcast IS NOT NULL;

-- Each time that an account read messages of a board that it had not read: the number of the last one.
CREATE TABLE siteMessageReads (
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  user TEXT NOT NULL,
  upTo INTEGER NOT NULL,
  readAt INTEGER NOT NULL,
  PRIMARY KEY (site, user, upTo)
) STRICT, WITHOUT ROWID;

-- The boards with messages whose readers have not been noted for an e-mail yet: those after the number `after`.
CREATE TABLE siteMessageQueue (
  site TEXT PRIMARY KEY REFERENCES sites ON DELETE CASCADE,
  after INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What each account was told of a board by e-mail: messages up to `toldUpTo`, the last time at `mailedAt`. `dueAt` is when it is
-- told of what came since; NULL if nothing did.
CREATE TABLE siteMessageMails (
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  user TEXT NOT NULL,
  toldUpTo INTEGER NOT NULL,
  mailedAt INTEGER,
  dueAt INTEGER,
  PRIMARY KEY (site, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX siteMessageMailsByDue ON siteMessageMails (dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX siteMessageMailsByUser ON siteMessageMails (user, dueAt) WHERE dueAt IS NOT NULL;
