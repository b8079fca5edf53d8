import type { Caller } from '#access/caller'
import { featuresOf } from '#access/features'
import type { Db } from '#db/open'
import type { ConsentContent } from '#db/tables/index'
import { versionOf } from '#design/consentForms/store'
import { namedTrial, type Trial, trialById } from '#design/trials/store'
import type { RequestContext, Scope, ScopeResult } from '#http/operation'
import { type Id, sha256 } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { type FormRow, formById, formByKey, type SessionRow, sessionByHash } from './store'

export type ConsentFormScope = ScopeResult & { trial: Trial; form: FormRow; content: ConsentContent }
export type ConsentSessionScope = ConsentFormScope & { session: SessionRow }

/** Whether the trial takes no new consents at present. */
export const isClosed = ({ settings }: Pick<Trial, 'settings'>): boolean => settings.eConsentClosed === true

/** Refuses (403) a trial without electronic consent. Thrown by the scope, so that strangers add nothing to the trail of the trial. */
function requireConsentEnabled(db: Db, { team, settings, isArchived }: Trial): void {
  if (isArchived || settings.eConsentEnabled !== true || !featuresOf(db, team).eConsent)
    throw refuse.forbidden('eConsentOff')
}

/** Refuses (400) while the trial takes no new consents. */
export function requireNotClosed(trial: Trial): void {
  if (isClosed(trial)) throw refuse.bad('consentsClosed', undefined, { code: 'closed' })
}

type FormContext = RequestContext<Caller, Record<'trialCode' | 'formKey', Id>>

function formOf({ db, params }: FormContext): ConsentFormScope {
  const trial = found(namedTrial(db, params.trialCode), 'consent form')
  const form = found(formByKey(db, trial._id, params.formKey), 'consent form')
  const { content } = found(versionOf(db, form._id, form.version), 'consent form')
  return { trial, form, content }
}

/** The form in its newest version that the link names. */
export const linkedForm: Scope<ConsentFormScope, 'trialCode' | 'formKey', Caller> = (context) => {
  const inForm = formOf(context)
  requireConsentEnabled(context.db, inForm.trial)
  return inForm
}

/** The same, to withdraw: also when the study uses electronic consent no longer. */
export const formToWithdraw: Scope<ConsentFormScope, 'trialCode' | 'formKey', Caller> = formOf

type TokenParams = Record<'token', Id>

function sessionOf(
  { db, params, now }: RequestContext<Caller, TokenParams>,
  kind: SessionRow['kind'],
): ConsentSessionScope {
  const session = sessionByHash(db, sha256(params.token))
  if (!session || session.kind !== kind || session.expiresAt <= now) throw refuse.linkEnded()
  const trial = trialById(db, session.trial)
  const form = formById(db, session.form)
  const version = versionOf(db, session.form, session.version)
  if (!trial || trial.deletedAt !== null || !form || !version) throw refuse.linkEnded()
  if (kind === 'consent') requireConsentEnabled(db, trial)
  const account = session.participant === null ? {} : { account: session.participant }
  return { trial, form, content: version.content, session, ...account }
}

/** The session of `:token` in which a form is signed. @throws 404 if it has ended */
export const consentSession: Scope<ConsentSessionScope, 'token', Caller> = (context) => sessionOf(context, 'consent')

/** The session of `:token` in which a consent is withdrawn. @throws 404 if it has ended */
export const withdrawalSession: Scope<ConsentSessionScope, 'token', Caller> = (context) =>
  sessionOf(context, 'withdrawal')
