/** Triggers that keep what wearables measured: a correction keeps what was there, and nothing is deleted before its participant. */
import { refuseDeletions, refuseUpdates, rowExists } from './builders'

const REFUSAL = 'records of wearables are corrected with their history, and not otherwise'

/** All columns by which a record is known. */
const KEY_COLUMNS = ['_id', 'createdAt', 'trial', 'participant', 'service', 'dataset', 'key', 'day']
  .map((column) => `NEW.${column} <> OLD.${column}`)
  .join(' OR ')

/** The list without its bracket at the end: the new list begins with it. */
const OLD_LIST = 'substr(OLD.replaced, 1, length(OLD.replaced) - 1)'
const IS_EXTENDED = `substr(NEW.replaced, 1, length(OLD.replaced) - 1) = ${OLD_LIST}`
const HAS_GROWN = 'json_array_length(NEW.replaced) > json_array_length(OLD.replaced)'
/** More readings of a day can come without a correction. */
const HAS_MORE = `OLD.dataset = 'egv'
    AND json_array_length(NEW.measured, '$.readings') >= json_array_length(OLD.measured, '$.readings')`

export const wearableTriggers: readonly string[] = [
  refuseUpdates('hardwareRecords', REFUSAL, {
    when: `${KEY_COLUMNS} OR NOT (${IS_EXTENDED}) OR (NEW.measured <> OLD.measured AND NOT (${HAS_GROWN}) AND NOT (${HAS_MORE}))`,
  }),
  refuseDeletions('hardwareRecords', REFUSAL, rowExists('participants', 'OLD.participant')),
]
