/** Requests that can be performed and repeated, of every operation that changes something. */
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { apiKeys, deletions, permissions, teamMembers } from '#db/tables/index'
import type { AnyOperation } from '#http/operation'
import { insertJob } from '#jobs/queue'
import { newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { operations } from '#start/app'
import { anything, keyed as keyedBy } from '#wire/schema'
import { addConsent } from './conduct/consents/consentRows'
import { bodyOf, nameOf, pathOf, whoMay } from './every-operation.shared'
import { type Everything, everything } from './everything'
import { PASSWORD, type Person } from './harness'
import { allocateWithPacks } from './office/dispensations/requests'
import { keepDeleted } from './purge'

export const writes = operations.filter((op) => op.method !== 'GET')
export const keyed = writes.filter((op) => op.secret !== true)

type EverythingWithSession = Everything & { session: Person }
type Case = { by?: Person; change?: Record<string, string>; body?: unknown }

const ofAnna = (every: Everything, rest: string) => `/trials/${every.trial}/participants/${every.anna}/${rest}`

/** The code that an authenticator shows now, or half a minute later. */
const codeAt = ({ now }: Everything, secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(now())! / 1000 + steps * 30_000 })

const totp = async ({ session }: EverythingWithSession): Promise<string> => (await session.do('beginTotp')).secret

/** A draft of a randomisation: that of test/everything.ts is sealed. */
const draft = async ({ owner, trial, bodies }: EverythingWithSession): Promise<string> =>
  (await owner.call('POST', `/trials/${trial}/randomisations`, bodies['POST /trials/:trialId/randomisations'])).body._id

/** An entry that the participant made: those of the team are not theirs to change. */
async function ownEntry({ signIn }: Everything) {
  const by = await signIn()
  const eaten = { date: '2026-03-02', meal: 'snack', foodId: 173944, portion: { size: 118, unit: 'grams' } } as const
  const { _id } = await by.do('createOwnFoodDiaryEntry', eaten)
  return { by, change: { entryId: _id } }
}

/** What must be there before some of the operations can succeed; what the rest needs is in test/everything.ts. */
const prepared: Record<string, (every: EverythingWithSession) => Promise<Case>> = {
  'DELETE /jobs/:jobId': async ({ db, owner, service }) => {
    const job = { _id: newId(0), createdAt: 0, user: owner._id, trial: null, input: {} }
    const { jobId } = insertJob(db, { kind: 'noSuchKind', input: keyedBy(anything()) }, job)
    service.services.cancellations.set(jobId, new AbortController())
    return { change: { jobId } }
  },
  'DELETE /trials/:trialId/consentDocuments/:documentId': async ({ owner, trial }) => {
    const { _id } = await owner.do('createConsentForm', trial, { document: '<p>Nobody signed it.</p>' })
    return { change: { documentId: _id } }
  },
  ...Object.fromEntries(
    [
      ...['/trials/:trialId/restoration', '/trials/:trialId/deletions/:deletionId/restoration'],
      ...['trials/:trialId', 'teams/:teamId'].flatMap((of) => [
        `/${of}/deletions/:deletionId/purge`,
        `/${of}/deletions/:deletionId/purge/confirmation`,
      ]),
    ].map((path) => [
      `POST ${path}`,
      async ({ session, db, now, colleague }: EverythingWithSession) => {
        await session.do('confirmIdentity', { password: PASSWORD })
        if (!path.endsWith('/confirmation')) return { by: session }
        // The colleague has asked for it, and may.
        db.update(deletions)
          .set({ purgeAskedAt: parseInstant(now()) ?? 0 })
          .run()
        db.update(teamMembers)
          .set({ permissions: ['trials.manage'] })
          .where(eq(teamMembers.user, colleague._id))
          .run()
        return { by: session }
      },
    ]),
  ),
  'POST /trials/:trialId/consents/:consentId/countersignature': async ({ session, owner, trial, db, now }) => {
    const form = { document: '<p>We sign, too.</p>', formKey: 'both', requiresCountersignature: true }
    const { _id } = await owner.do('createConsentForm', trial, form)
    const { consent } = addConsent(db, { trial, form: _id, at: parseInstant(now()) ?? 0 })
    await session.do('confirmIdentity', { password: PASSWORD })
    return { by: session, change: { consentId: consent } }
  },
  'POST /consent-sessions/:token/verifications': async ({ nobody }) => ({
    change: { token: (await nobody.do('startConsentSession', 'everything', 'main', {})).token },
  }),
  'POST /consent-sessions/:token/photo': async ({ owner, nobody, trial }) => {
    const form = { document: '<p>Show who you are.</p>', formKey: 'photo', identityVerificationEnabled: true }
    await owner.do('createConsentForm', trial, form)
    return { change: { token: (await nobody.do('startConsentSession', 'everything', 'photo', {})).token } }
  },
  'DELETE /trials/:trialId/participants/:participantId/stageOverrides': async (every) => {
    const body = every.bodies['POST /trials/:trialId/participants/:participantId/stageOverrides']
    await every.owner.call('POST', ofAnna(every, 'stageOverrides'), body)
    return {}
  },
  'DELETE /trials/:trialId/participants/:participantId/anchors/:anchorId': async (every) => {
    await every.owner.call('PUT', ofAnna(every, `anchors/${every.params.anchorId}`), { datetime: every.now() })
    return {}
  },
  'DELETE /trials/:trialId/participants/:participantId/draftResponses/:stageId': async (every) => {
    await every.owner.call('PUT', `${every.url()}?draft=true`, { response: {} })
    return {}
  },
  'DELETE /trials/:trialId/responses/:responseId/dataTypes/:dataTypeId/validations': async (every) => {
    await every.owner.call('POST', `/trials/${every.trial}/responses/${every.params.responseId}/validations`)
    return {}
  },
  'POST /trials/:trialId/responses/:responseId/allocations': async (every) => {
    await every.owner.call('DELETE', `/trials/${every.trial}/responses/${every.params.responseId}/allocations`)
    return {}
  },
  'POST /files/:fileId/approvals': async ({ owner, params }) => {
    await owner.do('withdrawFileApproval', params.fileId!, params.approvalId!)
    return {}
  },
  'POST /trials/:trialId/signatures': async ({ session, owner, trial }) => {
    await owner.do('updateTrial', trial, { responseSigningEnabled: true })
    await session.do('confirmIdentity', { password: PASSWORD })
    return { by: session }
  },
  'POST /delegations/:delegationId/signatures': async ({ session }) => {
    await session.do('confirmIdentity', { password: PASSWORD })
    return { by: session }
  },
  'DELETE /data-types/:dataTypeId': async ({ owner, trial }) => {
    const { _id } = await owner.do('createDataType', trial, { name: 'Height', format: 'integer' })
    return { change: { dataTypeId: _id } }
  },
  'DELETE /stages/:stageId': async ({ owner, trial }) => {
    const { body } = await owner.call('POST', `/trials/${trial}/stages`, { name: 'Visit 2' })
    return { change: { stageId: body._id } }
  },
  'DELETE /randomisations/:randomisationId': async (every) => ({ change: { randomisationId: await draft(every) } }),
  'POST /randomisations/:randomisationId/sealing': async (every) => ({
    change: { randomisationId: await draft(every) },
  }),
  'POST /randomisations/:randomisationId/unblinding': async ({ owner, session, params }) => {
    await owner.call('POST', `/randomisations/${params.randomisationId}/closing`)
    await session.do('confirmIdentity', { password: PASSWORD })
    return { by: session }
  },
  'DELETE /pack-types/:packTypeId': async ({ owner, trial }) => {
    const { _id } = await owner.do('createPackType', trial, { name: 'Inhalers' })
    return { change: { packTypeId: _id } }
  },
  'DELETE /trials/:trialId/participants/:participantId/packs/:packId': async (every) => {
    await every.owner.call('PUT', ofAnna(every, `packs/${every.params.packId}`))
    return {}
  },
  'POST /trials/:trialId/participants/:participantId/erasure': async ({ owner, trial, anna }) => {
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
    return {}
  },
  'POST /trials/:trialId/consents/:consentId/erasure': async ({ owner, trial, db, now }) => {
    const { _id: form } = await owner.do('createConsentForm', trial, { document: '<p>Please read.</p>' })
    const { consent } = addConsent(db, { trial, form, at: parseInstant(now()) ?? 0 })
    await owner.do('withdrawConsent', trial, consent, { reason: 'They moved away.' })
    return { change: { consentId: consent } }
  },
  'PUT /participants/foodDiaryEntries/:entryId': async (every) => ({
    ...(await ownEntry(every)),
    body: { quantity: 2 },
  }),
  'DELETE /participants/foodDiaryEntries/:entryId': (every) => ownEntry(every),
  'DELETE /stages': async (every) => {
    const { body } = await every.owner.call('POST', `/trials/${every.trial}/stages`, { name: 'Visit 2' })
    every.queries['DELETE /stages'] = `?ids=${body._id}`
    return {}
  },
  'DELETE /users/me/api-keys/:keyId': async ({ session }) => {
    const { _id } = await session.do('createApiKey', { name: 'Laptop' })
    return { change: { keyId: _id } }
  },
  'POST /users/me/api-keys/:keyId/confirmation': async ({ session, db }) => {
    const { _id } = await session.do('createApiKey', { name: 'Laptop' })
    db.update(apiKeys).set({ suspendedAt: 1 }).where(eq(apiKeys._id, _id)).run()
    return { change: { keyId: _id } }
  },
  'POST /randomisations/:randomisationId/dispensations': async (every) => ({
    change: { randomisationId: await allocateWithPacks(every, every.trial, every.carl) },
    body: { participant: every.carl },
  }),
  // Kept: its purge takes the rows that are compared.
  'DELETE /trials/:trialId': async (every) => {
    keepDeleted(every)
    return {}
  },
  'POST /users/me/email': async () => ({ body: { email: 'new@example.org', password: PASSWORD } }),
  'POST /users/me/email/confirmations': async ({ session, db }) => {
    await session.do('requestEmailChange', { email: 'new@example.org', password: PASSWORD })
    const sent = db.$client
      .query<{ subject: string }, []>("SELECT subject FROM outbox WHERE recipient = 'new@example.org'")
      .get()
    return { body: { code: /\d{6}/.exec(sent?.subject ?? '')?.[0] } }
  },
  'PUT /users/me/totp': async (every) => ({ body: { password: PASSWORD, code: codeAt(every, await totp(every)) } }),
  'DELETE /users/me/totp': async (every) => {
    const secret = await totp(every)
    await every.session.do('enableTotp', { password: PASSWORD, code: codeAt(every, secret) })
    return { body: { password: PASSWORD, code: codeAt(every, secret, 1) } }
  },
  'POST /users/me/recovery-codes': async (every) => {
    const secret = await totp(every)
    await every.session.do('enableTotp', { password: PASSWORD, code: codeAt(every, secret) })
    return { body: { password: PASSWORD, code: codeAt(every, secret, 1) } }
  },
  'DELETE /users/me/sessions/:sessionId': async ({ session, person }) => {
    await person({}).do('signIn', { email: 'owner@example.org', password: PASSWORD })
    const { sessions } = await session.do('listSessions')
    const other = sessions.find((each: { isCurrent: boolean }) => !each.isCurrent)
    return { change: { sessionId: other?._id ?? '' } }
  },
  'POST /sessions/confirmations': async () => ({ body: { password: PASSWORD } }),
  'POST /setup/:token': async ({ owner, team }) => {
    const { setupUrl } = await owner.do('inviteMember', team, {
      email: 'new@example.org',
      name: 'New',
      permissions: [],
    })
    return { change: { token: setupUrl!.split('/').at(-1)! } }
  },
  'POST /trials/:trialId/second-requests/:requestId/confirmation': async (every) => {
    await every.session.do('confirmIdentity', { password: PASSWORD })
    every.db
      .insert(permissions)
      .values({ user: every.params.userId!, trial: every.trial, scope: every.trial, keys: ['trial.admin'] })
      .run()
    return { by: every.session }
  },
  'PUT /trials/:trialId/users/:userId/unblinding-permissions': async (every) => {
    await every.session.do('confirmIdentity', { password: PASSWORD })
    every.db.$client.run(`UPDATE trials SET settings = json_set(settings, '$.blindsAdmins', json('true'))`)
    every.db.$client.run(`UPDATE users SET passwordHash = 'chosen' WHERE _id = ?`, [every.params.userId!])
    await every.owner.call('PUT', `/trials/${every.trial}/users/${every.params.userId}/permissions`, {
      permissions: { [every.trial]: ['trial.read'] },
    })
    return { by: every.session }
  },
  'DELETE /users/:userId/roles/:roleId': async ({ owner, params }) => {
    await owner.call('PUT', `/users/${params.userId}/roles/${params.roleId}`)
    return {}
  },
}

/** A world in which the operation can be performed; `send` performs it with a key. */
export async function ready(op: AnyOperation) {
  const every = await everything()
  const session = await every.signInStaff(every.owner)
  const { by, change, body } = (await prepared[nameOf(op)]?.({ ...every, session })) ?? {}
  const who = whoMay(op)
  const as =
    by ?? (who.includes('participant') ? await every.signIn() : who.includes('session') ? session : every.owner)
  const send = (person: Person = as, sent = body ?? bodyOf(op, every)) =>
    person.call(op.method, pathOf(op, every, change), sent, { headers: { 'Idempotency-Key': 'k' } })
  return { every, send }
}

export type Ready = Awaited<ReturnType<typeof ready>>
