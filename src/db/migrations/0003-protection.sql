-- What protects a study: who looked, who destroyed, who may dispense, and consent that has effects.

SELECT 1;
-- Dispensing by arm

-- Clock

-- Consent

-- Rights

-- Reads

-- Deletions

-- Restored copies

-- Uploads and jobs

-- JSON in every SQLite
-- Before SQLite 3.45, json_valid(NULL) is 0 and not NULL, and such a CHECK refuses NULL. Another program, such as the sqlite3 of
-- Debian 12, then calls the database damaged.
DROP INDEX auditOfPersonal;
ALTER TABLE auditEntries RENAME COLUMN personal TO personalBefore;
ALTER TABLE auditEntries ADD COLUMN personal TEXT CHECK (personal IS NULL OR json_valid(personal));
UPDATE auditEntries SET personal = personalBefore WHERE personalBefore IS NOT NULL;
ALTER TABLE auditEntries DROP COLUMN personalBefore;
CREATE INDEX auditOfPersonal ON auditEntries (participant) WHERE personal IS NOT NULL;
ALTER TABLE auditEntries RENAME COLUMN rows TO rowsBefore;
ALTER TABLE auditEntries ADD COLUMN rows TEXT CHECK (rows IS NULL OR json_valid(rows));
UPDATE auditEntries SET rows = rowsBefore WHERE rowsBefore IS NOT NULL;
ALTER TABLE auditEntries DROP COLUMN rowsBefore;
ALTER TABLE jobs RENAME COLUMN result TO resultBefore;
ALTER TABLE jobs ADD COLUMN result TEXT CHECK (result IS NULL OR json_valid(result));
UPDATE jobs SET result = resultBefore WHERE resultBefore IS NOT NULL;
ALTER TABLE jobs DROP COLUMN resultBefore;
ALTER TABLE outbox RENAME COLUMN forms TO formsBefore;
ALTER TABLE outbox ADD COLUMN forms TEXT CHECK (forms IS NULL OR json_valid(forms));
UPDATE outbox SET forms = formsBefore WHERE formsBefore IS NOT NULL;
ALTER TABLE outbox DROP COLUMN formsBefore;
ALTER TABLE lockedDatasets RENAME COLUMN counts TO countsBefore;
ALTER TABLE lockedDatasets ADD COLUMN counts TEXT CHECK (counts IS NULL OR json_valid(counts));
UPDATE lockedDatasets SET counts = countsBefore WHERE countsBefore IS NOT NULL;
ALTER TABLE lockedDatasets DROP COLUMN countsBefore;
ALTER TABLE randomisations RENAME COLUMN eligibility TO eligibilityBefore;
ALTER TABLE randomisations ADD COLUMN eligibility TEXT CHECK (eligibility IS NULL OR json_valid(eligibility));
UPDATE randomisations SET eligibility = eligibilityBefore WHERE eligibilityBefore IS NOT NULL;
ALTER TABLE randomisations DROP COLUMN eligibilityBefore;
ALTER TABLE monitoringVisits RENAME COLUMN atCompletion TO atCompletionBefore;
ALTER TABLE monitoringVisits ADD COLUMN atCompletion TEXT CHECK (atCompletion IS NULL OR json_valid(atCompletion));
UPDATE monitoringVisits SET atCompletion = atCompletionBefore WHERE atCompletionBefore IS NOT NULL;
ALTER TABLE monitoringVisits DROP COLUMN atCompletionBefore;
ALTER TABLE participantResources RENAME COLUMN translations TO translationsBefore;
ALTER TABLE participantResources ADD COLUMN translations TEXT CHECK (translations IS NULL OR json_valid(translations));
UPDATE participantResources SET translations = translationsBefore WHERE translationsBefore IS NOT NULL;
ALTER TABLE participantResources DROP COLUMN translationsBefore;
ALTER TABLE participantResources RENAME COLUMN translatedFrom TO translatedFromBefore;
ALTER TABLE participantResources ADD COLUMN translatedFrom TEXT CHECK (translatedFrom IS NULL OR json_valid(translatedFrom));
UPDATE participantResources SET translatedFrom = translatedFromBefore WHERE translatedFromBefore IS NOT NULL;
ALTER TABLE participantResources DROP COLUMN translatedFromBefore;
ALTER TABLE apiKeys RENAME COLUMN trials TO trialsBefore;
ALTER TABLE apiKeys ADD COLUMN trials TEXT CHECK (trials IS NULL OR json_valid(trials));
UPDATE apiKeys SET trials = trialsBefore WHERE trialsBefore IS NOT NULL;
ALTER TABLE apiKeys DROP COLUMN trialsBefore;
