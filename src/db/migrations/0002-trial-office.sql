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
