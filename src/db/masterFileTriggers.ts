/** Triggers of the trial master file: versions are kept as they were uploaded, and files have the status of their newest version. */
import { exists, refuseDeletions, refuseUpdates, trigger } from './triggerWords'

export const masterFileTriggers: readonly string[] = [
  refuseUpdates('masterFiles', 'a file stays where it was created', { of: '_id, createdAt, createdBy, trial, site' }),
  refuseUpdates('masterFileVersions', 'versions of files are not changed', {
    of: '_id, createdAt, trial, file, number, name, storedName, originalName, mimeType, size, sha256, uploader, uploaderName, expiresAt',
  }),
  // They go with their file or their trial only.
  refuseDeletions(
    'masterFileVersions',
    'versions of files are kept',
    `${exists('masterFiles', 'OLD.file')} AND ${exists('trials', 'OLD.trial')}`,
  ),
  trigger(
    'masterFilesVersionInsert',
    'AFTER INSERT',
    'masterFileVersions',
    `UPDATE masterFiles SET latest = NEW.number, status = NEW.status,
    approved = iif(NEW.status = 'approved', NEW.number, approved) WHERE _id = NEW.file`,
  ),
  trigger(
    'masterFilesVersionStatus',
    'AFTER UPDATE OF status',
    'masterFileVersions',
    `UPDATE masterFiles SET status = iif(latest = NEW.number, NEW.status, status),
    approved = (SELECT max(number) FROM masterFileVersions WHERE file = NEW.file AND status = 'approved')
    WHERE _id = NEW.file`,
  ),
]
