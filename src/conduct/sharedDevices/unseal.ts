/** Opens what shared tablets have sealed (docs/shared-tablets.md, "Sealed answers"). */
import { wasDeleted } from '#audit/store'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { isRestorable } from '#design/deletions/store'
import type { Services } from '#http/services'
import { refuse } from '#kernel/problem'
import { textFaults } from '#kernel/text'
import type { CheckResult } from '#wire/check'
import { type Pass, readPass } from './pass'
import type { DeviceRow } from './store'

/**
 * What an envelope of this tablet holds, and who was signed in when it was sealed.
 * @throws 400 for what is no envelope of this tablet, sealed to this server
 */
export function unseal<Content extends { pass: string }>(
  { envelopes, seal }: Pick<Services, 'envelopes' | 'seal'>,
  device: DeviceRow,
  envelope: string,
  check: (value: unknown) => CheckResult,
): Content & { by: Pass } {
  const text = envelopes.open(envelope, device._id)
  const unreadable = () => refuse.bad('unreadableEnvelope')
  if (text === undefined) throw unreadable()
  const content = readJson(text)
  if (textFaults(content, 1).length) throw unreadable()
  const checked = check(content)
  if (checked.problems) throw unreadable()
  const sealed = checked.value as Content
  const by = readPass(seal, sealed.pass)
  if (by?.device !== device._id) throw refuse.bad('foreignEnvelope')
  return { ...sealed, by }
}

/**
 * The participant who was signed in; undefined if they were deleted and purged.
 * @throws 400 for one who can be restored, or whom the server does not know, as after a restore of a backup from before: the tablet must
 * keep their answers
 */
export function participantOfPass(db: Db, { participant }: Pass): ParticipantRow | undefined {
  const known = rowById(db, participants, participant)
  if (isRestorable(db, participant)) throw refuse.bad('participantDeleted')
  if (known || wasDeleted(db, participant)) return known
  throw refuse.bad('unknownParticipant')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
