-- The trial office: files, packs, randomisation, monitoring and messages of sites.

-- Files of the trial master file

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
