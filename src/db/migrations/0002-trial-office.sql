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

-- Randomisation

-- Monitoring of sites

-- Delegation and training

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
