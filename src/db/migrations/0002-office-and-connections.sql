-- The trial office (files, packs, randomisation, monitoring and messages of sites), and what connects a study with others: wearables,
-- foods, incentives, insights, webhooks.

-- Files of the trial master file

-- A file of a site, or of the whole trial if `site` is NULL; a site with files is not deleted. `folded` is the name as a search
-- compares it. `latest` is the number of the newest version, 0 without one, and `status` is that version's. `approved` is the
-- number of the newest approved version, and `approvedUntil` the last day on which that is valid, 9999-12-31 without one. Triggers
-- keep these four.
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
  approved INTEGER,
  approvedUntil TEXT
) STRICT;
-- The list of a trial, and with each of its filters.
CREATE INDEX masterFilesByTrial ON masterFiles (trial, _id, folded);
CREATE INDEX masterFilesOfTrial ON masterFiles (trial, _id) WHERE site IS NULL;
CREATE INDEX masterFilesBySite ON masterFiles (site, _id) WHERE site IS NOT NULL;
CREATE INDEX masterFilesByType ON masterFiles (trial, type, _id);
CREATE INDEX masterFilesByStatus ON masterFiles (trial, status, _id);
CREATE INDEX masterFilesApproved ON masterFiles (trial, _id) WHERE approved IS NOT NULL;
-- The checklist finds the files of a place (a site, or the whole trial) by type and by the beginning of the name.
CREATE INDEX masterFilesByPlace ON masterFiles (coalesce(site, trial), type, approvedUntil, _id);
CREATE INDEX masterFilesByPlaceName ON masterFiles (coalesce(site, trial), folded, approvedUntil, _id);

-- The tags and the assignees of files, by which lists are filtered. They repeat what the rows of the files hold; `place` is the
-- site of the file, or its trial.
CREATE TABLE masterFileTags (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  tag TEXT NOT NULL,
  file TEXT NOT NULL REFERENCES masterFiles ON DELETE CASCADE,
  place TEXT NOT NULL,
  PRIMARY KEY (trial, tag, file)
) STRICT, WITHOUT ROWID;
CREATE INDEX masterFileTagsByFile ON masterFileTags (file);
CREATE INDEX masterFileTagsByPlace ON masterFileTags (place, tag, file);
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

-- Essential records that a trial or a site does not need, with the reason. Of a record that each site has, a `site` of NULL means
-- all sites.
CREATE TABLE recordExemptions (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  createdByName TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT REFERENCES sites ON DELETE CASCADE,
  record TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX recordExemptionsByPlace ON recordExemptions (trial, coalesce(site, trial), record);
CREATE INDEX recordExemptionsBySite ON recordExemptions (site) WHERE site IS NOT NULL;

-- Approvals of files

-- A request to approve the version that was the newest of its file. A file has one open request at most; a trigger ends it as
-- `stale` when a version is added. The links of its approvers end at `linksUntil`, and with the request.
CREATE TABLE fileApprovals (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  file TEXT NOT NULL REFERENCES masterFiles ON DELETE CASCADE,
  version TEXT NOT NULL REFERENCES masterFileVersions ON DELETE CASCADE,
  message TEXT,
  linksUntil INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (
    status = 'open' OR status = 'approved' OR status = 'rejected' OR status = 'withdrawn' OR status = 'stale'
  ),
  endedAt INTEGER
) STRICT;
CREATE INDEX fileApprovalsByTrial ON fileApprovals (trial, file, _id);
CREATE INDEX fileApprovalsByFile ON fileApprovals (file, _id);
CREATE INDEX fileApprovalsByVersion ON fileApprovals (version);
CREATE UNIQUE INDEX fileApprovalsOpen ON fileApprovals (file) WHERE status = 'open';

-- Who is asked: a person with an account, or one with an e-mail address alone. `hash` is the SHA-256 of the token of their link.
CREATE TABLE fileApprovers (
  _id TEXT PRIMARY KEY,
  approval TEXT NOT NULL REFERENCES fileApprovals ON DELETE CASCADE,
  user TEXT,
  email TEXT NOT NULL,
  name TEXT,
  role TEXT,
  hash TEXT NOT NULL UNIQUE,
  decision TEXT CHECK (decision IN ('approved', 'rejected')),
  decidedAt INTEGER,
  comment TEXT,
  byLink INTEGER CHECK (byLink IN (0, 1)),
  mayApprove INTEGER CHECK (mayApprove IN (0, 1))
) STRICT;
CREATE INDEX fileApproversByApproval ON fileApprovers (approval, _id);

-- Text and search of files

-- The number of each file in the index of words; a version has that number times 1024, plus its own.
CREATE TABLE masterFileKeys (
  key INTEGER PRIMARY KEY,
  file TEXT NOT NULL UNIQUE REFERENCES masterFiles ON DELETE CASCADE
) STRICT;

-- Texts that were read in documents. Versions with the same bytes in a trial share one; it goes with the last of them.
CREATE TABLE masterFileTexts (
  key INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  isCut INTEGER NOT NULL CHECK (isCut IN (0, 1))
) STRICT;

-- What became of the text of each version. `dueAt` is when background work looks at the version again: to read its document, or
-- to put its words into the index; NULL if there is nothing left to do. `problem` says why a document could not be read.
CREATE TABLE masterFileVersionTexts (
  key INTEGER PRIMARY KEY,
  version TEXT NOT NULL UNIQUE REFERENCES masterFileVersions ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state = 'waiting' OR state = 'read' OR state = 'none' OR state = 'failed'),
  problem TEXT,
  text INTEGER REFERENCES masterFileTexts,
  attempts INTEGER NOT NULL DEFAULT 0,
  dueAt INTEGER
) STRICT;
CREATE INDEX masterFileVersionTextsByText ON masterFileVersionTexts (text) WHERE text IS NOT NULL;
CREATE INDEX masterFileVersionTextsByDue ON masterFileVersionTexts (dueAt, key) WHERE dueAt IS NOT NULL;
CREATE INDEX masterFileVersionsByBytes ON masterFileVersions (trial, sha256);

-- The index of words: those of the names and tags of files, and those of versions. The texts themselves are not stored in it. Each
-- word begins with five characters for its trial, so that a search reads the words of one trial only. The
-- prefixes of eight and nine characters are those of three and four letters. A deleted row stays in the pages of the index until background work merges them: the
-- automatic merges of deletions are off, since they would make the deletion of a trial slow.
CREATE VIRTUAL TABLE masterFileNameWords USING fts5 (
  words, tagWords, place, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '8 9'
);
CREATE VIRTUAL TABLE masterFileTextWords USING fts5 (
  words, place, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '8 9'
);
INSERT INTO masterFileNameWords (masterFileNameWords, rank) VALUES ('deletemerge', 0);
INSERT INTO masterFileTextWords (masterFileTextWords, rank) VALUES ('deletemerge', 0);

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
-- the deletion of a trial begins with them, and the deletion of a single participant with packs is refused. `key` is the number of the
-- pack in the index of trigrams.
CREATE TABLE packs (
  key INTEGER PRIMARY KEY,
  _id TEXT NOT NULL UNIQUE,
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
  searchText TEXT NOT NULL,
  import TEXT
) STRICT;
-- Imports whose packs are being written, or were left by one that failed: nobody sees these packs, which name it in `import`. The row
-- is deleted when all are written; those that are left after `until` are deleted in the background.
CREATE TABLE packImports (
  _id TEXT PRIMARY KEY,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX packImportsByTrial ON packImports (trial);
-- Each filter of the list reads sorted ranges of one of these: all states of a type, or of a type at a place, are merged.
CREATE INDEX packsByTrial ON packs (trial, _id, searchText);
CREATE INDEX packsByState ON packs (trial, state, _id);
CREATE INDEX packsByType ON packs (packType, state, _id);
CREATE INDEX packsBySite ON packs (assignedToSite, packType, state, _id);
-- The same for what expires before a day.
CREATE INDEX packsByStateExpiry ON packs (trial, state, expiryDate, _id, searchText) WHERE expiryDate IS NOT NULL;
CREATE INDEX packsByTypeExpiry ON packs (packType, state, expiryDate, _id) WHERE expiryDate IS NOT NULL;
CREATE INDEX packsBySiteExpiry ON packs (assignedToSite, packType, state, expiryDate, _id) WHERE expiryDate IS NOT NULL;
CREATE INDEX packsByParticipant ON packs (participant, assignedAt, _id) WHERE participant IS NOT NULL;
-- The order in which packs are given out: the earliest expiry date first, those without one last, then by name.
CREATE INDEX packsInStock ON packs (
  packType, assignedToSite, coalesce(expiryDate, '9999-12-31'), coalesce(name, ''), _id
) WHERE state = 'inStock';

-- The index of packs: each three characters in a row of `searchText`, with five characters for the trial before them, so that a search
-- reads those of one trial only. The row of a negative number is there while the index has all packs. As in the index of words, a
-- deleted row stays in the pages until background work merges them.
CREATE VIRTUAL TABLE packTrigrams USING fts5 (
  trigrams, content = '', contentless_delete = 1, tokenize = 'ascii', detail = 'none'
);
INSERT INTO packTrigrams (packTrigrams, rank) VALUES ('deletemerge', 0);

-- The chain of custody of each pack, append-only. `state` and `site` are those after the event, `fromSite` where a moved pack was
-- before; `packType` is here so that the counts of a place need no other table.
CREATE TABLE packEvents (
  pack TEXT NOT NULL REFERENCES packs (_id) ON DELETE CASCADE,
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

-- After it is sealed, only its state and the people who are told of an unblinding change. `nonce`: random text in the
-- committed document, so that nobody can find the list by hashing guesses.
CREATE TABLE randomisations (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'draft' OR status = 'sealed' OR status = 'closed'),
  method TEXT NOT NULL CHECK (
    method = 'simple' OR method = 'permutedBlocks' OR method = 'stratified' OR method = 'minimisation' OR method = 'list'
  ),
  isBlinded INTEGER NOT NULL CHECK (isBlinded IN (0, 1)),
  blockSizes TEXT NOT NULL CHECK (json_valid(blockSizes)),
  listLength INTEGER NOT NULL,
  factors TEXT NOT NULL CHECK (json_valid(factors)),
  preferredPercent INTEGER NOT NULL,
  eligibility TEXT CHECK (json_valid(eligibility)),
  unblindingRecipients TEXT NOT NULL CHECK (json_valid(unblindingRecipients)),
  seed TEXT,
  list TEXT,
  nonce TEXT,
  commitment TEXT,
  sealedAt INTEGER,
  sealedBy TEXT,
  closedAt INTEGER,
  unblindedAt INTEGER
) STRICT;
CREATE INDEX randomisationsByTrial ON randomisations (trial);

-- `isConcealed`: the arm of a blinded randomisation that is not unblinded yet. Its group and pack type are hidden from everybody
-- without trial.readRandomisation.
CREATE TABLE randomisationArms (
  _id TEXT PRIMARY KEY,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  randomisation TEXT NOT NULL REFERENCES randomisations ON DELETE CASCADE,
  "index" INTEGER NOT NULL,
  name TEXT NOT NULL,
  ratio INTEGER NOT NULL,
  "group" TEXT REFERENCES groups,
  packType TEXT REFERENCES packTypes,
  isConcealed INTEGER NOT NULL CHECK (isConcealed IN (0, 1))
) STRICT;
CREATE INDEX randomisationArmsByTrial ON randomisationArms (trial);
CREATE UNIQUE INDEX randomisationArmsInOrder ON randomisationArms (randomisation, "index");
CREATE UNIQUE INDEX randomisationArmsByGroup ON randomisationArms ("group");
CREATE INDEX randomisationArmsByPackType ON randomisationArms (packType);

-- One list for each stratum, a list of levels as JSON. `arms`: the places of arms in order, counted from 0. `isCommitted`: it is in
-- the document of the commitment; the others were made from the seed for sites that came later.
CREATE TABLE randomisationLists (
  randomisation TEXT NOT NULL REFERENCES randomisations ON DELETE CASCADE,
  stratum TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  arms TEXT NOT NULL CHECK (json_valid(arms)),
  isCommitted INTEGER NOT NULL CHECK (isCommitted IN (0, 1)),
  PRIMARY KEY (randomisation, stratum)
) STRICT;
CREATE INDEX randomisationListsByTrial ON randomisationLists (trial);

-- `position`: in the list of the stratum, from 0; null for a minimisation. While its arm is concealed, an allocation is the only
-- record of the membership in the arm's group.
CREATE TABLE allocations (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  randomisation TEXT NOT NULL REFERENCES randomisations ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  arm TEXT NOT NULL REFERENCES randomisationArms ON DELETE CASCADE,
  stratum TEXT NOT NULL,
  position INTEGER,
  site TEXT,
  pack TEXT
) STRICT;
CREATE INDEX allocationsByTrial ON allocations (trial);
CREATE UNIQUE INDEX allocationsInOrder ON allocations (randomisation, number);
CREATE UNIQUE INDEX allocationsByPosition ON allocations (randomisation, stratum, position);
CREATE UNIQUE INDEX allocationsByParticipant ON allocations (participant, randomisation);
CREATE INDEX allocationsByArm ON allocations (arm);
CREATE INDEX allocationsByPack ON allocations (pack) WHERE pack IS NOT NULL;
CREATE INDEX allocationsBySite ON allocations (site) WHERE site IS NOT NULL;

-- How many participants with a level of a factor each arm has: a minimisation reads this instead of all allocations.
CREATE TABLE allocationCounts (
  randomisation TEXT NOT NULL REFERENCES randomisations ON DELETE CASCADE,
  factor INTEGER NOT NULL,
  level TEXT NOT NULL,
  arm TEXT NOT NULL REFERENCES randomisationArms ON DELETE CASCADE,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  count INTEGER NOT NULL,
  PRIMARY KEY (randomisation, factor, level, arm)
) STRICT;
CREATE INDEX allocationCountsByTrial ON allocationCounts (trial);
CREATE INDEX allocationCountsByArm ON allocationCounts (arm);

-- Emergency unblindings of single participants.
CREATE TABLE unblindings (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  allocation TEXT NOT NULL REFERENCES allocations ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  user TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX unblindingsByTrial ON unblindings (trial);
CREATE INDEX unblindingsByAllocation ON unblindings (allocation);
CREATE INDEX unblindingsByParticipant ON unblindings (participant);

-- Answers of participants that were sent later

-- `entry` is the id that the participant's device gave the submission, its Idempotency-Key: the same entry is stored once, at any time.
-- `sentLate`: the answers were given before the form closed, and arrived after it.
ALTER TABLE storedSubmissions ADD COLUMN entry TEXT;
ALTER TABLE storedSubmissions ADD COLUMN sentLate INTEGER NOT NULL DEFAULT 0 CHECK (sentLate IN (0, 1));
CREATE UNIQUE INDEX submissionsByEntry ON storedSubmissions (participant, entry) WHERE entry IS NOT NULL;

-- Entries that the study refused, as the device of the participant handed them over: staff take them over or refuse them.
-- `path` names the occurrence as the device did; `entry` is the id of the entry there.
CREATE TABLE heldEntries (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  entry TEXT NOT NULL,
  path TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  code TEXT,
  message TEXT,
  status TEXT NOT NULL CHECK (status = 'held' OR status = 'accepted' OR status = 'refused'),
  decidedAt INTEGER,
  decidedBy TEXT,
  reason TEXT,
  response TEXT,
  broughtBy TEXT,
  tellAt INTEGER NOT NULL,
  isTold INTEGER NOT NULL DEFAULT 0 CHECK (isTold IN (0, 1)),
  UNIQUE (participant, entry)
) STRICT;
CREATE INDEX heldEntriesByTrial ON heldEntries (trial, _id);
CREATE INDEX heldEntriesToTell ON heldEntries (tellAt) WHERE isTold = 0;
CREATE INDEX heldEntriesByStatus ON heldEntries (trial, status, _id);
-- Each submission of a participant's device looks here whether staff have accepted its entry.
CREATE INDEX heldEntriesAccepted ON heldEntries (participant, entry) WHERE status = 'accepted';

-- Shared tablets

-- A tablet that participants use one after another, of a site, or of the whole trial if `site` is NULL. `linkHash` is of the one-time
-- link that opens it on a tablet, `secretHash` of the secret that the tablet got for the link. A site with shared devices is not deleted.
CREATE TABLE sharedDevices (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT REFERENCES sites,
  name TEXT NOT NULL,
  idleMinutes INTEGER NOT NULL,
  expiresAt INTEGER NOT NULL,
  linkHash TEXT UNIQUE,
  linkExpiresAt INTEGER,
  secretHash TEXT UNIQUE,
  openedAt INTEGER,
  lastSeenAt INTEGER,
  endedAt INTEGER,
  endedBy TEXT
) STRICT;
CREATE INDEX sharedDevicesByTrial ON sharedDevices (trial, _id);
CREATE INDEX sharedDevicesBySite ON sharedDevices (site, _id) WHERE site IS NOT NULL;

-- The session of a participant on a shared device ends with the device, and after its idle minutes.
ALTER TABLE participantTokens ADD COLUMN device TEXT REFERENCES sharedDevices ON DELETE CASCADE;
CREATE INDEX participantTokensByDevice ON participantTokens (device) WHERE device IS NOT NULL;

-- The short number with which a participant signs in on a shared device, and nowhere else.
CREATE TABLE participantPins (
  participant TEXT PRIMARY KEY REFERENCES participants (_id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  setAt INTEGER NOT NULL,
  setBy TEXT
) STRICT, WITHOUT ROWID;

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

-- The participants of each site with what lists are filtered and sorted by, and how many there are for each value of `facets`:
-- the list of one site is merged from sorted runs, as that of a trial is. Triggers keep both. The share of completed forms is
-- missing, since each submission changes it.
CREATE TABLE siteParticipants (
  participant TEXT NOT NULL,
  site TEXT NOT NULL,
  facets INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  idSort TEXT NOT NULL,
  lastSeenAt INTEGER,
  lastMessageAt INTEGER NOT NULL,
  PRIMARY KEY (participant, site),
  FOREIGN KEY (participant, site) REFERENCES participantSites ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX siteParticipantsByCreation ON siteParticipants (site, facets, createdAt, participant);
CREATE INDEX siteParticipantsById ON siteParticipants (site, facets, idSort, participant);
CREATE INDEX siteParticipantsBySeen ON siteParticipants (site, facets, lastSeenAt, participant);
CREATE INDEX siteParticipantsByMessage ON siteParticipants (site, facets, lastMessageAt, participant);
INSERT INTO siteParticipants (participant, site, facets, createdAt, idSort, lastSeenAt, lastMessageAt)
SELECT m.participant, m.site, p.facets, p.createdAt, p.idSort, p.lastSeenAt, p.lastMessageAt
FROM participantSites m JOIN participants p ON p._id = m.participant;

CREATE TABLE siteParticipantCounts (
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  facets INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (site, facets)
) STRICT, WITHOUT ROWID;
INSERT INTO siteParticipantCounts (site, facets, count) SELECT site, facets, count(*) FROM siteParticipants GROUP BY 1, 2;

-- How many participants a site is to enrol; no row if nobody has said it.
CREATE TABLE siteTargets (
  site TEXT PRIMARY KEY REFERENCES sites ON DELETE CASCADE,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  enrolmentTarget INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX siteTargetsByTrial ON siteTargets (trial);

-- How many fields were marked as verified at a site until the end of each hour with marks, in hours since 1970: the marks of a time
-- are the difference of two rows. Marks that are cleared later still count.
CREATE TABLE siteVerifications (
  site TEXT NOT NULL REFERENCES sites ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  verified INTEGER NOT NULL,
  PRIMARY KEY (site, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX siteVerificationsByTrial ON siteVerifications (trial);

-- Visits and their issues stay as long as their site: it cannot be deleted while it has any. `atCompletion`: the figures of the
-- site when the visit was completed; `folded`: `id` as identifiers are compared.
CREATE TABLE monitoringVisits (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT NOT NULL REFERENCES sites,
  id TEXT NOT NULL,
  folded TEXT NOT NULL,
  category TEXT NOT NULL CHECK (category IN ('mv', 'ssv')),
  priority TEXT CHECK (priority = 'low' OR priority = 'medium' OR priority = 'high'),
  status TEXT NOT NULL CHECK (status IN ('pending', 'completed')),
  scheduledAt INTEGER,
  completedAt INTEGER,
  duration INTEGER,
  assignees TEXT NOT NULL CHECK (json_valid(assignees)),
  notes TEXT,
  atCompletion TEXT CHECK (json_valid(atCompletion)),
  UNIQUE (site, folded)
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

-- Wearables

-- The account at a provider of wearables that a participant has connected, or had. `tokens` is sealed, and NULL where there are none.
-- `version` counts changes of the tokens, so that nothing overwrites newer ones. `cursor` is the end of what was read from the
-- provider (microseconds). `dueAt` is when it is read from next; of a connection that ended, when the provider is told.
CREATE TABLE wearableConnections (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  service TEXT NOT NULL CHECK (service = 'fitbit' OR service = 'garmin' OR service = 'dexcom'),
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status = 'connected' OR status = 'revoked' OR status = 'disconnected'),
  connectedAt INTEGER NOT NULL,
  endedAt INTEGER,
  scope TEXT,
  tokens TEXT,
  version INTEGER NOT NULL DEFAULT 0,
  cursor INTEGER,
  syncedAt INTEGER,
  dueAt INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  PRIMARY KEY (participant, service)
) STRICT, WITHOUT ROWID;
CREATE INDEX wearableConnectionsByTrial ON wearableConnections (trial);
CREATE INDEX wearableConnectionsByDue ON wearableConnections (dueAt) WHERE dueAt IS NOT NULL;

-- A sign-in at a provider that was begun: `secret` is sealed, and holds what its end needs.
CREATE TABLE wearableSignIns (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  service TEXT NOT NULL CHECK (service = 'fitbit' OR service = 'garmin' OR service = 'dexcom'),
  secret TEXT NOT NULL,
  expiresAt INTEGER NOT NULL,
  PRIMARY KEY (participant, service)
) STRICT, WITHOUT ROWID;

-- When a participant is next reminded to connect an account, and how often they were.
CREATE TABLE wearableReminders (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  service TEXT NOT NULL CHECK (service = 'fitbit' OR service = 'garmin' OR service = 'dexcom'),
  dueAt INTEGER,
  sent INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (participant, service)
) STRICT, WITHOUT ROWID;
CREATE INDEX wearableRemindersByDue ON wearableReminders (dueAt) WHERE dueAt IS NOT NULL;

-- How far the participants of a trial are in `wearableReminders`: the `_id` of the last one.
CREATE TABLE wearableReminderCursors (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  service TEXT NOT NULL CHECK (service = 'fitbit' OR service = 'garmin' OR service = 'dexcom'),
  after TEXT NOT NULL,
  PRIMARY KEY (trial, service)
) STRICT, WITHOUT ROWID;

-- What wearables measured: one row for each day, sleep or exercise. `key` is what the provider knows it by, `day` is of the
-- wearer's own calendar. The glucose readings of a day are in one row. What a provider corrects later is added to the end of
-- `replaced`; triggers see to it that nothing is altered in another way, and that nothing is deleted while the participant is there.
CREATE TABLE hardwareRecords (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  service TEXT NOT NULL CHECK (
    service = 'fitbit' OR service = 'garmin' OR service = 'dexcom' OR service = 'appleHealth' OR service = 'healthConnect'
  ),
  dataset TEXT NOT NULL CHECK (
    dataset = 'daily' OR dataset = 'sleep' OR dataset = 'activity' OR dataset = 'summary' OR dataset = 'egv'
  ),
  key TEXT NOT NULL,
  day TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('sync', 'import')),
  measured TEXT NOT NULL CHECK (json_valid(measured)),
  replaced TEXT NOT NULL CHECK (json_valid(replaced)),
  UNIQUE (participant, service, dataset, key)
) STRICT;
CREATE INDEX hardwareRecordsByTrial ON hardwareRecords (trial);
CREATE INDEX hardwareRecordsByDay ON hardwareRecords (participant, dataset, day, _id);

-- Food diaries and foods

-- What participants ate and drank. `food` is the food as it was when it was chosen, with its nutrients in 100 g: no import of a newer
-- table of foods changes it. The tables of foods are databases of their own (docs/food.md, "The table of foods").
CREATE TABLE foodDiaryEntries (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  createdByType TEXT NOT NULL CHECK (createdByType IN ('user', 'participant')),
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  date TEXT NOT NULL,
  meal TEXT NOT NULL CHECK (
    meal = 'breakfast' OR meal = 'lunch' OR meal = 'dinner' OR meal = 'snack' OR meal = 'other'
  ),
  foodId INTEGER NOT NULL,
  food TEXT NOT NULL CHECK (json_valid(food)),
  portionSize REAL NOT NULL,
  portionDescription TEXT,
  quantity REAL NOT NULL,
  loggedAt INTEGER NOT NULL
) STRICT;
CREATE INDEX foodDiaryEntriesByDay ON foodDiaryEntries (participant, date, loggedAt, _id);
-- The order of an export.
CREATE INDEX foodDiaryEntriesByTrial ON foodDiaryEntries (trial, participant, date, loggedAt, _id);

-- Incentives and the wallet

-- Amounts are in minor units of their currency, such as cents.

-- What participants can be given. `code` is the name of the brand for programs. `minimum` and `maximum` bound the amounts that a
-- gateway is asked for; the amounts of a brand whose codes were loaded are those of the codes. `refusalToldAt` is when the
-- administrators were last told that the gateway refused a card.
CREATE TABLE incentiveBrands (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  code TEXT NOT NULL COLLATE NOCASE,
  name TEXT NOT NULL,
  currency TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('codes', 'gateway')),
  minimum INTEGER,
  maximum INTEGER,
  isActive INTEGER NOT NULL DEFAULT 1 CHECK (isActive IN (0, 1)),
  refusalToldAt INTEGER,
  UNIQUE (trial, code)
) STRICT;

-- Voucher codes that the team loaded. `secret` is the sealed code, `hash` a keyed hash by which the same code is recognised.
-- `incentive` is what it was drawn for; it stays after that is deleted with its participant, so that nobody gets the code again.
CREATE TABLE voucherCodes (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  brand TEXT NOT NULL REFERENCES incentiveBrands,
  amount INTEGER NOT NULL,
  expiresOn TEXT,
  secret TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  incentive TEXT
) STRICT;
CREATE INDEX voucherCodesByTrial ON voucherCodes (trial, _id);
CREATE INDEX voucherCodesByBrand ON voucherCodes (brand, createdAt);
CREATE UNIQUE INDEX voucherCodesByIncentive ON voucherCodes (incentive) WHERE incentive IS NOT NULL;
-- The order in which codes are drawn: the earliest expiry date first, those without one last.
CREATE INDEX voucherCodesLeft ON voucherCodes (brand, amount, coalesce(expiresOn, '9999-12-31'), _id)
WHERE incentive IS NULL;

-- How many codes of a brand there are, by amount and last day (9999-12-31: none), and how many of them are left. Triggers keep it.
CREATE TABLE voucherStock (
  brand TEXT NOT NULL REFERENCES incentiveBrands ON DELETE CASCADE,
  amount INTEGER NOT NULL,
  expiresOn TEXT NOT NULL,
  loaded INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  PRIMARY KEY (brand, amount, expiresOn)
) STRICT, WITHOUT ROWID;

-- The balance of a trial in each currency. Triggers keep it, and refuse a negative one.
CREATE TABLE wallets (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  currency TEXT NOT NULL,
  balance INTEGER NOT NULL,
  PRIMARY KEY (trial, currency)
) STRICT, WITHOUT ROWID;

-- The journal of the wallet, append-only. `number` counts the transactions of a trial, `categoryNumber` those of one category, both
-- from 1 without a gap, so that each page of the list is found by number. `amount` is what it added to the balance, and `balance` the
-- balance after it. `reverses` is the transaction that it undoes.
CREATE TABLE walletTransactions (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  number INTEGER NOT NULL,
  category TEXT NOT NULL CHECK (
    category = 'topUp' OR category = 'incentive' OR category = 'refund' OR category = 'reversal'
  ),
  categoryNumber INTEGER NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  incentive TEXT,
  reverses TEXT,
  reason TEXT,
  UNIQUE (trial, number),
  UNIQUE (trial, category, categoryNumber)
) STRICT;
CREATE UNIQUE INDEX walletTransactionsByReversed ON walletTransactions (reverses) WHERE reverses IS NOT NULL;
CREATE INDEX walletTransactionsByIncentive ON walletTransactions (incentive, number) WHERE incentive IS NOT NULL;

-- The entries of each transaction, which sum to zero. They are written before their transaction, which a trigger then checks.
CREATE TABLE walletEntries (
  walletTransaction TEXT NOT NULL REFERENCES walletTransactions ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  account TEXT NOT NULL CHECK (account = 'wallet' OR account = 'funding' OR account = 'incentives'),
  amount INTEGER NOT NULL,
  PRIMARY KEY (walletTransaction, account)
) STRICT, WITHOUT ROWID;

-- What pays by itself when a participant completes a stage. `payments` is how often it did, `waitingSince` when the first of the
-- payments that wait began to. A rule whose stage was deleted pays nothing.
CREATE TABLE incentiveRules (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  stage TEXT REFERENCES stages (_id) ON DELETE SET NULL,
  brand TEXT NOT NULL REFERENCES incentiveBrands,
  amount INTEGER NOT NULL,
  mostPerParticipant INTEGER,
  mostInTotal INTEGER,
  isActive INTEGER NOT NULL DEFAULT 1 CHECK (isActive IN (0, 1)),
  payments INTEGER NOT NULL DEFAULT 0,
  waitingSince INTEGER
) STRICT;
CREATE INDEX incentiveRulesByTrial ON incentiveRules (trial, _id);
CREATE INDEX incentiveRulesByStage ON incentiveRules (stage) WHERE stage IS NOT NULL;
CREATE INDEX incentiveRulesByBrand ON incentiveRules (brand);
CREATE INDEX incentiveRulesWaiting ON incentiveRules (waitingSince) WHERE waitingSince IS NOT NULL;

-- The completions that rules pay for. A trigger writes them with the response; the background timers pay those that are due.
-- They stay, so that a completion that is undone and done again is not paid twice: `incentive` is what was paid for it, or for the
-- completion of an ad hoc stage that it replaces.
CREATE TABLE incentiveClaims (
  rule TEXT NOT NULL REFERENCES incentiveRules ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  stageRecurrence INTEGER NOT NULL,
  response TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  isDue INTEGER NOT NULL CHECK (isDue IN (0, 1)),
  incentive TEXT,
  PRIMARY KEY (rule, participant, stageRecurrence)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX incentiveClaimsByResponse ON incentiveClaims (rule, response);
CREATE INDEX incentiveClaimsByParticipant ON incentiveClaims (participant);
CREATE INDEX incentiveClaimsDue ON incentiveClaims (createdAt) WHERE isDue = 1;

-- What participants got, or will get. `createdBy` is NULL if a rule paid. `waitsFor` is what a payment that waits lacks. `secret` is
-- the sealed card of a gateway; that of a loaded code is in its own row.
CREATE TABLE incentives (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  brand TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL CHECK (
    status = 'waiting' OR status = 'ordered' OR status = 'unknown' OR status = 'issued' OR status = 'failed'
    OR status = 'reversed'
  ),
  waitsFor TEXT CHECK (waitsFor = 'balance' OR waitsFor = 'codes' OR waitsFor = 'gateway' OR waitsFor = 'feature'),
  rule TEXT,
  stage TEXT,
  stageRecurrence INTEGER,
  issuedAt INTEGER,
  expiresOn TEXT,
  secret TEXT,
  revealedAt INTEGER,
  detail TEXT
) STRICT;
CREATE INDEX incentivesByTrial ON incentives (trial, _id);
CREATE INDEX incentivesByStatus ON incentives (trial, status, _id);
CREATE INDEX incentivesByParticipant ON incentives (participant, _id);
CREATE INDEX incentivesByRule ON incentives (rule, participant) WHERE rule IS NOT NULL;
CREATE INDEX incentivesWaiting ON incentives (rule, _id) WHERE status = 'waiting';

-- What the gateway was asked for. `_id` is that of the incentive, and the key by which the gateway recognises a repeated order. It
-- holds nothing about a participant, and stays when they are deleted.
CREATE TABLE incentiveOrders (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  brand TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'open' OR status = 'done' OR status = 'refused'),
  attempts INTEGER NOT NULL DEFAULT 0,
  dueAt INTEGER
) STRICT;
CREATE INDEX incentiveOrdersByTrial ON incentiveOrders (trial, _id);
CREATE INDEX incentiveOrdersByDue ON incentiveOrders (dueAt) WHERE dueAt IS NOT NULL;

-- Insights and dashboards

-- Texts that an AI endpoint wrote: about a participant, or about the whole trial if `participant` is NULL. `reveals` lists the data
-- types whose answers the numbers behind the text came from.
CREATE TABLE insightTexts (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  participant TEXT REFERENCES participants (_id) ON DELETE CASCADE,
  model TEXT NOT NULL,
  text TEXT NOT NULL,
  reveals TEXT NOT NULL CHECK (json_valid(reveals))
) STRICT;
CREATE INDEX insightTextsByTrial ON insightTexts (trial, participant, _id);
CREATE INDEX insightTextsByParticipant ON insightTexts (participant, _id) WHERE participant IS NOT NULL;

-- Insights on a trial ('' as the site) and on its sites, as a job computed them at `computedAt`. `entries`: how many entries the audit
-- trail of the trial had then. `comparisons` of sites with each other are in the row of the trial. Rows about few participants are
-- deleted with any of them, as they would still tell something about that one.
CREATE TABLE trialInsights (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT NOT NULL,
  computedAt INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  participants INTEGER NOT NULL,
  numbers TEXT NOT NULL CHECK (json_valid(numbers)),
  comparisons TEXT NOT NULL CHECK (json_valid(comparisons)),
  PRIMARY KEY (trial, site)
) STRICT, WITHOUT ROWID;

-- The figures of dashboards, which triggers keep. A site of '' stands for the whole trial, as a participant may belong to several
-- sites or to none.

-- Participants who are not archived, by the month (UTC, YYYY-MM) of their registration; those of a site are in siteEnrolment.
CREATE TABLE trialEnrolment (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  month TEXT NOT NULL,
  enrolled INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (trial, month)
) STRICT, WITHOUT ROWID;
INSERT INTO trialEnrolment (trial, month, enrolled)
SELECT trial, strftime('%Y-%m', createdAt / 1000000, 'unixepoch'), count(*)
FROM participants WHERE isArchived = 0 GROUP BY 1, 2;

-- How many forms of each stage a participant is behind with: stagesBehindSchedule, by stage. Written with it, so that it is filled
-- when the progress of those who are behind is calculated the next time.
CREATE TABLE overdueForms (
  participant TEXT NOT NULL REFERENCES participants (_id) ON DELETE CASCADE,
  stage TEXT NOT NULL REFERENCES stages (_id) ON DELETE CASCADE,
  forms INTEGER NOT NULL,
  PRIMARY KEY (participant, stage)
) STRICT, WITHOUT ROWID;
CREATE INDEX overdueFormsByStage ON overdueForms (stage);
UPDATE participants SET progressDueAt = 0 WHERE stagesBehindSchedule > 0;

-- Responses of participants who are not archived, and overdue forms of those who are not withdrawn either.
CREATE TABLE stageFigures (
  stage INTEGER NOT NULL REFERENCES stages (key) ON DELETE CASCADE,
  site TEXT NOT NULL,
  completed INTEGER NOT NULL DEFAULT 0,
  overdue INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (stage, site)
) STRICT, WITHOUT ROWID;
CREATE INDEX stageFiguresBySite ON stageFigures (site);
INSERT INTO stageFigures (stage, site, completed)
SELECT r.stage, '', count(*) FROM storedResponses r JOIN participants p ON p.key = r.participant
WHERE p.isArchived = 0 GROUP BY 1;
INSERT INTO stageFigures (stage, site, completed)
SELECT r.stage, m.site, count(*) FROM storedResponses r JOIN participants p ON p.key = r.participant
JOIN participantSites m ON m.participant = p._id WHERE p.isArchived = 0 GROUP BY 1, 2;

-- When each closed query was closed.
CREATE TABLE queryClosings (
  query TEXT PRIMARY KEY REFERENCES queries ON DELETE CASCADE,
  closedAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO queryClosings (query, closedAt) SELECT _id, updatedAt FROM queries WHERE status = 'closed';

-- Queries by site, data type ('' for those on a whole response, '*' for all together) and status. `days`: the day on which they were raised, since 1970;
-- for closed ones, how many whole days that took. A row that comes to 0 is deleted.
CREATE TABLE queryFigures (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  site TEXT NOT NULL,
  dataType TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'open' OR status = 'answered' OR status = 'closed'),
  days INTEGER NOT NULL,
  queries INTEGER NOT NULL,
  PRIMARY KEY (trial, site, dataType, status, days)
) STRICT, WITHOUT ROWID;
CREATE INDEX queryFiguresBySite ON queryFigures (site);
INSERT INTO queryFigures (trial, site, dataType, status, days, queries)
SELECT q.trial, '', iif(k.isAll, '*', coalesce(q.dataType, '')), q.status,
  iif(q.status = 'closed', (q.updatedAt - q.createdAt) / 86400000000, q.createdAt / 86400000000), count(*)
FROM queries q JOIN (SELECT 0 AS isAll UNION ALL SELECT 1) k GROUP BY 1, 2, 3, 4, 5;
INSERT INTO queryFigures (trial, site, dataType, status, days, queries)
SELECT q.trial, m.site, iif(k.isAll, '*', coalesce(q.dataType, '')), q.status,
  iif(q.status = 'closed', (q.updatedAt - q.createdAt) / 86400000000, q.createdAt / 86400000000), count(*)
FROM queries q JOIN participantSites m ON m.participant = q.participant JOIN (SELECT 0 AS isAll UNION ALL SELECT 1) k
GROUP BY 1, 2, 3, 4, 5;

-- Webhooks

-- Where events of a trial are sent. `secret` and `previousSecret` are encrypted with a key that is not in the database. `position` is
-- the number of the last entry of the audit trail that was looked at; `failures` counts failed attempts since the last success.
CREATE TABLE webhooks (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL CHECK (json_valid(events)),
  includes TEXT NOT NULL CHECK (json_valid(includes)),
  isEnabled INTEGER NOT NULL CHECK (isEnabled IN (0, 1)),
  disabledReason TEXT CHECK (disabledReason IN ('failing', 'gone')),
  secret TEXT NOT NULL,
  previousSecret TEXT,
  previousSecretUntil INTEGER,
  position INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  failingSince INTEGER,
  deliveredAt INTEGER
) STRICT;
CREATE INDEX webhooksByTrial ON webhooks (trial, _id);
CREATE INDEX webhooksEnabled ON webhooks (_id) WHERE isEnabled = 1;

-- What is or was sent to a webhook: at most one row for each entry of the audit trail; `entry` is NULL for a test. Of the waiting
-- deliveries about one subject (a participant, else another thing) only the first has `dueAt`: the others wait for it. `tries` counts
-- the attempts since it began to wait.
CREATE TABLE webhookDeliveries (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  webhook TEXT NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  entry INTEGER,
  event TEXT NOT NULL,
  subject TEXT NOT NULL,
  participant TEXT,
  status TEXT NOT NULL CHECK (status = 'waiting' OR status = 'delivered' OR status = 'failed'),
  tries INTEGER NOT NULL DEFAULT 0,
  dueAt INTEGER,
  finishedAt INTEGER,
  UNIQUE (webhook, entry)
) STRICT;
CREATE INDEX webhookDeliveriesByWebhook ON webhookDeliveries (webhook, _id);
CREATE INDEX webhookDeliveriesByStatus ON webhookDeliveries (webhook, status, _id);
CREATE INDEX webhookDeliveriesWaiting ON webhookDeliveries (webhook, subject, entry) WHERE status = 'waiting';
CREATE INDEX webhookDeliveriesDue ON webhookDeliveries (webhook, dueAt, entry) WHERE dueAt IS NOT NULL;
CREATE INDEX webhookDeliveriesFinished ON webhookDeliveries (finishedAt) WHERE finishedAt IS NOT NULL;
CREATE INDEX webhookDeliveriesByParticipant ON webhookDeliveries (participant) WHERE participant IS NOT NULL;

-- The attempts of each delivery, from 1. `duration` is in milliseconds; `code` is the HTTP status, NULL without an answer; `answer` is
-- the beginning of the answer.
CREATE TABLE webhookAttempts (
  delivery TEXT NOT NULL REFERENCES webhookDeliveries ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  code INTEGER,
  detail TEXT,
  answer TEXT,
  PRIMARY KEY (delivery, number)
) STRICT, WITHOUT ROWID;

-- Jobs are removed some time after their end.
CREATE INDEX jobsByEnd ON jobs (finishedAt) WHERE finishedAt IS NOT NULL;

-- Saved exports: `settings` is what the query of an export says, as JSON.
CREATE TABLE exportDefinitions (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  name TEXT NOT NULL,
  settings TEXT NOT NULL CHECK (json_valid(settings))
) STRICT;
CREATE INDEX exportDefinitionsByTrial ON exportDefinitions (trial, _id);

-- Consent forms. `version` is the number of the newest version; who signed a version before `reconsentFrom` is asked to sign again.
CREATE TABLE consentForms (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  formKey TEXT NOT NULL,
  name TEXT,
  notificationEmail TEXT,
  withdrawalEmail TEXT,
  version INTEGER NOT NULL,
  reconsentFrom INTEGER,
  consentCount INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX consentFormsByKey ON consentForms (trial, formKey COLLATE NOCASE);
CREATE INDEX consentFormsByTrial ON consentForms (trial, _id);

-- What people read and are asked, in each version. They are never changed, and are deleted only with their form.
CREATE TABLE consentFormVersions (
  form TEXT NOT NULL REFERENCES consentForms ON DELETE CASCADE,
  number INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  createdBy TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  hash TEXT NOT NULL,
  PRIMARY KEY (form, number)
) STRICT, WITHOUT ROWID;

-- The texts of a resource in other languages, by language and field, and hashes of the texts from which they were made.
ALTER TABLE participantResources ADD COLUMN translations TEXT CHECK (json_valid(translations));
ALTER TABLE participantResources ADD COLUMN translatedFrom TEXT CHECK (json_valid(translatedFrom));

-- Where a session was begun: the address, and what the browser says of itself.
ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN device TEXT;

-- Who sent an invitation.
ALTER TABLE setupTokens ADD COLUMN createdBy TEXT;

-- The address to which an account wants to move, with the code that was sent there: the newest of each account. The code itself is not
-- stored: it follows from `_id` and the secret of the server. `isSilent`: nothing was sent, as the address is that of another account; who
-- asked cannot tell. `asked` counts the codes since `firstAt`.
CREATE TABLE emailChanges (
  user TEXT PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  _id TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  email TEXT NOT NULL,
  isSilent INTEGER NOT NULL CHECK (isSilent IN (0, 1)),
  tries INTEGER NOT NULL DEFAULT 0,
  expiresAt INTEGER NOT NULL,
  firstAt INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  removeAt INTEGER NOT NULL
) STRICT;
CREATE INDEX emailChangesByRemoval ON emailChanges (removeAt);

-- What an API key may do less than its account: only read; only reach these trials, a JSON list.
ALTER TABLE apiKeys ADD COLUMN isReadOnly INTEGER CHECK (isReadOnly IN (0, 1));
ALTER TABLE apiKeys ADD COLUMN trials TEXT CHECK (json_valid(trials));

-- The codes with which a person signs in who has lost the authenticator. `hash` is keyed: a copy of the database reveals none.
CREATE TABLE recoveryCodes (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  hash TEXT NOT NULL,
  usedAt INTEGER,
  UNIQUE (user, hash)
) STRICT;
-- What came with the answers to a poll, beside the response, which belongs to nobody: the custom link with its attributes as they were
-- then, and the contact that the poll asks for. `entry` is the id that the sender's device gave them: they are stored once.
CREATE TABLE pollAnswers (
  response TEXT PRIMARY KEY REFERENCES storedResponses (_id) ON DELETE CASCADE,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  stage TEXT NOT NULL,
  entry TEXT NOT NULL,
  link TEXT,
  linkName TEXT,
  attributes TEXT NOT NULL CHECK (json_valid(attributes)),
  salt TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  emailVerifiedAt INTEGER,
  phoneVerifiedAt INTEGER,
  UNIQUE (stage, entry)
) STRICT;
CREATE INDEX pollAnswersByStage ON pollAnswers (stage, response);
CREATE INDEX pollAnswersByTrial ON pollAnswers (trial);
CREATE INDEX pollAnswersByEmail ON pollAnswers (stage, email) WHERE email IS NOT NULL;
CREATE INDEX pollAnswersByPhone ON pollAnswers (stage, phone) WHERE phone IS NOT NULL;
-- Codes that were sent to the contacts of people who answer a poll. The code itself is not stored: it follows from the `_id` and the secret of
-- the server. `hash` is that of the id that their device gave the answers: what was verified counts for these answers only. `removeAt`: when
-- the row is deleted with its address; NULL once it was used. `response`: the answers with which it was used.
CREATE TABLE pollVerifications (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  stage TEXT NOT NULL,
  hash TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('email', 'phone')),
  address TEXT NOT NULL,
  expiresAt INTEGER NOT NULL,
  removeAt INTEGER,
  isSilent INTEGER NOT NULL CHECK (isSilent IN (0, 1)),
  message TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  verifiedAt INTEGER,
  response TEXT REFERENCES storedResponses (_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX pollVerificationsByHash ON pollVerifications (stage, hash, createdAt);
CREATE INDEX pollVerificationsByAddress ON pollVerifications (trial, address, createdAt);
CREATE INDEX pollVerificationsByTrial ON pollVerifications (trial, expiresAt);
CREATE INDEX pollVerificationsByRemoval ON pollVerifications (removeAt) WHERE removeAt IS NOT NULL;
CREATE INDEX pollVerificationsByResponse ON pollVerifications (response) WHERE response IS NOT NULL;
-- What somebody does with the link to a consent form: reads and signs it, or withdraws what they signed. `hash` is that of the token in their
-- browser. `removeAt`: when a session that led to no consent is deleted with what it holds; NULL once it did.
CREATE TABLE consentSessions (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  form TEXT NOT NULL REFERENCES consentForms ON DELETE CASCADE,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('consent', 'withdrawal')),
  hash TEXT NOT NULL,
  expiresAt INTEGER NOT NULL,
  removeAt INTEGER,
  participant TEXT REFERENCES participants (_id) ON DELETE CASCADE,
  startedBy TEXT,
  hasRead INTEGER NOT NULL DEFAULT 0 CHECK (hasRead IN (0, 1)),
  hasPassedQuiz INTEGER NOT NULL DEFAULT 0 CHECK (hasPassedQuiz IN (0, 1)),
  photo TEXT
) STRICT;
CREATE UNIQUE INDEX consentSessionsByHash ON consentSessions (hash);
CREATE INDEX consentSessionsByRemoval ON consentSessions (removeAt) WHERE removeAt IS NOT NULL;
CREATE INDEX consentSessionsByTrial ON consentSessions (trial);
CREATE INDEX consentSessionsByForm ON consentSessions (form);
CREATE INDEX consentSessionsByParticipant ON consentSessions (participant) WHERE participant IS NOT NULL;

-- What happened in a session, by the clock of the server, in order.
CREATE TABLE consentEvents (
  session TEXT NOT NULL REFERENCES consentSessions ON DELETE CASCADE,
  number INTEGER NOT NULL,
  createdAt INTEGER NOT NULL,
  type TEXT NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

-- Codes that show that somebody reads an address. The code itself is not stored: it follows from the `_id` and the secret of the server.
CREATE TABLE consentVerifications (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  session TEXT NOT NULL REFERENCES consentSessions ON DELETE CASCADE,
  method TEXT NOT NULL CHECK (method = 'email' OR method = 'phone' OR method = 'whatsapp'),
  address TEXT NOT NULL,
  expiresAt INTEGER NOT NULL,
  isSilent INTEGER NOT NULL CHECK (isSilent IN (0, 1)),
  message TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  verifiedAt INTEGER
) STRICT;
CREATE INDEX consentVerificationsBySession ON consentVerifications (session, createdAt);
CREATE INDEX consentVerificationsByAddress ON consentVerifications (trial, address, createdAt);
CREATE INDEX consentVerificationsByTrial ON consentVerifications (trial, expiresAt);

-- Consents. What was signed never changes. `codeNumber` counts the codes for the first sign-in, of which the last is good.
CREATE TABLE consents (
  _id TEXT PRIMARY KEY,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  form TEXT NOT NULL REFERENCES consentForms ON DELETE CASCADE,
  version INTEGER NOT NULL,
  session TEXT NOT NULL REFERENCES consentSessions ON DELETE CASCADE,
  salt TEXT NOT NULL,
  participant TEXT REFERENCES participants (_id) ON DELETE CASCADE,
  boundAt INTEGER,
  startedBy TEXT,
  fullName TEXT,
  email TEXT,
  phone TEXT,
  whatsapp TEXT,
  confirmations TEXT NOT NULL CHECK (json_valid(confirmations)),
  initials TEXT NOT NULL CHECK (json_valid(initials)),
  signatureMethod TEXT NOT NULL CHECK (signatureMethod IN ('drawn', 'typed')),
  signature TEXT,
  photo TEXT,
  file TEXT NOT NULL,
  fileHash TEXT NOT NULL,
  codeNumber INTEGER NOT NULL DEFAULT 1,
  codeUsedAt INTEGER,
  codeMessage TEXT,
  withdrawnAt INTEGER,
  withdrawnBy TEXT,
  withdrawalReason TEXT,
  countersignedAt INTEGER,
  countersignedBy TEXT,
  countersignerName TEXT,
  countersignedFile TEXT,
  countersignedHash TEXT,
  erasedAt INTEGER
) STRICT;
CREATE UNIQUE INDEX consentsBySession ON consents (session);
CREATE INDEX consentsByTrial ON consents (trial, _id);
CREATE INDEX consentsByForm ON consents (form, _id);
CREATE INDEX consentsByParticipant ON consents (participant, _id) WHERE participant IS NOT NULL;
CREATE INDEX consentsByEmail ON consents (trial, email) WHERE email IS NOT NULL;
CREATE INDEX consentsByPhone ON consents (trial, phone) WHERE phone IS NOT NULL;
CREATE INDEX consentsByWhatsapp ON consents (trial, whatsapp) WHERE whatsapp IS NOT NULL;

-- The link to the form that follows the consent of somebody who is no participant yet, and the response that came by it. `hash` is that of the
-- token, which follows from the `_id` of the consent and the secret of the server.
CREATE TABLE screenings (
  consent TEXT PRIMARY KEY REFERENCES consents ON DELETE CASCADE,
  createdAt INTEGER NOT NULL,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  stage TEXT NOT NULL,
  hash TEXT NOT NULL,
  expiresAt INTEGER NOT NULL,
  response TEXT REFERENCES storedResponses (_id) ON DELETE SET NULL
) STRICT;
CREATE UNIQUE INDEX screeningsByHash ON screenings (hash);
CREATE INDEX screeningsByTrial ON screenings (trial);
CREATE INDEX screeningsByResponse ON screenings (response) WHERE response IS NOT NULL;
-- Each response that came by the link of a consent: also of one that was deleted, the history stays until the consent is erased.
CREATE TABLE screenedResponses (
  response TEXT PRIMARY KEY,
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  consent TEXT NOT NULL REFERENCES consents ON DELETE CASCADE
) STRICT;
CREATE INDEX screenedResponsesByTrial ON screenedResponses (trial);
CREATE INDEX screenedResponsesByConsent ON screenedResponses (consent);
