-- What protects a study: who looked, who destroyed, who may dispense, and consent that has effects.

SELECT 1;
-- Dispensing by arm

-- Clock

-- Consent

-- Who signed a version before this one takes part again once they have signed a newer one; NULL if no version asks for that.
ALTER TABLE consentForms ADD COLUMN blocksFrom INTEGER;
-- The keys of the consent forms without which nobody is allocated; NULL for none.
ALTER TABLE randomisations ADD COLUMN requiresConsent TEXT CHECK (json_valid(requiresConsent));
-- Who else was there when a consent was given in person: the name of the witness, and those of others.
ALTER TABLE consentSessions ADD COLUMN witness TEXT;
ALTER TABLE consentSessions ADD COLUMN present TEXT CHECK (json_valid(present));
-- What somebody who withdrew chose for their data; NULL if they were not asked.
ALTER TABLE consents ADD COLUMN withdrawalChoice TEXT CHECK (
  withdrawalChoice = 'keep' OR withdrawalChoice = 'erasePersonalInformation' OR withdrawalChoice = 'deleteAnswers'
);
-- Whether somebody has withdrawn all of their consents is asked of every message: the index alone answers it.
CREATE INDEX consentsWithdrawn ON consents (participant, withdrawnAt) WHERE participant IS NOT NULL;
-- How many codes a trial sent on a day of its zone. `isWarned`: its administrators were told that half of the most were sent.
CREATE TABLE codeDays (
  trial TEXT NOT NULL REFERENCES trials ON DELETE CASCADE,
  day TEXT NOT NULL,
  count INTEGER NOT NULL,
  isWarned INTEGER NOT NULL DEFAULT 0 CHECK (isWarned IN (0, 1)),
  PRIMARY KEY (trial, day)
) STRICT, WITHOUT ROWID;

-- Rights

-- Reads

-- Deletions

-- Restored copies

-- Uploads and jobs
