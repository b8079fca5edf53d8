/** How staff decide about entries that the study refused (docs/offline.md, "Held entries"). */
import { scopeOf } from '#access/caller'
import { participantInScopes } from '#access/visibilityStore'
import { requireConsent } from '#conduct/consents/required'
import { type ParticipantScope, participant } from '#conduct/participants/scope'
import { staffAuthor } from '#conduct/responses/events'
import { occurrenceAt } from '#conduct/responses/occurrence'
import { submitWithEffects } from '#conduct/responses/submission'
import { readResponse } from '#conduct/responses/views'
import { updateById } from '#db/rows'
import { heldEntries } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import type { SentAnswer } from '#design/forms/form'
import { type HiddenFieldTest, hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { trial } from '#design/trials/scope'
import { anywhere, operation, type RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { hourLinkMaker } from '#storage/links'
import { storeHeldEntry } from './hold'
import { Acceptance, AcceptedEntry, HeldEntries, HeldEntry, HeldEntryFilter, Refusal, SavedCopy } from './model'
import { heldEntry } from './scope'
import { type HeldEntryRow, heldEntriesIn, LARGEST_HELD } from './store'

const listedView = ({ path, ...held }: HeldEntryRow & { participantId: string }) => ({ ...held, stage: path })
const answersOf = ({ body }: HeldEntryRow): Record<Id, SentAnswer> => JSON.parse(body)

/** A held entry without the answers that are hidden from the reader, and the texts that may quote them. */
function heldEntryView(held: HeldEntryRow, participantId: string, hidden: HiddenFieldTest) {
  const all = Object.entries(answersOf(held))
  const answers = Object.fromEntries(all.filter(([dataType]) => !hidden(dataType)))
  const count = all.length - Object.keys(answers).length
  const texts = count ? { message: null, reason: null } : {}
  return { ...listedView({ ...held, participantId }), ...texts, answers, hidden: count }
}

const viewForReader = (
  { db, trial, access, places, participant }: Pick<RequestContext, 'db'> & ParticipantScope,
  held: HeldEntryRow,
) => heldEntryView(held, participant.id, hiddenFrom(configuration(db, trial), access, places))

/** Refuses (400) a second decision about an entry. */
function requireHeld({ status }: HeldEntryRow): void {
  if (status === 'accepted') throw refuse.bad('entryAccepted')
  if (status === 'refused') throw refuse.bad('entryRefused')
}

const listHeld = operation({
  id: 'listHeldEntries',
  method: 'GET',
  path: '/trials/:trialId/heldEntries',
  summary: 'List the entries that the study refused',
  description: 'Newest first, without their answers.',
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  reads: ({ heldEntries }) => heldEntries.map(({ participant }) => participant),
  query: HeldEntryFilter,
  returns: HeldEntries,
  run: ({ db, trial, access, query: { page = 1, perPage = 30, ...filter } }) => {
    const visible = participantInScopes([scopeOf(access, ['readParticipantStudyData'])], heldEntries.participant)
    const rows = heldEntriesIn(db, trial._id, filter, visible, perPage + 1, (page - 1) * perPage)
    return { heldEntries: rows.slice(0, perPage).map(listedView), page, nextPageAvailable: rows.length > perPage }
  },
})

const readHeld = operation({
  id: 'readHeldEntry',
  method: 'GET',
  path: '/trials/:trialId/heldEntries/:heldEntryId',
  summary: 'Read an entry that the study refused',
  scope: heldEntry,
  needs: 'trial.readParticipantStudyData',
  returns: HeldEntry,
  run: (context) => viewForReader(context, context.held),
})

const importSavedCopy = operation({
  id: 'readInSavedCopy',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/heldEntries',
  summary: 'Read in the copy of an entry that a participant saved',
  description:
    'For answers that never left a device: the body is `entry.json` of the copy. It becomes a held entry, to be entered or refused as any other; the same entry is held once. Upload the files of the copy for the participant, and name them in `response` when you enter it.',
  scope: participant,
  needs: 'trial.writeParticipantStudyData',
  logs: 'readInSavedCopy',
  body: SavedCopy,
  maxBodyBytes: LARGEST_HELD,
  returns: HeldEntry,
  run: (context) => {
    const { db, id, now, trial, participant, caller, body, record } = context
    if (body.trial !== trial._id || body.participant !== participant._id) throw refuse.bad('copyOfAnother')
    if (participant.isArchived) throw refuse.bad('archivedTakesNoData')
    if (participant.isWithdrawn) throw refuse.bad('participantWithdrawn')
    const { entry, stage: path, response, code, message } = body
    const copy = { entry, path, response, code: code || null, message, broughtBy: caller.user._id }
    const { held, event } = storeHeldEntry({ db, id, now, trial, participant }, copy)
    record({ event })
    return viewForReader(context, held)
  },
})

const acceptHeld = operation({
  id: 'acceptHeldEntry',
  method: 'POST',
  path: '/trials/:trialId/heldEntries/:heldEntryId/acceptance',
  summary: 'Enter the answers of a held entry',
  description:
    'They are entered as by staff, with the note, and checked as any entry is. Staff who may not see one of the answers cannot enter them.',
  scope: heldEntry,
  needs: 'trial.writeParticipantStudyData',
  changes: 'data',
  logs: 'submitResponse',
  body: Acceptance,
  returns: AcceptedEntry,
  run: (context) => {
    const { db, services, now, trial, participant, access, places, held, body, caller, record } = context
    requireHeld(held)
    if (participant.isArchived) throw refuse.bad('archivedTakesNoData')
    const config = configuration(db, trial)
    const hidden = hiddenFrom(config, access, places)
    const answers = answersOf(held)
    if (Object.keys(answers).some(hidden))
      throw refuse.missingPermission(['trial.readParticipantStudyDataRestricted', 'trial.readParticipantStudyDataPii'])
    const sent = { ...answers, ...body.response }
    if (!Object.keys(sent).length) throw refuse.bad('entryWithoutAnswers')
    const occurrence = occurrenceAt(db, config, participant._id, held.path)
    const keys = config.stages.get(occurrence.stage)?.requiresConsent
    const { row, known, ignoredNotice } = submitWithEffects(context, {
      configuration: config,
      ...occurrence,
      consent: requireConsent(db, { trial, participant }, keys, body.withoutConsentReason),
      sent,
      hidden,
      by: staffAuthor(caller.user),
      updateNote: body.updateNote,
      entry: held.entry,
    })
    const decision = { status: 'accepted', decidedAt: now, decidedBy: caller.user._id, response: row._id } as const
    updateById(db, heldEntries, held._id, { ...decision, reason: body.updateNote })
    record({ event: { heldEntry: held._id } })
    return {
      ...readResponse(db, config, row, participant, hidden, known, hourLinkMaker(services, now)),
      ...ignoredNotice,
    }
  },
})

const refuseHeld = operation({
  id: 'refuseHeldEntry',
  method: 'POST',
  path: '/trials/:trialId/heldEntries/:heldEntryId/refusal',
  summary: 'Refuse a held entry, with a reason',
  description: 'Its answers become no study data. They stay readable here.',
  scope: heldEntry,
  needs: 'trial.writeParticipantStudyData',
  logs: 'refuseHeldEntry',
  body: Refusal,
  returns: HeldEntry,
  run: (context) => {
    const { db, now, held, body, caller, record } = context
    requireHeld(held)
    const decision = { status: 'refused', decidedAt: now, decidedBy: caller.user._id, reason: body.reason } as const
    const after = updateById(db, heldEntries, held._id, decision)
    record({ event: { heldEntry: held._id }, personal: { reason: body.reason } })
    return viewForReader(context, after)
  },
})

export const heldEntryOperations = [listHeld, readHeld, importSavedCopy, acceptHeld, refuseHeld] as const
