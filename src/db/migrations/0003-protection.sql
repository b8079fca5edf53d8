-- What protects a study: who looked, who destroyed, who may dispense, and consent that has effects.

SELECT 1;
-- Dispensing by arm

-- Clock

-- Consent

-- Rights

-- Reads

-- Deletions

-- Restored copies

-- When a restored backup brought the key back: it is refused until somebody confirms it.
ALTER TABLE apiKeys ADD COLUMN suspendedAt INTEGER;

-- Uploads and jobs
