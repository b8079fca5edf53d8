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
