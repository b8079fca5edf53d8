import type { Db } from '#db/open'
import type { ConsentContent } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { requirersOf } from '#design/configuration/consentFormStore'
import { trial } from '#design/trials/scope'
import type { Trial } from '#design/trials/store'
import { operation } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { hasVisibleContent, safeHtml } from '#wire/html'
import { shape } from '#wire/schema'
import {
  ConsentForm,
  ConsentFormChange,
  ConsentFormInput,
  ConsentForms,
  ConsentFormVersionDetail,
  ConsentFormVersions,
} from './model'
import { consentFormProblems, contentAfter, freeKey } from './rules'
import { consentForm } from './scope'
import {
  changeConsentForm,
  consentFormsOf,
  deleteConsentForm,
  formByKey,
  formKeysOf,
  insertConsentForm,
  versionOf,
  versionsOf,
} from './store'

/** The most forms of a trial, as staff see all of them in one list. */
const MOST = 50

/** The HTML of the sheet that may be shown. Refuses (422) a sheet of which nothing is left. */
async function safeSheet(document: string): Promise<string> {
  const safe = await safeHtml(document)
  if (!hasVisibleContent(safe)) throw refuse.invalid({ document: [reason('noVisibleContent')] })
  return safe
}

/** Refuses (422) a form that contradicts itself or names what is not there, and (400) a key of another form. */
function requireValidForm(
  db: Db,
  trial: Trial,
  content: ConsentContent,
  formKey: string | undefined,
  own?: string,
): void {
  const { stages } = configuration(db, trial)
  const problems = consentFormProblems(content, formKey, (_id) => stages.has(_id))
  if (Object.keys(problems).length) throw refuse.invalid(problems)
  const other = formKey === undefined ? null : formByKey(db, trial._id, formKey)
  if (formKey !== undefined && other && other._id !== own) throw refuse.taken('key', formKey)
}

/** Refuses (400) what would leave something requiring a form that is not there. */
function refuseRequired(
  db: Db,
  { trial, formKey }: { trial: string; formKey: string },
  act: 'renamed' | 'deleted',
): void {
  const by = requirersOf(db, trial, formKey)
  if (by.length) throw refuse.bad(act === 'renamed' ? 'renamesRequiredForm' : 'deletesRequiredForm', { formKey, by })
}

const listConsentForms = operation({
  id: 'listConsentForms',
  method: 'GET',
  path: '/trials/:trialId/consentDocuments',
  summary: 'List the consent forms of a trial, newest first',
  scope: trial,
  needs: 'trial.readConsentSettings',
  feature: 'eConsent',
  returns: ConsentForms,
  run: ({ db, trial }) => ({ documents: consentFormsOf(db, trial._id) }),
})

const createConsentForm = operation({
  id: 'createConsentForm',
  method: 'POST',
  path: '/trials/:trialId/consentDocuments',
  summary: 'Create a consent form',
  description: 'A trial has at most 50.',
  scope: trial,
  needs: 'trial.readConsentSettings',
  feature: 'eConsent',
  changes: 'configuration',
  of: 'consentForm',
  logs: 'createConsentForm',
  body: ConsentFormInput,
  returns: ConsentForm,
  prepare: ({ body }) => safeSheet(body.document),
  run: ({ db, trial, body, prepared, caller, id, now }) => {
    const keys = formKeysOf(db, trial._id)
    if (keys.length >= MOST) throw refuse.bad('tooManyConsentForms', { most: MOST })
    const content = contentAfter(undefined, body, prepared, id)
    requireValidForm(db, trial, content, body.formKey)
    const { formKey = freeKey(keys), name, notificationEmail, withdrawalEmail } = body
    const form = { _id: id(), trial: trial._id, formKey, name, notificationEmail, withdrawalEmail }
    return insertConsentForm(db, form, content, { now, user: caller.user._id })
  },
})

const updateConsentForm = operation({
  id: 'updateConsentForm',
  method: 'PATCH',
  path: '/trials/:trialId/consentDocuments/:documentId',
  summary: 'Change a consent form',
  description:
    'A change of what people read or are asked makes a new version; earlier versions stay as they were. `requiresReconsent` asks those to sign again who signed an earlier version; with `blocksForms`, nothing is taken from them before they have, where the form is required.',
  scope: consentForm,
  needs: 'trial.readConsentSettings',
  feature: 'eConsent',
  changes: 'configuration',
  of: 'consentForm',
  logs: 'updateConsentForm',
  body: ConsentFormChange,
  returns: ConsentForm,
  prepare: async ({ body }) => (body.document === undefined ? undefined : await safeSheet(body.document)),
  run: ({ db, trial, consentForm, body, prepared, caller, id, now }) => {
    const content = contentAfter(consentForm, body, prepared ?? consentForm.document, id)
    requireValidForm(db, trial, content, body.formKey, consentForm._id)
    const { formKey, name, notificationEmail, withdrawalEmail } = body
    if (formKey !== undefined && formKey !== consentForm.formKey) refuseRequired(db, consentForm, 'renamed')
    const { requiresReconsent: asksAgain = false, blocksForms: blocks = false } = body
    if (blocks && !asksAgain) throw refuse.invalid({ blocksForms: [reason('needsRequiresReconsent')] })
    const fields = { formKey, name, notificationEmail, withdrawalEmail }
    return changeConsentForm(db, consentForm, fields, content, { asksAgain, blocks }, { now, user: caller.user._id })
  },
})

const removeConsentForm = operation({
  id: 'deleteConsentForm',
  method: 'DELETE',
  path: '/trials/:trialId/consentDocuments/:documentId',
  summary: 'Delete a consent form',
  description: 'Refused while consents refer to it.',
  scope: consentForm,
  needs: 'trial.readConsentSettings',
  feature: 'eConsent',
  changes: 'configuration',
  of: 'consentForm',
  logs: 'deleteConsentForm',
  returns: shape({}),
  run: ({ db, consentForm }) => {
    if (consentForm.consentCount) throw refuse.bad('formHasConsents')
    refuseRequired(db, consentForm, 'deleted')
    deleteConsentForm(db, consentForm._id)
    return {}
  },
})

const listConsentFormVersions = operation({
  id: 'listConsentFormVersions',
  method: 'GET',
  path: '/trials/:trialId/consentDocuments/:documentId/versions',
  summary: 'List the versions of a consent form, newest first',
  scope: consentForm,
  needs: 'trial.readConsentSettings',
  feature: 'eConsent',
  returns: ConsentFormVersions,
  run: ({ db, consentForm }) => ({ versions: versionsOf(db, consentForm._id) }),
})

const readConsentFormVersion = operation({
  id: 'readConsentFormVersion',
  method: 'GET',
  path: '/trials/:trialId/consentDocuments/:documentId/versions/:number',
  summary: 'Read a version of a consent form',
  scope: consentForm,
  needs: 'trial.readConsentSettings',
  feature: 'eConsent',
  returns: ConsentFormVersionDetail,
  run: ({ db, consentForm, params: { number } }) => {
    const row = /^[1-9]\d{0,8}$/.test(number) ? versionOf(db, consentForm._id, Number(number)) : undefined
    return found(row, 'version of the consent form')
  },
})

export const consentFormOperations = [
  listConsentForms,
  createConsentForm,
  updateConsentForm,
  removeConsentForm,
  listConsentFormVersions,
  readConsentFormVersion,
] as const
