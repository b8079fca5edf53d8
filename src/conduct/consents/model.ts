/** Consents on the wire, as the person who consents meets them (docs/consent.md, "The public flow"). */

import { Condition } from '#design/consentForms/model'
import { withdrawalChoices } from '#design/trials/settingsModel'
import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'

export const method = () => t.oneOf('email', 'phone', 'whatsapp')
const methods = () => t.list(method(), 3)

const dataChoice = () => t.oneOf(...withdrawalChoices)

/** The most entries that a browser may add to the course of a session, and in one request. */
export const MOST_EVENTS = 500
const EVENTS_AT_ONCE = 50

/** A question without its right answer. */
const OpenQuestion = t.shape('ConsentOpenQuestion', { question: t.text(1, 1000), options: t.list(t.text(1, 500), 10) })

/** What a person reads and is asked: texts, and the sheet as a tree. */
export const ConsentSheet = t.shape('ConsentSheet', {
  trialName: t.text(0, 500),
  formKey: t.text(1, 50),
  version: t.whole(1),
  isClosed: t.withDescription('The study takes no consents at present. They can be withdrawn.', t.flag()),
  document: t.withDescription(
    'The sheet as a tree: each node is a text, or `{name, attributes, children}` with the name of an element of HTML such as `p`. Only elements and attributes of texts occur.',
    t.list(t.anything(), 100_000),
  ),
  eligibilityCriteria: t.orNull(t.text(0, 20_000)),
  conditions: t.list(Condition),
  verificationMethods: methods(),
  requiredVerificationMethods: methods(),
  identityVerificationEnabled: t.withDescription('A photo of an identity document is asked for.', t.flag()),
  readToEnd: t.flag(),
  signatureMethods: t.list(t.oneOf('drawn', 'typed'), 2),
  quiz: t.list(OpenQuestion),
  requiresCountersignature: t.withDescription('The study team signs, too.', t.flag()),
  readOutMethods: t.withDescription(
    'Methods for which the server has no sender: the study team reads the code out.',
    methods(),
  ),
  language: t.withDescription('The language of the texts; null if the trial names none.', t.orNull(t.text(2, 35))),
})

export const ConsentToken = t.shape('ConsentToken', {
  token: t.withDescription('Names the session in the paths of `/consent-sessions`.', t.text(43, 43)),
  expiresAt: t.instant(),
})

/** What the person keeps after the consent. */
export const ConsentReceipt = t.shape('ConsentReceipt', {
  _id: t.id(),
  createdAt: t.instant(),
  url: t.withDescription('Downloads the signed PDF, for an hour.', t.text(1, 5000)),
  fileHash: t.withDescription('Its SHA-256.', t.text(64, 64)),
  signInCode: t.withDescription(
    'For the first sign-in, with a verified address; null if none was verified, or it was used.',
    t.orNull(t.text(9, 9)),
  ),
  postConsentText: t.orNull(t.text(0, 20_000)),
  postConsentStage: t.withDescription(
    'The form that follows. `url` opens it; null if the person finds it in the app after the first sign-in.',
    t.orNull(t.shape({ name: t.oneLine(0, 100), label: t.orNull(t.text(0, 100)), url: t.orNull(t.text(1, 1000)) })),
  ),
  postSubmissionText: t.orNull(t.text(0, 3000)),
})

const Verification = t.shape('ConsentVerification', {
  method: method(),
  address: t.text(0, 200),
  createdAt: t.instant(),
  expiresAt: t.instant(),
  verifiedAt: t.orNull(t.instant()),
  triesLeft: t.whole(0, 5),
})

export const ConsentSession = t.shape('ConsentSession', {
  expiresAt: t.instant(),
  isInPerson: t.withDescription('Staff started it for a participant.', t.flag()),
  participantId: t.withDescription('In person: the ID of the participant.', t.orNull(t.oneLine(1, 50))),
  newestVersion: t.withDescription(
    'The newest version of the form. The session stays with that of `sheet`, also if a newer one was published since.',
    t.whole(1),
  ),
  sheet: ConsentSheet,
  verifications: t.withDescription('The newest of each method.', t.list(Verification, 3)),
  hasRead: t.flag(),
  hasPassedQuiz: t.flag(),
  hasPhoto: t.flag(),
  consent: t.withDescription('Null until it is given.', t.orNull(ConsentReceipt)),
})

/** The course of a consent is shown to staff who may not see personal information, and outlives an erasure: it takes no text of the person. */
const pageName = () => t.text(1, 50, { pattern: '^[A-Za-z][A-Za-z0-9-]*$', problem: reason('notFormKey') })

export const EventsInput = t.shape('ConsentEventsInput', {
  events: t.list(
    t.shape('ConsentEventInput', {
      type: t.withDescription(
        'page: a page of the form was opened. readToEnd: the sheet was read. ended: the person is done. The token stops working, so that the next user of this device cannot open the session.',
        t.oneOf('page', 'readToEnd', 'ended'),
      ),
      page: t.maybe(t.withDescription('Its name, such as `statements`: one word.', t.orNull(pageName()))),
    }),
    EVENTS_AT_ONCE,
    1,
  ),
})

export const CodeRequest = t.shape('ConsentCodeRequest', {
  method: method(),
  address: t.withDescription('An e-mail address, or a telephone number with its country code.', t.text(3, 200)),
})
export const CodeSent = t.shape('ConsentCodeSent', {
  method: method(),
  address: t.text(1, 200),
  expiresAt: t.instant(),
})

export const CodeEntered = t.shape('ConsentCodeEntered', { method: method(), code: t.textWithSpaces(1, 20) })
export const CodeChecked = t.shape('ConsentCodeChecked', { isVerified: t.flag(), triesLeft: t.whole(0, 5) })

export const QuizInput = t.shape('ConsentQuizInput', {
  answers: t.withDescription('The place of the chosen option of each question, from 0.', t.list(t.whole(0, 9), 20)),
})
export const QuizResult = t.shape('ConsentQuizResult', {
  hasPassed: t.flag(),
  results: t.list(
    t.shape('ConsentQuizAnswerResult', { isRight: t.flag(), explanation: t.orNull(t.text(0, 2000)) }),
    20,
  ),
})

export const PhotoRequest = t.shape('ConsentPhotoRequest', {
  name: t.oneLine(1, 255),
  size: t.whole(1, 10 * 1024 ** 2),
  type: t.oneOf('image/jpeg', 'image/png', 'image/webp', 'image/heic'),
})

/** The longest drawing, in characters of base64: 200 kB. */
const DRAWING = 273_068

export const ConsentInput = t.shape('ConsentInput', {
  fullName: t.oneLine(2, 200),
  eligibilityConfirmed: t.maybe(t.withDescription('Required if the form has eligibility criteria.', t.flag())),
  confirmations: t.maybe(t.withDescription('By the `id` of a statement.', t.keyed(t.flag()))),
  initials: t.maybe(t.withDescription('By the `id` of a statement.', t.keyed(t.text(1, 10)))),
  signature: t.shape({
    method: t.oneOf('drawn', 'typed'),
    image: t.maybe(
      t.withDescription('A PNG in base64, of at most 200 kB, if it is drawn.', t.orNull(t.text(1, DRAWING))),
    ),
    name: t.maybe(t.withDescription('The name once more, if it is typed.', t.orNull(t.oneLine(1, 200)))),
  }),
})
export type ConsentInput = t.ValueOf<typeof ConsentInput>

export const OwnWithdrawals = t.shape('OwnConsentWithdrawals', {
  consents: t.withDescription(
    'The consents with the address that is verified, newest first; empty before.',
    t.list(
      t.shape('OwnConsentToWithdraw', {
        _id: t.id(),
        createdAt: t.instant(),
        fullName: t.orNull(t.text(0, 200)),
        withdrawnAt: t.orNull(t.instant()),
      }),
      50,
    ),
  ),
  choices: t.withDescription('What the person may choose for their data.', t.list(dataChoice(), 3)),
})
export const OwnWithdrawal = t.shape('OwnConsentWithdrawal', {
  consents: t.list(t.id(), 50, 1),
  reason: t.maybe(t.orNull(t.text(0, 1000))),
  data: t.maybe(
    t.withDescription(
      'keep: answers stay. erasePersonalInformation: contact details, and answers to personal questions are erased. deleteAnswers: all answers are deleted. It is carried out once no consent of the person is left.',
      dataChoice(),
    ),
  ),
})
