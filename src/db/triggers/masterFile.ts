/** Triggers of the trial master file: versions are kept as they were uploaded, and files have the status of their newest version. */
import { IN_TRIAL, markMergeDue, refuseDeletions, refuseUpdates, rowExists, trigger } from './builders'

export const masterFileTriggers: readonly string[] = [
  refuseUpdates('masterFiles', 'a file stays where it was created', { of: '_id, createdAt, createdBy, trial, site' }),
  refuseUpdates('masterFileVersions', 'versions of files are not changed', {
    of: '_id, createdAt, trial, file, number, name, storedName, originalName, mimeType, size, sha256, uploader, uploaderName, expiresAt',
  }),
  // They go with their file or their trial only.
  refuseDeletions(
    'masterFileVersions',
    'versions of files are kept',
    `${rowExists('masterFiles', 'OLD.file')} AND ${IN_TRIAL}`,
  ),
  trigger(
    'masterFilesVersionInsert',
    'AFTER INSERT',
    'masterFileVersions',
    `UPDATE masterFiles SET latest = NEW.number, status = NEW.status,
    approved = iif(NEW.status = 'approved', NEW.number, approved),
    approvedUntil = iif(NEW.status = 'approved', coalesce(NEW.expiresAt, '9999-12-31'), approvedUntil) WHERE _id = NEW.file`,
  ),
  trigger(
    'masterFilesVersionStatus',
    'AFTER UPDATE OF status',
    'masterFileVersions',
    `UPDATE masterFiles SET status = iif(latest = NEW.number, NEW.status, status),
    approved = (SELECT max(number) FROM masterFileVersions WHERE file = NEW.file AND status = 'approved'),
    approvedUntil = (SELECT coalesce(expiresAt, '9999-12-31') FROM masterFileVersions
      WHERE file = NEW.file AND status = 'approved' ORDER BY number DESC LIMIT 1)
    WHERE _id = NEW.file`,
  ),
  // The index of words (docs/master-file.md, "Search"). Words are added by the program, which finds them.
  trigger('masterFileKeysInsert', 'AFTER INSERT', 'masterFiles', 'INSERT INTO masterFileKeys (file) VALUES (NEW._id)'),
  trigger(
    'masterFileVersionTextsInsert',
    'AFTER INSERT',
    'masterFileVersions',
    `INSERT INTO masterFileVersionTexts (key, version, state, attempts, dueAt)
    SELECT key * 1024 + NEW.number, NEW._id, 'waiting', 0, 0 FROM masterFileKeys WHERE file = NEW.file`,
  ),
  trigger(
    'masterFileNameWordsEnd',
    'AFTER DELETE',
    'masterFileKeys',
    `DELETE FROM masterFileNameWords WHERE rowid = OLD.key; ${markMergeDue('masterFileNameWords')}`,
  ),
  trigger(
    'masterFileTextWordsEnd',
    'AFTER DELETE',
    'masterFileVersionTexts',
    `DELETE FROM masterFileTextWords WHERE rowid = OLD.key;
    DELETE FROM masterFileTexts WHERE key = OLD.text AND NOT EXISTS (SELECT 1 FROM masterFileVersionTexts WHERE text = OLD.text);
    ${markMergeDue('masterFileTextWords')}`,
  ),
]
