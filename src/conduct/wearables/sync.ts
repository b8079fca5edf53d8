/**
 * Reads the data of connected accounts in the background, a few at a time, and tells providers of connections that ended
 * (docs/wearables.md, "Synchronisation"). No transaction waits for a provider.
 */
import { featuresOf } from '#access/features'
import { appendEntry } from '#audit/append'
import { neededConsent } from '#conduct/consents/required'
import { placesOf } from '#conduct/participants/memberships'
import { type ParticipantRow, shownParticipant } from '#conduct/participants/store'
import { zoneOf } from '#conduct/timeline/progress'
import { providerOf } from '#conduct/wearables/providers/list'
import type { Outcome, Reach, Sent, Tokens } from '#conduct/wearables/providers/provider'
import type { Db } from '#db/open'
import { settingsOf } from '#design/trials/rules'
import { type SharedTrial, sharedTrial } from '#design/trials/store'
import type { Services } from '#http/services'
import { Problem } from '#kernel/problem'
import { DAY, HOUR, type Instant, MINUTE } from '#kernel/time'
import { keepRecords } from './keep'
import { remindAgain } from './reminders'
import { isUsedFor, nextAt, retryAt } from './rules'
import { closeTokens, openTokens } from './signIn'
import { type ConnectionRow, changeConnection, connectionOf, dueConnections, type Service } from './store'

/** Accounts that are read at once. */
const AT_ONCE = 8
/** Before it began to take part, at most so much is read of an account. */
const HISTORY = 30 * DAY
/** When a connection is looked at again whose data the trial does not take at the moment. */
const PAUSE = HOUR
/** The most records of one reading, which the main thread stores at once: an account has a few hundred in a month. */
const MOST_RECORDS = 5000
/** A token is renewed before it expires. */
const EARLY = MINUTE
/** After that, a provider that cannot be told of an end is not told any more: its tokens have expired. */
const TELL = 30 * DAY

const TOO_MUCH = `It sent more than ${MOST_RECORDS} records at once.`

type Subject = { trial: SharedTrial; participant: ParticipantRow }

/** The participant and the trial, if the trial takes data of this connection now. */
function subjectOf(db: Db, { participant: _id, service }: ConnectionRow): Subject | undefined {
  const participant = shownParticipant(db, _id)
  const trial = participant && sharedTrial(db, participant.trial)
  if (!participant || !trial) return undefined
  const hasLeft =
    participant.isArchived || participant.isWithdrawn || neededConsent(db, { trial, participant }) !== undefined
  const isTaking = !hasLeft && !trial.isArchived && !trial.isDatabaseLocked
  const isUsed = isUsedFor(settingsOf(trial), service, placesOf(db, _id).groups)
  return isTaking && isUsed && featuresOf(db, trial.team).wearables ? { trial, participant } : undefined
}

type Found = { row: ConnectionRow; reach: Reach }

const keyOf = ({ participant, service }: ConnectionRow) => ({ participant, service })

/** Makes the function for the background timer. It begins to read what is due and does not wait for it. */
export function wearableSync(services: Services): (services: Services, now: Instant) => Promise<boolean> {
  const { db, commit, wearables, clock } = services
  const running = new Set<string>()
  /** Providers that asked to wait, for all accounts. */
  const notBefore = new Map<Service, Instant>()

  /** Changes the connection unless it has other tokens now. Returns whether it did. */
  const save = ({ row }: Found, change: Partial<ConnectionRow>, effect?: () => void) =>
    commit(() => {
      if (!changeConnection(db, { ...keyOf(row), version: row.version }, change)) return false
      effect?.()
      return true
    })

  /** Renews the tokens. The new ones are on disk before they are used: the old ones work no more. */
  async function renewed(found: Found, tokens: Tokens): Promise<Outcome<Tokens>> {
    const { row, reach } = found
    const outcome = (await providerOf[row.service].refresh?.({ ...reach, now: clock.now() }, tokens)) ?? {
      is: 'revoked' as const,
      detail: 'It does not accept this sign-in any more.',
    }
    if (outcome.is !== 'done') return outcome
    const sealed = closeTokens(services, row.participant, row.service, outcome.value)
    const isKept = await save(found, { tokens: sealed, version: row.version + 1 })
    if (isKept) {
      found.row = { ...row, tokens: sealed, version: row.version + 1 }
      return outcome
    }
    // The connection ended meanwhile: nobody would tell the provider of these.
    await providerOf[row.service].end(reach, outcome.value)
    return { is: 'later', detail: 'The connection was changed meanwhile.' }
  }

  /** Reads once, with tokens that are renewed if they have expired. */
  async function readOnce(found: Found, { trial, participant }: Subject): Promise<Outcome<Sent>> {
    const { row, reach } = found
    let tokens = openTokens(services, row.participant, row.service, row.tokens!)
    const now = clock.now()
    if (tokens.expiresAt !== undefined && tokens.expiresAt - EARLY <= now) {
      const outcome = await renewed(found, tokens)
      if (outcome.is !== 'done') return outcome
      tokens = outcome.value
    }
    const earliest = Math.max(participant.createdAt, row.connectedAt - HISTORY)
    const asked = { from: Math.max(row.cursor ?? earliest, earliest), earliest, zone: zoneOf(participant, trial) }
    const read = (tokens: Tokens) => providerOf[row.service].read({ ...reach, now }, { ...asked, tokens })
    const sent = await read(tokens)
    if (sent.is !== 'expired') return sent
    const outcome = await renewed(found, tokens)
    return outcome.is === 'done' ? read(outcome.value) : outcome
  }

  /** Stores what was read, if the trial still takes it. */
  function keep(found: Found, { records, upTo, isMore }: Sent): Promise<boolean> {
    const { row } = found
    const now = clock.now()
    const dueAt = isMore ? now : nextAt(now, providerOf[row.service].every, Math.random())
    return commit(() => {
      const subject = subjectOf(db, row)
      const current = connectionOf(db, row.participant, row.service)
      if (!subject || current?.version !== row.version) return false
      const { participant, service } = row
      const owner = { trial: row.trial, participant, service, source: 'sync', now } as const
      const kept = keepRecords(db, owner, records)
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
  async function fail(found: Found, outcome: Exclude<Outcome<unknown>, { is: 'done' }>): Promise<void> {
    const { row } = found
    const now = clock.now()
    if (outcome.is === 'revoked') {
      const { participant, service } = row
      const problem = outcome.detail
      const event = { service, problem }
      const change = {
        status: 'revoked' as const,
        endedAt: now,
        tokens: null,
        version: row.version + 1,
        dueAt: null,
        problem,
      }
      await save(found, change, () => {
        remindAgain(db, participant, service, now)
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
      outcome.is === 'later' ? outcome : { detail: 'It does not accept new tokens.', wait: undefined, isShared: false }
    const dueAt = retryAt(now, failures, wait)
    if (isShared && wait !== undefined) notBefore.set(row.service, retryAt(now, 1, wait))
    await save(found, { failures, problem: detail, dueAt })
  }

  /** Tells the provider of a connection that ended, and forgets its tokens. */
  async function tell(found: Found): Promise<void> {
    const { row, reach } = found
    if (row.tokens === null) return void (await save(found, { dueAt: null }))
    const tokens = openTokens(services, row.participant, row.service, row.tokens)
    const outcome = await providerOf[row.service].end(reach, tokens)
    const now = clock.now()
    const isOver = outcome.is === 'done' || now > (row.endedAt ?? 0) + TELL
    const failures = row.failures + 1
    const wait = outcome.is === 'later' ? outcome.wait : undefined
    await save(found, isOver ? { tokens: null, dueAt: null } : { failures, dueAt: retryAt(now, failures, wait) })
  }

  async function perform(row: ConnectionRow, now: Instant): Promise<void> {
    const configured = wearables[row.service]
    const found = configured && { row, reach: { ...configured, now, origin: services.publicUrl } }
    const subject = row.status === 'connected' ? subjectOf(db, row) : undefined
    if (
      !found ||
      (row.status === 'connected' && !subject) ||
      (row.status !== 'connected' && row.status !== 'disconnected')
    )
      return void (await commit(() => changeConnection(db, keyOf(row), { dueAt: now + PAUSE })))
    if (!subject) return tell(found)
    const outcome = await readOnce(found, subject)
    if (outcome.is !== 'done') return fail(found, outcome)
    if (outcome.value.records.length > MOST_RECORDS) return fail(found, { is: 'later', detail: TOO_MUCH })
    try {
      if (await keep(found, outcome.value)) return
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason
      return fail(found, { is: 'later', detail: reason.message })
    }
    await commit(() => changeConnection(db, { ...keyOf(row), version: found.row.version }, { dueAt: now + PAUSE }))
  }

  return async (_, now) => {
    if (running.size >= AT_ONCE) return false
    for (const row of dueConnections(db, now, AT_ONCE * 2)) {
      const key = `${row.participant} ${row.service}`
      const wait = notBefore.get(row.service) ?? 0
      if (running.has(key) || running.size >= AT_ONCE) continue
      if (wait > now) {
        await commit(() => changeConnection(db, keyOf(row), { dueAt: wait }))
        continue
      }
      running.add(key)
      void perform(row, now)
        .catch(async (reason) => {
          services.fault(reason, `wearable ${row.service}`)
          const failures = row.failures + 1
          const change = { failures, problem: 'The server failed. Its log says more.', dueAt: retryAt(now, failures) }
          await commit(() => changeConnection(db, keyOf(row), change)).catch(() => {})
        })
        .finally(() => running.delete(key))
    }
    return false
  }
}
