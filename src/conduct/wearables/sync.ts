/**
 * Reads the data of connected accounts in the background, a few at a time, and notifies providers of connections that ended
 * (docs/wearables.md, "Synchronisation"). No transaction waits for a provider.
 */
import { featuresOf } from '#access/features'
import { appendEntry } from '#audit/append'
import { neededConsent } from '#conduct/consents/required'
import { placesOf } from '#conduct/participants/memberships'
import { type ParticipantRow, participantById } from '#conduct/participants/store'
import { zoneOf } from '#conduct/timeline/progress'
import { providerOf } from '#conduct/wearables/providers/list'
import type { Outcome, ProviderContext, ReadResult, Tokens } from '#conduct/wearables/providers/provider'
import type { Db } from '#db/open'
import { settingsOf } from '#design/trials/rules'
import { type SharedTrial, sharedTrial } from '#design/trials/store'
import type { Services } from '#http/services'
import { Problem } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { DAY, HOUR, type Instant, MINUTE } from '#kernel/time'
import { restartReminders } from './reminders'
import { isUsedFor, nextAt, retryAt } from './rules'
import { saveRecords } from './saveRecords'
import { sealTokens, unsealTokens } from './signIn'
import { type ConnectionRow, changeConnection, connectionOf, dueConnections, type Service } from './store'

/** Accounts that are read at once. */
const MAX_PARALLEL = 8
/** Before it began to take part, at most so much is read of an account. */
const HISTORY = 30 * DAY
/** When a connection is looked at again whose data the trial does not take at the moment. */
const RETRY_PAUSE = HOUR
/** The most records of one reading, which the main thread stores at once: an account has a few hundred in a month. */
const MOST_RECORDS = 5000
/** A token is renewed before it expires. */
const RENEW_BEFORE = MINUTE
/** After this time, a provider that could not be notified of an end is not notified any more: its tokens have expired. */
const END_RETRY_PERIOD = 30 * DAY

type SyncParticipant = { trial: SharedTrial; participant: ParticipantRow }

/** The participant and the trial, if the trial takes data of this connection now. */
function subjectOf(db: Db, { participant: _id, service }: ConnectionRow): SyncParticipant | undefined {
  const participant = participantById(db, _id)
  const trial = participant && sharedTrial(db, participant.trial)
  if (!participant || !trial) return undefined
  const hasLeft =
    participant.isArchived || participant.isWithdrawn || neededConsent(db, { trial, participant }) !== undefined
  const isTaking = !hasLeft && !trial.isArchived && !trial.isDatabaseLocked
  const isUsed = isUsedFor(settingsOf(trial), service, placesOf(db, _id).groups)
  return isTaking && isUsed && featuresOf(db, trial.team).wearables ? { trial, participant } : undefined
}

type DueConnection = { row: ConnectionRow; context: ProviderContext }

const keyOf = ({ participant, service }: ConnectionRow) => ({ participant, service })

/** Makes the function for the background timer. It begins to read what is due and does not wait for it. */
export function wearableSync(services: Services): (services: Services, now: Instant) => Promise<boolean> {
  const { db, commit, wearables, clock } = services
  const running = new Set<string>()
  /** Providers that asked to wait, for all accounts. */
  const notBefore = new Map<Service, Instant>()

  /** Changes the connection unless it has other tokens now. Returns whether it did. */
  const save = ({ row }: DueConnection, change: Partial<ConnectionRow>, effect?: () => void) =>
    commit(() => {
      if (!changeConnection(db, { ...keyOf(row), version: row.version }, change)) return false
      effect?.()
      return true
    })

  /** Renews the tokens. The new ones are on disk before they are used: the old ones work no more. */
  async function renewTokens(due: DueConnection, tokens: Tokens): Promise<Outcome<Tokens>> {
    const { row, context } = due
    const outcome = (await providerOf[row.service].refresh?.({ ...context, now: clock.now() }, tokens)) ?? {
      is: 'revoked' as const,
      detail: reason('signInEnded'),
    }
    if (outcome.is !== 'done') return outcome
    const sealed = sealTokens(services, row.participant, row.service, outcome.value)
    const isKept = await save(due, { tokens: sealed, version: row.version + 1 })
    if (isKept) {
      due.row = { ...row, tokens: sealed, version: row.version + 1 }
      return outcome
    }
    // The connection ended meanwhile, so these tokens must be ended here.
    await providerOf[row.service].end(context, outcome.value)
    return { is: 'later', detail: reason('connectionChanged') }
  }

  /** Reads once, with tokens that are renewed if they have expired. */
  async function readOnce(due: DueConnection, { trial, participant }: SyncParticipant): Promise<Outcome<ReadResult>> {
    const { row, context } = due
    let tokens = unsealTokens(services, row.participant, row.service, row.tokens!)
    const now = clock.now()
    if (tokens.expiresAt !== undefined && tokens.expiresAt - RENEW_BEFORE <= now) {
      const outcome = await renewTokens(due, tokens)
      if (outcome.is !== 'done') return outcome
      tokens = outcome.value
    }
    const earliest = Math.max(participant.createdAt, row.connectedAt - HISTORY)
    const request = { from: Math.max(row.cursor ?? earliest, earliest), earliest, zone: zoneOf(participant, trial) }
    const read = (tokens: Tokens) => providerOf[row.service].read({ ...context, now }, { ...request, tokens })
    const sent = await read(tokens)
    if (sent.is !== 'expired') return sent
    const outcome = await renewTokens(due, tokens)
    return outcome.is === 'done' ? read(outcome.value) : outcome
  }

  /** Stores what was read, if the trial still takes it. */
  function storeResult(due: DueConnection, { records, upTo, isMore }: ReadResult): Promise<boolean> {
    const { row } = due
    const now = clock.now()
    const dueAt = isMore ? now : nextAt(now, providerOf[row.service].intervalSeconds, Math.random())
    return commit(() => {
      const subject = subjectOf(db, row)
      const current = connectionOf(db, row.participant, row.service)
      if (!subject || current?.version !== row.version) return false
      const { participant, service } = row
      const owner = { trial: row.trial, participant, service, source: 'sync', now } as const
      const kept = saveRecords(db, owner, records)
      changeConnection(db, keyOf(row), { cursor: upTo, syncedAt: now, dueAt, failures: 0, problem: null })
      if (kept.added || kept.extended || kept.corrected) {
        const event = { service, ...kept }
        appendEntry(db, {
          chain: row.trial,
          createdAt: now,
          type: 'syncWearable',
          userType: 'system',
          participant,
          event,
        })
      }
      return true
    })
  }

  /** Says on the connection why nothing was read, and when it is tried again. */
  async function fail(due: DueConnection, outcome: Exclude<Outcome<unknown>, { is: 'done' }>): Promise<void> {
    const { row } = due
    const now = clock.now()
    if (outcome.is === 'revoked') {
      const { participant, service } = row
      const problem = outcome.detail.text
      const event = { service, problem }
      const change = {
        status: 'revoked' as const,
        endedAt: now,
        tokens: null,
        version: row.version + 1,
        dueAt: null,
        problem,
      }
      await save(due, change, () => {
        restartReminders(db, participant, service, now)
        appendEntry(db, {
          chain: row.trial,
          createdAt: now,
          type: 'wearableRevoked',
          userType: 'system',
          participant,
          event,
        })
      })
      return
    }
    const failures = row.failures + 1
    const { detail, wait, isShared } =
      outcome.is === 'later' ? outcome : { detail: reason('newTokensFail'), wait: undefined, isShared: false }
    const dueAt = retryAt(now, failures, wait)
    if (isShared && wait !== undefined) notBefore.set(row.service, retryAt(now, 1, wait))
    await save(due, { failures, problem: detail.text, dueAt })
  }

  /** Notifies the provider of a connection that ended, and deletes its tokens. */
  async function endAtProvider(due: DueConnection): Promise<void> {
    const { row, context } = due
    if (row.tokens === null) return void (await save(due, { dueAt: null }))
    const tokens = unsealTokens(services, row.participant, row.service, row.tokens)
    const outcome = await providerOf[row.service].end(context, tokens)
    const now = clock.now()
    const isOver = outcome.is === 'done' || now > (row.endedAt ?? 0) + END_RETRY_PERIOD
    const failures = row.failures + 1
    const wait = outcome.is === 'later' ? outcome.wait : undefined
    await save(due, isOver ? { tokens: null, dueAt: null } : { failures, dueAt: retryAt(now, failures, wait) })
  }

  async function syncConnection(row: ConnectionRow, now: Instant): Promise<void> {
    const configured = wearables[row.service]
    const due = configured && { row, context: { ...configured, now, origin: services.publicUrl } }
    const subject = row.status === 'connected' ? subjectOf(db, row) : undefined
    if (
      !due ||
      (row.status === 'connected' && !subject) ||
      (row.status !== 'connected' && row.status !== 'disconnected')
    )
      return void (await commit(() => changeConnection(db, keyOf(row), { dueAt: now + RETRY_PAUSE })))
    if (!subject) return endAtProvider(due)
    const outcome = await readOnce(due, subject)
    if (outcome.is !== 'done') return fail(due, outcome)
    if (outcome.value.records.length > MOST_RECORDS)
      return fail(due, { is: 'later', detail: reason('tooManyAtOnce', { most: MOST_RECORDS }) })
    try {
      if (await storeResult(due, outcome.value)) return
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return fail(due, { is: 'later', detail: reason('callFailed', { detail: error.message }) })
    }
    await commit(() => changeConnection(db, { ...keyOf(row), version: due.row.version }, { dueAt: now + RETRY_PAUSE }))
  }

  return async (_, now) => {
    if (running.size >= MAX_PARALLEL) return false
    for (const row of dueConnections(db, now, MAX_PARALLEL * 2)) {
      const key = `${row.participant} ${row.service}`
      const wait = notBefore.get(row.service) ?? 0
      if (running.has(key) || running.size >= MAX_PARALLEL) continue
      if (wait > now) {
        await commit(() => changeConnection(db, keyOf(row), { dueAt: wait }))
        continue
      }
      running.add(key)
      void syncConnection(row, now)
        .catch(async (error) => {
          services.fault(error, `wearable ${row.service}`)
          const failures = row.failures + 1
          const change = { failures, problem: 'The server failed. Its log says more.', dueAt: retryAt(now, failures) }
          await commit(() => changeConnection(db, keyOf(row), change)).catch(() => {})
        })
        .finally(() => running.delete(key))
    }
    return false
  }
}
