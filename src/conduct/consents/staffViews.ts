/** Consents as staff see them. */
import { type Access, holds, noPlaces, scopeOf, type VisibleScope, visibleScopeOf } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import type { Db } from '#db/open'
import { versionOf } from '#design/consentForms/store'
import type { Trial } from '#design/trials/store'
import type { Services } from '#http/services'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { hourLinkMaker } from '#storage/links'
import type { ConsentRow } from './consentStore'
import { participantIdOf } from './nameStore'
import { isOutdated } from './ownConsents'
import { screeningResponsesOf, unboundScreeningResponse } from './screeningStore'
import { eventsOf, formById, sessionById } from './store'
import { formName, hasCode, pdfName } from './views'

/** The participants whose consents the caller sees. */
export const consentScopes = (access: Access): VisibleScope[] => [
  scopeOf(access, ['readTrialConsents']),
  visibleScopeOf(access),
]

/** Whether the caller may see consents that have no participant yet: only callers who may see all participants. */
export const unboundConsentsVisibleTo = (access: Access): boolean =>
  consentScopes(access).every((scope) => scope === 'all')

type ViewContext = { db: Db; services: Pick<Services, 'storage'>; now: Instant; trial: Trial; access: Access }

/** A consent with all personal information. The pipeline removes what the caller may not see. */
export function staffConsentView({ db, services, now, trial, access }: ViewContext, row: ConsentRow) {
  const form = formById(db, row.form)
  const content = versionOf(db, row.form, row.version)?.content
  if (!form || !content) throw refuse.missing('consent')
  const link = hourLinkMaker(services, now)
  const places = row.participant === null ? noPlaces : placesOf(db, row.participant)
  const mayReadData = holds(access, 'readParticipantStudyData', places)
  const { witness = null, present = null } = sessionById(db, row.session) ?? {}
  const required = content.conditions.filter(({ optional }) => !optional)
  return {
    ...row,
    consentDocument: form._id,
    ...{ formKey: form.formKey, formName: formName(form) },
    isOutdated: isOutdated(db, row, form),
    participantId: row.participant === null ? null : (participantIdOf(db, row.participant) ?? null),
    ...{ sites: [...places.sites], groups: [...places.groups] },
    ...{ witness, present },
    consentGiven: true,
    trialConditionsConsentGiven: required.every(({ id }) => row.confirmations[id] === true),
    eligibilityCriteriaConfirmed: content.eligibilityCriteria === null ? null : true,
    conditionConfirmations: Object.fromEntries(
      Object.entries(row.confirmations).map(([id, confirmed]) => [
        id,
        { confirmed, initials: row.initials[id] ?? null },
      ]),
    ),
    file: row.erasedAt === null ? link(row.file, pdfName(trial.code)) : null,
    photo: row.photo && link(row.photo, row.photo),
    screeningResponses: mayReadData
      ? [
          ...unboundScreeningResponse(db, row._id),
          ...(row.participant === null || content.postConsentStage === null
            ? []
            : screeningResponsesOf(db, row.participant, content.postConsentStage)),
        ]
      : [],
    sessionEvents: eventsOf(db, row.session).map(({ createdAt, type, content: { page } }) => ({
      ...{ createdAt, type, page: typeof page === 'string' ? page : null },
    })),
    hasSignInCode: hasCode(row),
    requiresCountersignature: content.requiresCountersignature,
    countersignedFile:
      row.erasedAt === null && row.countersignedFile
        ? link(row.countersignedFile, pdfName(`${trial.code} countersigned`))
        : null,
  }
}
