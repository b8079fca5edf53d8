/** A consent and a status as an export has them, in every format. What the reader may not see is not in them. */
import { type Access, holds, holdsAnywhere, type Places } from '#access/caller'
import { consentStatuses } from '#conduct/consents/listStore'
import { isOutdated, statusOf } from '#conduct/consents/ownConsents'
import { eventsOf, type FormRow, formById } from '#conduct/consents/store'
import { verifiedIn } from '#conduct/consents/verificationCodes'
import { formName } from '#conduct/consents/views'
import { placesOf } from '#conduct/participants/memberships'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { versionOf } from '#design/consentForms/store'
import { oncePerKey } from '#exchange/exports/datasets/identity'
import { placeNames } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { type ConsentFilter, consentsOf, type OwnedConsent } from './store'

export type Source = ConsentFilter & { db: Db; access: Access; forms: readonly FormRow[] }

const PERSONAL = 'readParticipantPersonalInformation'

/** Whether the reader may see personal information of anybody; if not, the export does not name it. */
export const mayNamePeople = ({ access }: Pick<Source, 'access'>): boolean => holdsAnywhere(access, PERSONAL)

const splitIds = (ids: string | null): Id[] => (ids === null ? [] : ids.split(','))

/** What a record needs to know besides its row, read once. */
function readReferenceData({ db, trial }: Source) {
  const places = placeNames(db, trial)
  return {
    namesOf: (ids: readonly Id[]) => ids.map((_id) => places.get(_id) ?? _id),
    form: oncePerKey((_id: Id) => found(formById(db, _id), 'consent form')),
    version: oncePerKey((key: string) => {
      const [form = '', number] = key.split(' ')
      return found(versionOf(db, form, Number(number)), 'version of the consent form')
    }),
    staff: oncePerKey((_id: Id) => rowById(db, users, _id)?.name ?? _id),
  }
}

/** The consents of an export, oldest first. */
export function* consentRecords(source: Source) {
  const known = readReferenceData(source)
  for (const row of consentsOf(source.db, source)) yield recordOf(source, row, known)
}
export type ConsentRecord = ReturnType<typeof recordOf>

function recordOf({ db, access }: Source, row: OwnedConsent, known: ReturnType<typeof readReferenceData>) {
  const places: Places = { sites: splitIds(row.sites), groups: splitIds(row.groups) }
  const isPersonal = holds(access, PERSONAL, places)
  const personal = <F extends string, V>(field: F, value: V) =>
    (isPersonal ? { [field]: value } : {}) as Partial<Record<F, V>>
  const form = known.form(row.form)
  const { content, hash } = known.version(`${row.form} ${row.version}`)
  const events = eventsOf(db, row.session)
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const withdrawn = row.withdrawnAt !== null
  return {
    _id: row._id,
    ...{ consentDocument: form._id, formKey: form.formKey, formName: form.name },
    ...{ version: row.version, versionHash: hash, participant: row.participant, participantId: row.participantId },
    ...{ sites: known.namesOf(places.sites), groups: known.namesOf(places.groups) },
    status: withdrawn
      ? ('withdrawn' as const)
      : isOutdated(db, row, form)
        ? ('outdated' as const)
        : ('signed' as const),
    ...{ signedAt: row.createdAt, joinedAt: row.boundAt, startedBy: row.startedBy && known.staff(row.startedBy) },
    ...personal('fullName', row.fullName),
    verifications: Object.values(verifiedIn(db, row.session)).map(({ method, verifiedAt }) => ({
      ...{ method, verifiedAt: verifiedAt ?? row.createdAt },
      ...personal('address', row[method]),
    })),
    eligibilityConfirmed: content.eligibilityCriteria === null ? null : true,
    hasPhoto: row.photo !== null,
    statements: content.conditions.map(({ id, title, optional, requiresInitials }) => ({
      ...{ id, title, isOptional: optional, isConfirmed: row.confirmations[id] === true, requiresInitials },
      ...personal('initials', row.initials[id] ?? null),
    })),
    quiz: events.flatMap(({ type, createdAt: at, content: { answers } }) =>
      type === 'quizPassed' || type === 'quizFailed'
        ? [
            {
              ...{ at, hasPassed: type === 'quizPassed' },
              ...(holds(access, 'readConsentSettings') && Array.isArray(answers)
                ? { answers: answers.map(Number) }
                : {}),
            },
          ]
        : [],
    ),
    course: events.map(({ number, type, createdAt: at, content: { page, method } }) => ({
      ...{ number, at, type, page: text(page), method: text(method) },
    })),
    ...{ signatureMethod: row.signatureMethod, fileHash: row.fileHash },
    requiresCountersignature: content.requiresCountersignature,
    ...{ countersignedAt: row.countersignedAt, countersignedBy: row.countersignerName },
    ...{ countersignedHash: row.countersignedHash, withdrawnAt: row.withdrawnAt },
    withdrawnBy: withdrawn ? (row.withdrawnBy === null ? 'participant' : known.staff(row.withdrawnBy)) : null,
    ...personal('withdrawalReason', row.withdrawalReason),
  }
}

const PAGE = 500

/** Who signed which version of each form, and who still has to: by form, in the order of registration. */
export function* statusRecords(source: Source) {
  const { db, trial, forms, scopes } = source
  const { namesOf } = readReferenceData(source)
  for (const form of forms) {
    for (let after = ''; ; ) {
      const rows = consentStatuses(db, { trial, form: form._id, scopes, after, most: PAGE })
      for (const { participant, participantId, consent, version, signedAt } of rows) {
        const { sites, groups } = placesOf(db, participant)
        yield {
          ...{ consentDocument: form._id, formKey: form.formKey, formName: form.name, participant, participantId },
          ...{ sites: namesOf(sites), groups: namesOf(groups), status: statusOf(version, form), version },
          ...{ newestVersion: form.version, consent, signedAt },
        }
      }
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      after = last.participant
    }
  }
}

/** The name of a form as tables show it. */
export const titleOf = (form: { formName: string | null; formKey: string }): string =>
  formName({ name: form.formName, formKey: form.formKey })
