-- What protects a study: who looked, who destroyed, who may dispense, and consent that has effects.

SELECT 1;
-- Dispensing by arm

-- Clock

-- Consent

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

-- Deletions

-- Restored copies

-- Uploads and jobs
