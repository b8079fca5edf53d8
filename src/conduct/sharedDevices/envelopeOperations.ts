/** Takes answers that a shared tablet sealed because it could not send them (docs/shared-tablets.md, "Sealed answers"). */
import { SHARED_SESSION } from '#access/identify'
import { requireEntryConsent, requireNotWithdrawn, storeHeldEntry } from '#conduct/heldEntries/hold'
import { heldEntryOf, isStored } from '#conduct/heldEntries/store'
import type { ParticipantRow } from '#conduct/participants/store'
import { submitOwn } from '#conduct/responses/ownResponse'
import { inSavepoint } from '#db/commit'
import type { SharedTrial } from '#design/trials/store'
import { storeLastUse } from '#http/lastSeenStore'
import { type Note, operation, type RequestContext } from '#http/operation'
import { Problem } from '#kernel/problem'
import { checker } from '#wire/check'
import type { ValueOf } from '#wire/schema'
import { Envelope, SealedEntry, UnsealedEntry } from './model'
import type { Pass } from './pass'
import { isWithinSession } from './rules'
import { namedTablet } from './scope'
import { attachFiles } from './sealedFiles'
import { participantOfPass, unseal } from './unseal'
import { notifyUnseenMessages } from './unseenMessages'

type SealedSubmission = ValueOf<typeof SealedEntry>

const check = checker(SealedEntry)

/** Why an entry is given to staff without being tried; undefined if nothing speaks against it. */
function reasonToHold(
  { isDatabaseLocked }: SharedTrial,
  { unfinished, withoutFiles, response, by }: SealedSubmission & { by: Pass },
) {
  if (unfinished)
    return { code: 'unfinished', message: 'The participant had not sent this form when the session ended.' }
  if (withoutFiles) return { code: 'filesMissing', message: 'Files of this form could not be sent, and were not kept.' }
  const times = Object.values(response).map(({ createdAt }) => createdAt ?? undefined)
  if (!isWithinSession(times, by.began, SHARED_SESSION))
    return { code: 'notOfSession', message: 'Answers have times outside the session in which they were given.' }
  if (isDatabaseLocked) return { code: 'locked', message: 'The database is locked.' }
  return undefined
}

type EntryContext = RequestContext & {
  trial: SharedTrial
  participant: ParticipantRow
  headers: Record<string, string>
  record(note: Note): void
}

/** Submits the entry as the participant. Returns why the study refuses it; undefined if it is stored. @throws what is no refusal of it */
function submitSealed(context: EntryContext, { entry, stage, response, opened, version }: SealedSubmission) {
  const form = { ...(opened ? { opened } : {}), ...(version ? { version } : {}) }
  const notes: Note[] = []
  const own = { ...context, key: entry, record: (note: Note) => notes.push(note) }
  try {
    inSavepoint(context.db, () => submitOwn(own, stage, response, form, 'account'))
    for (const note of notes) context.record({ type: 'submitResponse', ...note })
    return undefined
  } catch (reason) {
    if (!(reason instanceof Problem) || reason.status >= 500) throw reason
    const { message, details } = reason.body
    const code = typeof details?.code === 'string' && /^[A-Za-z]{1,50}$/.test(details.code) ? details.code : null
    return { code, message: message.slice(0, 2000) }
  }
}

function storeOrHold(context: EntryContext, sealed: SealedSubmission & { by: Pass }): 'stored' | 'held' {
  const { db, participant, record } = context
  const { entry, stage: path, response, opened } = sealed
  if (isStored(db, participant._id, entry)) return 'stored'
  if (heldEntryOf(db, participant._id, entry)) return 'held'
  requireNotWithdrawn(participant)
  const why = reasonToHold(context.trial, sealed) ?? submitSealed(context, sealed)
  if (!why) return 'stored'
  requireEntryConsent(context, { path, response, ...(opened && { opened }) })
  const { event } = storeHeldEntry(context, { entry, path, response, ...why })
  record({ type: 'holdEntry', event })
  return 'held'
}

const openEnvelope = operation({
  id: 'openSharedDeviceEnvelope',
  method: 'POST',
  path: '/shared-devices/envelopes',
  summary: 'Hand over answers that a shared tablet has sealed',
  description:
    'The answers are those of the participant who was signed in when they were sealed, and count by their own times, as late answers do. What the study refuses is held for the study team. The same entry is taken once. The envelope itself proves whose answers it holds, so that it needs no sign-in, and is taken after the end of the tablet too.',
  who: 'anyone',
  scope: namedTablet,
  needs: 'nothing',
  limit: 240,
  logs: 'openSharedDeviceEnvelope',
  body: Envelope,
  maxBodyBytes: 2_100_000,
  returns: UnsealedEntry,
  run: (context) => {
    const { db, services, device, trial, body, now, record } = context
    const opened = unseal<SealedSubmission>(services, device, body.envelope, check)
    storeLastUse(db, 'sharedDevices', device._id, now)
    const participant = participantOfPass(db, opened.by)
    if (!participant) {
      record({ event: { sharedDevice: device._id, participantDeleted: true } })
      return { status: 'deleted' } as const
    }
    const sealed = attachFiles({ db, services }, opened)
    const by = { by: { participant: participant._id }, participant: participant._id }
    const on = { sharedDevice: device._id }
    const recordOf = (note: Note) => record({ ...by, ...note, event: { ...on, ...note.event } })
    const status = storeOrHold({ ...context, trial, participant, record: recordOf }, sealed)
    if (status === 'stored') notifyUnseenMessages({ ...context, trial, participant }, sealed.entry)
    recordOf({ event: { entryId: sealed.entry, status } })
    return { status }
  },
})

export const envelopeOperations = [openEnvelope] as const
