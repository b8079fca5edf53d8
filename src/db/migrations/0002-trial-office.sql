-- The trial office: files, packs, randomisation, monitoring and messages of sites.

-- Files of the trial master file

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
