/**
 * Checks that every participant has the packs of their arm (docs/backup.md, "Verify faults"). What a randomisation gave and no longer
 * fits was changed in the database. A pack of another arm that somebody chose by hand, which earlier versions let them do, is a fact about the
 * study, and no damage of the database: it is named.
 */
import type { Sqlite } from '#db/open'
import { connectionOf } from '#db/textIndex'
import { fault } from '#kernel/fault'
import { instantText } from '#kernel/time'
import { changedPack, givenPacks, misplacedPack, packsOfOtherArms, type WrongPack } from './verifyStore'

const nameOf = ({ pack, name, participantId }: WrongPack) =>
  `the pack “${name ?? pack}” of “${participantId ?? 'nobody'}”`

/** Returns a summary. @throws a fault that names the first pack that is not as its events, its dispensation and its arm say */
export function verifyDispensing(sqlite: Sqlite): string {
  const db = connectionOf(sqlite)
  const changed = changedPack(db)
  if (changed) throw fault(`${nameOf(changed)} was dispensed to somebody else, or was of another type then`)
  const misplaced = misplacedPack(db)
  if (misplaced)
    throw fault(`${nameOf(misplaced)} is not of the arm, or with the participant, for which it was dispensed`)
  return `${givenPacks(db)} packs that randomisations gave are of the arms of their participants`
}

/** Dispensed packs that are not of the participant's arm, a sentence for each. */
export const wrongPacks = (sqlite: Sqlite): { sentence: string; isWithParticipant: boolean }[] =>
  packsOfOtherArms(connectionOf(sqlite)).map((wrong) => ({
    sentence: `${nameOf(wrong)}, trial ${wrong.code}, is not of their arm: assigned by hand, recorded at ${instantText(wrong.recordedAt)}`,
    isWithParticipant: wrong.state === 'dispensed',
  }))
