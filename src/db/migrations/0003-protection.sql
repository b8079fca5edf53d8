-- What protects a study: who looked, who destroyed, who may dispense, and consent that has effects.

SELECT 1;
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

-- Clock

-- Consent

-- Rights

-- Reads

-- Deletions

-- Restored copies

-- Uploads and jobs
