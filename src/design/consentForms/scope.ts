import { rowById } from '#db/rows'
import { consentForms } from '#db/tables/index'
import { type TrialScope, trial } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { type ConsentForm, contentOf } from './store'

/** The consent form that `:documentId` names, in the trial of the path. */
export const consentForm: Scope<TrialScope & { consentForm: ConsentForm }, 'trialId' | 'documentId'> = (context) => {
  const inTrial = trial(context)
  const form = found(rowById(context.db, consentForms, context.params.documentId), 'consent form')
  if (form.trial !== inTrial.trial._id) throw refuse.missing('consent form')
  return { ...inTrial, consentForm: { ...form, ...contentOf(context.db, form) } }
}
