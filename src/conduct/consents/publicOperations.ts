/** What anybody with the link to a consent form can do (docs/consent.md, "The public flow"). */

import { addressForCode } from '#conduct/contactCodes/limits'
import { Upload } from '#conduct/uploads/model'
import { insertAnnouncedUpload } from '#conduct/uploads/reservation'
import { operation, type RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { HOUR } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { shape } from '#wire/schema'
import { consentOfSession } from './consentStore'
import { createSession } from './createSession'
import {
  CodeChecked,
  CodeEntered,
  CodeRequest,
  CodeSent,
  ConsentSession,
  ConsentSheet,
  ConsentToken,
  EventsInput,
  MOST_EVENTS,
  PhotoRequest,
  QuizInput,
  QuizResult,
} from './model'
import { nextStage, screeningUrl } from './nextStage'
import { consentSession, linkedForm, requireNotClosed } from './scope'
import { screeningTokenOf } from './screeningStore'
import { addEvent, changeSession, eventCount } from './store'
import { checkCode, sendCode, WRONG_LINKS } from './verificationCodes'
import { sessionView, sheetView } from './views'

/** Requests of one address per minute: many people of a clinic may share one. */
const [READS, WRITES] = [600, 120]
/** Codes that an address may ask for per minute. */
const CODES = 30

const readForm = operation({
  id: 'readConsentSheet',
  method: 'GET',
  path: '/consent/:trialCode/:formKey',
  summary: 'Read a consent form by its link',
  description: 'Texts, and the sheet as a tree: no HTML.',
  who: 'anyone',
  scope: linkedForm,
  needs: 'nothing',
  limit: READS,
  returns: ConsentSheet,
  run: (context) => sheetView(context),
})

/** The participant of the trial who is signed in, on a device of their own; undefined for anybody else. */
const ownAccount = ({ caller, trial }: Pick<RequestContext, 'caller'> & { trial: { _id: Id } }) =>
  caller.kind === 'participant' && caller.trial === trial._id && caller.device === undefined
    ? { participant: caller.participant }
    : undefined

const startSession = operation({
  id: 'startConsentSession',
  method: 'POST',
  path: '/consent/:trialCode/:formKey/sessions',
  summary: 'Begin to consent with a form',
  description:
    'The token names the session in what follows. It works for 24 hours, and stays with the version of the form. Sent by a participant of the trial who is signed in on a device of their own, the consent is theirs at once.',
  who: 'anyone',
  scope: linkedForm,
  needs: 'nothing',
  limit: WRITES,
  logs: 'startConsentSession',
  body: shape({}),
  secret: true,
  returns: ConsentToken,
  run: (context) => {
    requireNotClosed(context.trial)
    const own = ownAccount(context)
    const { _id, token, expiresAt } = createSession(context, context, 'consent', own)
    context.record({ by: own ?? 'nobody', event: { session: _id } })
    return { token, expiresAt }
  },
})

const readSession = operation({
  id: 'readConsentSession',
  method: 'GET',
  path: '/consent-sessions/:token',
  summary: 'Read a session: the form, what is done, and the consent once it is given',
  who: 'anyone',
  scope: consentSession,
  needs: 'nothing',
  limit: READS,
  failures: WRONG_LINKS,
  returns: ConsentSession,
  run: (context) => {
    const { db, services, now, session } = context
    const consent = consentOfSession(db, session._id)
    const token = consent && screeningTokenOf(db, services.seal, consent._id, now)
    const url = token === undefined ? null : screeningUrl(services.publicUrl, token)
    return sessionView(context, context, nextStage(db, context, url))
  },
})

const tooManyEntries = () => refuse.bad('sessionIsFull', { most: MOST_EVENTS }, { code: 'tooManyEntries' })

/** For a request that fits another form than that of the session. */
const formDiffers = (field: string, problem: Reason) =>
  refuse.invalid({ [field]: [problem] }, 'json', undefined, { code: 'formDiffers' })

const recordEvents = operation({
  id: 'recordConsentEvents',
  method: 'POST',
  path: '/consent-sessions/:token/events',
  summary: 'Record what the person opened and read',
  description: 'The clock of the server counts. A session has at most 500 entries.',
  who: 'anyone',
  scope: consentSession,
  needs: 'nothing',
  limit: READS,
  failures: WRONG_LINKS,
  logs: 'recordConsentEvents',
  body: EventsInput,
  returns: shape({}),
  run: ({ db, now, session, body: { events }, record }) => {
    if (eventCount(db, session._id) + events.length > MOST_EVENTS) throw tooManyEntries()
    for (const { type, page } of events) addEvent(db, session._id, now, type, page ? { page } : {})
    if (events.some(({ type }) => type === 'readToEnd')) changeSession(db, session._id, { hasRead: true })
    if (events.some(({ type }) => type === 'ended')) changeSession(db, session._id, { expiresAt: now })
    record({ by: 'nobody', event: { session: session._id, count: events.length } })
    return {}
  },
})

const requestCode = operation({
  id: 'sendConsentCode',
  method: 'POST',
  path: '/consent-sessions/:token/verifications',
  summary: 'Send a code to an address of the person',
  description:
    'Six digits, good for 10 minutes and 5 tries. A new one at most once a minute. If the server has no sender for the method, staff read the code out.',
  who: 'anyone',
  scope: consentSession,
  needs: 'nothing',
  limit: CODES,
  failures: CODES,
  logs: 'sendConsentCode',
  body: CodeRequest,
  returns: CodeSent,
  prepare: (context) => addressForCode(context),
  run: (context) => {
    const { body, content, prepared, session, record } = context
    if (!content.verificationMethods.includes(body.method))
      throw formDiffers('method', reason('notOneOf', { words: content.verificationMethods }))
    requireNotClosed(context.trial)
    record({ by: 'nobody', event: { session: session._id, method: body.method } })
    return sendCode(context, body.method, prepared)
  },
})

const enterCode = operation({
  id: 'checkConsentCode',
  method: 'POST',
  path: '/consent-sessions/:token/verifications/codes',
  summary: 'Enter the code that was sent',
  description: 'A wrong code answers `isVerified: false`, and how many tries are left.',
  who: 'anyone',
  scope: consentSession,
  needs: 'nothing',
  limit: WRITES,
  failures: WRONG_LINKS,
  logs: 'checkConsentCode',
  body: CodeEntered,
  returns: CodeChecked,
  run: (context) => {
    const { body, session, record } = context
    const checked = checkCode(context, body.method, body.code)
    record({ by: 'nobody', event: { session: session._id, method: body.method, isVerified: checked.isVerified } })
    return checked
  },
})

const answerQuiz = operation({
  id: 'answerConsentQuiz',
  method: 'POST',
  path: '/consent-sessions/:token/quiz',
  summary: 'Answer the questions about the information',
  description: 'Each attempt is recorded. `explanation` is that of the form, whether the answer is right or not.',
  who: 'anyone',
  scope: consentSession,
  needs: 'nothing',
  limit: WRITES,
  failures: WRONG_LINKS,
  logs: 'answerConsentQuiz',
  body: QuizInput,
  returns: QuizResult,
  run: ({ db, now, session, content: { quiz }, body: { answers }, record }) => {
    if (answers.length !== quiz.length) throw formDiffers('answers', reason('notOneEach', { count: quiz.length }))
    if (eventCount(db, session._id) >= MOST_EVENTS) throw tooManyEntries()
    const results = quiz.map(({ correct, explanation }, at) => ({ isRight: answers[at] === correct, explanation }))
    const hasPassed = results.every(({ isRight }) => isRight)
    addEvent(db, session._id, now, hasPassed ? 'quizPassed' : 'quizFailed', { answers })
    if (hasPassed) changeSession(db, session._id, { hasPassedQuiz: true })
    record({ by: 'nobody', event: { session: session._id, hasPassed } })
    return { hasPassed, results }
  },
})

const requestPhoto = operation({
  id: 'requestConsentPhoto',
  method: 'POST',
  path: '/consent-sessions/:token/photo',
  summary: 'Request a link to upload a photo of an identity document',
  description:
    'An image of at most 10 MB. PUT the bytes to `signedRequestURL` with the declared type as Content-Type, within an hour. A new photo replaces the one before.',
  who: 'anyone',
  scope: consentSession,
  needs: 'nothing',
  limit: CODES,
  failures: CODES,
  logs: 'requestConsentPhoto',
  body: PhotoRequest,
  returns: Upload,
  run: ({ db, services, now, trial, session, content, body, record }) => {
    if (!content.identityVerificationEnabled) throw refuse.bad('noPhoto', undefined, { code: 'formDiffers' })
    if (session.removeAt === null) throw refuse.bad('givenAlready')
    if (eventCount(db, session._id) >= MOST_EVENTS) throw tooManyEntries()
    const storedName = newStoredName(body.name, now)
    const of = { trial: trial._id, forType: 'trial' as const, forId: session._id, createdBy: session._id }
    insertAnnouncedUpload({ db, quotas: services.quotas, now }, of, { storedName, ...body }, session._id)
    changeSession(db, session._id, { photo: storedName })
    addEvent(db, session._id, now, 'photo')
    record({ by: 'nobody', event: { session: session._id, size: body.size, type: body.type } })
    return { signedRequestURL: services.storage.uploadUrl(storedName, now + HOUR), fileName: storedName }
  },
})

export const consentPublicOperations = [
  readForm,
  startSession,
  readSession,
  recordEvents,
  requestCode,
  enterCode,
  answerQuiz,
  requestPhoto,
] as const
