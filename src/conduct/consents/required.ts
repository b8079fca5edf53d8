/** Whether the consent of a participant lets something be done with them (docs/consent.md, "Where a consent is required"). */
import { consentWithdrawnAt } from '#conduct/participants/consentStateStore'
import type { Db } from '#db/open'
import { settingsOf } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { type Problem, refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { maybe, oneOf, shape, text, withDescription } from '#wire/schema'
import { formConsentOf, lastWithdrawnForm } from './requiredStore'

export type ConsentStatus = 'missing' | 'outdated' | 'withdrawn'

/** The first consent that is not as it has to be. `withdrawnAt` of one that was withdrawn. */
export type NeededConsent = { formKey: string; status: ConsentStatus; withdrawnAt: Instant | null }

/** The same on the wire. */
export const ConsentNeeded = shape('ConsentNeeded', {
  formKey: text(0, 50),
  status: withDescription(
    'missing: has not signed. outdated: is to sign a newer version. withdrawn: withdrew their consent.',
    oneOf('missing', 'outdated', 'withdrawn'),
  ),
  link: withDescription('The page on which it is signed.', text(1, 1000)),
})

type ParticipantInTrial = { trial: SharedTrial; participant: { _id: Id } }

/**
 * What is missing; undefined if nothing is. The consents that the trial requires are always asked for.
 * @param keys of the forms that are required besides
 */
export function neededConsent(
  db: Db,
  { trial, participant }: ParticipantInTrial,
  keys: readonly string[] = [],
): NeededConsent | undefined {
  const { onConsentWithdrawal, requiresConsent } = settingsOf(trial)
  // If electronic consent was never switched on, there are no consents, so that a submission needs no further statement.
  if (onConsentWithdrawal.stopForms !== false && trial.settings.eConsentEnabled !== undefined) {
    const withdrawnAt = consentWithdrawnAt(db, participant._id)
    if (withdrawnAt !== null)
      return { formKey: lastWithdrawnForm(db, participant._id) ?? '', status: 'withdrawn', withdrawnAt }
  }
  for (const key of new Set([...requiresConsent, ...keys])) {
    const {
      formKey = key,
      signed,
      withdrawnAt = null,
      blocksFrom,
    } = formConsentOf(db, trial._id, participant._id, key) ?? {}
    if (signed == null) return { formKey, status: withdrawnAt === null ? 'missing' : 'withdrawn', withdrawnAt }
    if (blocksFrom != null && signed < blocksFrom) return { formKey, status: 'outdated', withdrawnAt: null }
  }
  return undefined
}

const CODES = { missing: 'consentMissing', outdated: 'consentOutdated', withdrawn: 'consentWithdrawn' } as const

const detailsOf = ({ formKey, status }: NeededConsent) => ({
  consent: { formKey, status },
  manual: '/manual/consent#where-a-consent-is-required',
})

/** The refusal (403) for the participant themselves. @param more further details */
export const ownConsentRefusal = (needed: NeededConsent, more: Record<string, unknown> = {}): Problem =>
  refuse.forbidden(CODES[needed.status], undefined, { ...detailsOf(needed), ...more })

/** Refuses (403) what a participant does themselves without a consent that it needs. */
export function requireOwnConsent(db: Db, of: ParticipantInTrial, keys?: readonly string[]): void {
  const needed = neededConsent(db, of, keys)
  if (needed) throw ownConsentRefusal(needed)
}

/** The field with which staff do something without the consent that it needs. */
export const withoutConsentReason = () =>
  maybe(
    withDescription(
      'Why this is done although a consent that it needs is missing, outdated or withdrawn. It is in the audit trail.',
      text(5, 1000),
    ),
  )

const STAFF_CODES = {
  missing: 'participantConsentMissing',
  outdated: 'participantConsentOutdated',
  withdrawn: 'participantConsentWithdrawn',
} as const

/** What the check of a consent leaves for the audit entry. */
export type ConsentCheck = {
  event: {
    withoutConsent?: { formKey: string; status: ConsentStatus; reason: string }
    beforeWithdrawal?: true
  }
  answeredAt?: Instant
}

/**
 * Refuses (403) what staff do without a consent that it needs, unless they say why.
 * @param reason that the body gives; @returns what the audit entry keeps
 */
export function requireConsent(
  db: Db,
  of: ParticipantInTrial,
  keys: readonly string[] | null | undefined,
  reason: string | undefined,
): ConsentCheck {
  const needed = neededConsent(db, of, keys ?? [])
  if (!needed) return { event: {} }
  const { formKey, status } = needed
  if (reason === undefined)
    throw refuse.forbidden(STAFF_CODES[status], { form: formKey }, { code: CODES[status], ...detailsOf(needed) })
  return { event: { withoutConsent: { formKey, status, reason } } }
}
