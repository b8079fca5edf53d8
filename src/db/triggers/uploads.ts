/** Triggers that keep, for each trial and each participant, how many bytes of complete uploads are stored for it. */
import { trigger } from './builders'

const isCounted = (row: string) =>
  `${row}.kind = 'upload' AND ${row}.finishedAt IS NOT NULL AND ${row}.size IS NOT NULL`

const add = (owner: string, when: string) => `INSERT INTO uploadTotals SELECT ${owner}, NEW.size WHERE ${when}
    ON CONFLICT (_id) DO UPDATE SET bytes = bytes + excluded.bytes`

const addNew = `${add('NEW.trial', `NEW.trial IS NOT NULL AND ${isCounted('NEW')}`)};
  ${add('NEW.forId', `NEW.forType = 'participant' AND ${isCounted('NEW')}`)}`

const OWNERS = `(OLD.trial, iif(OLD.forType = 'participant', OLD.forId, NULL))`

const subtractOld = `UPDATE uploadTotals SET bytes = bytes - OLD.size WHERE _id IN ${OWNERS} AND ${isCounted('OLD')};
  DELETE FROM uploadTotals WHERE _id IN ${OWNERS} AND bytes = 0`

export const uploadTotals: readonly string[] = [
  trigger('filesTotalsInsert', 'AFTER INSERT', 'files', addNew, isCounted('NEW')),
  trigger('filesTotalsDelete', 'AFTER DELETE', 'files', subtractOld, isCounted('OLD')),
  trigger(
    'filesTotalsUpdate',
    'AFTER UPDATE OF kind, trial, forType, forId, size, finishedAt',
    'files',
    `${subtractOld};\n  ${addNew}`,
  ),
]
