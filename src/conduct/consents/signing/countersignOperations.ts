/** Countersignatures of the study team (docs/consent.md, "Countersignature"). */
import { holds } from '#access/caller'
import { changeConsent } from '#conduct/consents/consentStore'
import { Consent } from '#conduct/consents/staffModel'
import { consent } from '#conduct/consents/staffScope'
import { staffConsentView } from '#conduct/consents/staffViews'
import { pdfName } from '#conduct/consents/views'
import { versionOf } from '#design/consentForms/store'
import { operation } from '#http/operation'
import { performForRequest } from '#jobs/perform'
import { refuse } from '#kernel/problem'
import { newStoredName } from '#storage/names'
import { shape } from '#wire/schema'
import { countersignConsent } from './job'
import { removeTemporaryPdf, storePdf } from './storeConsent'

type ConsentRow = Parameters<typeof staffConsentView>[1]

/** Refuses (400) a consent that cannot be countersigned. */
function requireOpen(db: Parameters<typeof versionOf>[0], row: ConsentRow): void {
  if (!versionOf(db, row.form, row.version)?.content.requiresCountersignature) throw refuse.bad('noCountersignature')
  if (row.countersignedAt !== null) throw refuse.bad('countersignedAlready')
  if (row.withdrawnAt !== null) throw refuse.bad('consentIsWithdrawn')
}

const countersign = operation({
  id: 'countersignConsent',
  method: 'POST',
  path: '/trials/:trialId/consents/:consentId/countersignature',
  summary: 'Countersign a consent',
  description:
    'Needs an identity that was confirmed in the web app within five minutes. Writes a page of its own that names the signed PDF by its SHA-256.',
  scope: consent,
  needs: 'trial.registerParticipants',
  feature: 'eConsent',
  fresh: true,
  logs: 'countersignConsent',
  body: shape({}),
  sets: ['countersignedAt', 'countersignedBy', 'countersignedFile', 'countersignedHash', 'countersignerName'],
  returns: Consent,
  prepare: async ({ db, services, access, places, consent, caller, now }) => {
    if (!holds(access, 'readTrialConsents', places)) throw refuse.missingPermission(['trial.readTrialConsents'])
    requireOpen(db, consent)
    const file = newStoredName('countersignature.pdf', now)
    const by = { user: caller.user._id, userName: caller.user.name }
    const task = { consent: consent._id, at: now, ...by, file }
    const pdf = await performForRequest(services, countersignConsent, task, caller)
    return { ...pdf, file, storedName: newStoredName('countersignature.pdf', now), at: now }
  },
  run: (context) => {
    const { db, trial, consent, caller, prepared, record } = context
    requireOpen(db, consent)
    const { _id: user, name } = caller.user
    const about = { trial: trial._id, consent: consent._id, by: user, name: pdfName(`${trial.code} countersigned`) }
    const after = changeConsent(db, consent._id, {
      ...{ countersignedAt: prepared.at, countersignedBy: user, countersignerName: name },
      ...{ countersignedFile: storePdf(context, about, prepared), countersignedHash: prepared.sha256 },
    })
    removeTemporaryPdf(context, prepared)
    record({ event: { consent: consent._id, fileHash: prepared.sha256 } })
    return staffConsentView(context, after)
  },
})

export const countersignOperations = [countersign] as const
