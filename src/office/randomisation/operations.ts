/** Randomisations: drafts, which are sealed, closed and, at the end, unblinded. */
import { settingsOf } from '#design/trials/rules'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { requireBlindChange } from './blindAdmins'
import { checkDraft, checkRecipients, type Draft } from './check'
import { changedDraft, newDraft } from './draft'
import { Randomisation, RandomisationInput, Randomisations } from './model'
import { mailRemovedRecipients } from './notices'
import { randomisation } from './scope'
import {
  armsOf,
  deleteRandomisation,
  insertRandomisation,
  randomisationsOf,
  replaceArms,
  updateRandomisation,
} from './store'
import { viewOf } from './view'

/** That a randomisation exists, and its state. */
const READ_NEEDS = [
  anywhere('trial.read'),
  anywhere('trial.randomise'),
  anywhere('trial.unblindParticipants'),
  'trial.readRandomisation',
] as const

const listRandomisations = operation({
  id: 'listRandomisations',
  method: 'GET',
  path: '/trials/:trialId/randomisations',
  summary: 'List the randomisations of a trial',
  description: 'Oldest first. Arms, seed and list are absent for readers from whom they are concealed.',
  scope: trial,
  needs: READ_NEEDS,
  returns: Randomisations,
  run: ({ db, trial, access }) => ({
    randomisations: randomisationsOf(db, trial._id).map((row) => viewOf(db, access, row)),
  }),
})

const createRandomisation = operation({
  id: 'createRandomisation',
  method: 'POST',
  path: '/trials/:trialId/randomisations',
  summary: 'Create a draft of a randomisation',
  description: 'The groups and pack types of a blinded randomisation are concealed from now on.',
  scope: trial,
  needs: 'trial.admin',
  changes: 'configuration',
  logs: 'createRandomisation',
  body: RandomisationInput,
  returns: Randomisation,
  run: ({ db, now, id, caller, trial, access, body, record }) => {
    requireBlindChange({ trial, access, body })
    const _id = id()
    const { fields, arms } = newDraft(body, caller.user._id)
    checkDraft(db, trial, { ...fields, _id, trial: trial._id, arms })
    const key = { _id, createdAt: now, createdBy: caller.user._id, trial: trial._id }
    const row = insertRandomisation(db, { ...key, status: 'draft', ...fields })
    replaceArms(
      db,
      row,
      arms.map((arm) => ({ ...arm, _id: id() })),
      id,
    )
    record({ event: { _id, name: row.name, concealed: { after: auditView(fields, arms) } } })
    return viewOf(db, access, row)
  },
})

/** What the audit trail keeps of a draft: not its seed, and the list only as it is sealed. */
const auditView = (
  { seed: _, list: __, ...fields }: ReturnType<typeof newDraft>['fields'],
  arms: readonly object[],
) => ({
  ...fields,
  arms,
})

const readRandomisation = operation({
  id: 'readRandomisation',
  method: 'GET',
  path: '/randomisations/:randomisationId',
  summary: 'Read a randomisation',
  scope: randomisation,
  needs: READ_NEEDS,
  returns: Randomisation,
  run: ({ db, access, randomisation }) => viewOf(db, access, randomisation),
})

const editRandomisation = operation({
  id: 'updateRandomisation',
  method: 'PUT',
  path: '/randomisations/:randomisationId',
  summary: 'Change a draft of a randomisation',
  description:
    'Once it is sealed, only `unblindingRecipients` can change. In a trial with `blindsAdmins`, people with trial.readRandomisation give the seed or the list.',
  scope: randomisation,
  needs: ['trial.admin', 'trial.readRandomisation'],
  changes: 'configuration',
  logs: 'updateRandomisation',
  body: partial(RandomisationInput),
  returns: Randomisation,
  run: (context) => {
    const { db, id, trial, access, randomisation, body, record } = context
    requireBlindChange(context, randomisation)
    const { _id, name, status } = randomisation
    const before = armsOf(db, _id)
    const after = changedDraft(randomisation, before, body)
    const { arms, ...fields } = after
    if (status === 'draft') checkDraft(db, trial, after)
    else requireUnchanged(changedDraft(randomisation, before, {}), after, name)
    checkRecipients(db, trial._id, after.unblindingRecipients)
    const { unblindingRecipients } = after
    const dropped = randomisation.unblindingRecipients.filter((user) => !unblindingRecipients.includes(user))
    if (settingsOf(trial).blindsAdmins) mailRemovedRecipients(context, dropped)
    const row = updateRandomisation(db, _id, status === 'draft' ? fields : { unblindingRecipients })
    if (status === 'draft') {
      replaceArms(
        db,
        row,
        arms.map((arm, index) => ({ ...arm, _id: before[index]?._id ?? id() })),
        id,
      )
    }
    record({
      event: { name: row.name, concealed: { before: auditView(randomisation, before), after: auditView(row, arms) } },
    })
    return viewOf(db, access, row)
  },
})

/** Refuses (400) to change what is sealed. Sending the same values is not a change. */
function requireUnchanged(before: Draft, after: Draft, name: string): void {
  const { unblindingRecipients: _, ...sealed } = after
  const changed = Object.entries(sealed).flatMap(([field, value]) =>
    JSON.stringify(value) === JSON.stringify(before[field as keyof Draft]) ? [] : [field],
  )
  if (changed.length) throw refuse.bad('sealedFields', { name, fields: changed })
}

const removeRandomisation = operation({
  id: 'deleteRandomisation',
  method: 'DELETE',
  path: '/randomisations/:randomisationId',
  summary: 'Delete a draft of a randomisation',
  description: 'Refused once it is sealed: it is a part of the record.',
  scope: randomisation,
  needs: 'trial.admin',
  changes: 'configuration',
  logs: 'deleteRandomisation',
  returns: shape({}),
  run: ({ db, randomisation, record }) => {
    const { _id, name, status } = randomisation
    if (status !== 'draft') throw refuse.bad('sealedNotDeleted', { name })
    const before = auditView(randomisation, armsOf(db, _id))
    deleteRandomisation(db, _id)
    record({ event: { name, concealed: { before } } })
    return {}
  },
})

export const randomisationOperations = [
  listRandomisations,
  createRandomisation,
  readRandomisation,
  editRandomisation,
  removeRandomisation,
] as const
