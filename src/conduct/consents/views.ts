/** What a person sees of a form and of their session. */
import type { Db } from '#db/open'
import { trialNameFor } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import type { Services } from '#http/services'
import { HOUR, type Instant } from '#kernel/time'
import { fileByName } from '#storage/store'
import { richText } from '#wire/richText'
import { signInCode } from './codes'
import { type ConsentRow, consentOfSession } from './consentStore'
import { participantIdOf } from './nameStore'
import { channelOf, type Method, type SessionProgress } from './rules'
import { type ConsentFormScope, type ConsentSessionScope, isClosed } from './scope'
import { type FormRow, verificationsOf } from './store'
import { CODE_TRIES, verifiedIn } from './verificationCodes'

/** What a person reads and is asked. Neither HTML nor the right answers of the quiz. */
export const sheetView = (
  { trial, form, content, services }: ConsentFormScope & { services: Pick<Services, 'sendsBy'> },
  version = form.version,
) => ({
  ...content,
  readOutMethods: content.verificationMethods.filter((method) => !services.sendsBy.includes(channelOf[method])),
  language: settingsOf(trial).languages[0] ?? null,
  trialName: trialNameFor(trial, { language: null }),
  formKey: form.formKey,
  version,
  isClosed: isClosed(trial),
  document: [...richText(content.document)],
  quiz: content.quiz.map(({ question, options }) => ({ question, options })),
})

/** What a session has seen so far. */
export function progressOf(db: Db, { session }: Pick<ConsentSessionScope, 'session'>): SessionProgress {
  const { hasRead, hasPassedQuiz, photo } = session
  return {
    ...{ hasRead, hasPassedQuiz },
    hasPhoto: photo !== null && fileByName(db, photo)?.finishedAt != null,
    verified: Object.keys(verifiedIn(db, session._id)) as Method[],
  }
}

/** The name of a form for people of the study. */
export const formName = ({ name, formKey }: Pick<FormRow, 'name' | 'formKey'>): string => name ?? formKey

/** The name under which the signed PDF is downloaded. */
export const pdfName = (code: string): string => `${code} consent.pdf`

/** Whether the consent still has a code for the first sign-in. */
export const hasCode = ({ codeUsedAt, withdrawnAt, email, phone, whatsapp }: ConsentRow): boolean =>
  codeUsedAt === null && withdrawnAt === null && [email, phone, whatsapp].some((each) => each !== null)

type ViewContext = { db: Db; services: Pick<Services, 'seal' | 'storage' | 'sendsBy'>; now: Instant }

/** What the person keeps after the consent. @param stage the form that follows */
export function receiptOf(
  { services, now }: ViewContext,
  { trial, content }: Pick<ConsentFormScope, 'trial' | 'content'>,
  consent: ConsentRow,
  stage: { name: string; url: string | null } | null,
) {
  const { _id, createdAt, file, fileHash, codeNumber } = consent
  return {
    ...{ _id, createdAt, fileHash },
    url: services.storage.downloadUrl(file, pdfName(trial.code), now + HOUR),
    signInCode: hasCode(consent) ? signInCode(services.seal, _id, codeNumber) : null,
    postConsentText: content.postConsentText,
    postConsentStage: stage && { ...stage, label: content.postConsentStageButtonLabel },
    postSubmissionText: content.postSubmissionText,
  }
}

/** A session as its person sees it. */
export function sessionView(
  context: ViewContext,
  inSession: ConsentSessionScope,
  stage: Parameters<typeof receiptOf>[3],
) {
  const { db } = context
  const { session } = inSession
  const newest = new Map(verificationsOf(db, session._id).map((each) => [each.method, each]))
  const consent = consentOfSession(db, session._id)
  return {
    ...progressOf(db, inSession),
    expiresAt: session.expiresAt,
    isInPerson: session.startedBy !== null,
    participantId: session.participant === null ? null : (participantIdOf(db, session.participant) ?? null),
    newestVersion: inSession.form.version,
    sheet: sheetView({ ...inSession, services: context.services }, session.version),
    verifications: [...newest.values()].map((each) => ({ ...each, triesLeft: CODE_TRIES - each.tries })),
    consent: consent ? receiptOf(context, inSession, consent, stage) : null,
  }
}
