/** Consents on the wire, as the person who consents meets them (docs/consent.md, "The public flow"). */

import { Condition } from '#design/consentForms/model'
import { withdrawalChoices } from '#design/trials/settingsModel'
import { reason } from '#kernel/refusals/reason'
import {
  flag,
  id,
  instant,
  keyed,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  richNode,
  shape,
  text,
  textWithSpaces,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const method = () => oneOf('email', 'phone', 'whatsapp')
const methods = () => list(method(), 3)

const dataChoice = () => oneOf(...withdrawalChoices)

/** The most entries that a browser may add to the course of a session, and in one request. */
export const MOST_EVENTS = 500
const EVENTS_AT_ONCE = 50

/** A question without its right answer. */
const OpenQuestion = shape('ConsentOpenQuestion', { question: text(1, 1000), options: list(text(1, 500), 10) })

/** What a person reads and is asked: texts, and the sheet as a tree. */
export const ConsentSheet = shape('ConsentSheet', {
  trialName: text(0, 500),
  formKey: text(1, 50),
  version: whole(1),
  isClosed: withDescription('The study takes no consents at present. They can be withdrawn.', flag()),
  document: withDescription(
    'The sheet as a tree: each node is a text, or `{name, attributes, children}` with the name of an element of HTML such as `p`. Only elements and attributes of texts occur.',
    list(richNode(), 100_000),
  ),
  eligibilityCriteria: orNull(text(0, 20_000)),
  conditions: list(Condition),
  verificationMethods: methods(),
  requiredVerificationMethods: methods(),
  identityVerificationEnabled: withDescription('A photo of an identity document is asked for.', flag()),
  readToEnd: flag(),
  signatureMethods: list(oneOf('drawn', 'typed'), 2),
  quiz: list(OpenQuestion),
  requiresCountersignature: withDescription('The study team signs, too.', flag()),
  readOutMethods: withDescription(
    'Methods for which the server has no sender: the study team reads the code out.',
    methods(),
  ),
  language: withDescription('The language of the texts; null if the trial names none.', orNull(text(2, 35))),
})

export const ConsentToken = shape('ConsentToken', {
  token: withDescription('Names the session in the paths of `/consent-sessions`.', text(43, 43)),
  expiresAt: instant(),
})

/** What the person keeps after the consent. */
export const ConsentReceipt = shape('ConsentReceipt', {
  _id: id(),
  createdAt: instant(),
  url: withDescription('Downloads the signed PDF, for an hour.', text(1, 5000)),
  fileHash: withDescription('Its SHA-256.', text(64, 64)),
  signInCode: withDescription(
    'For the first sign-in, with a verified address; null if none was verified, or it was used.',
    orNull(text(9, 9)),
  ),
  postConsentText: orNull(text(0, 20_000)),
  postConsentStage: withDescription(
    'The form that follows. `url` opens it; null if the person finds it in the app after the first sign-in.',
    orNull(shape({ name: oneLine(0, 100), label: orNull(text(0, 100)), url: orNull(text(1, 1000)) })),
  ),
  postSubmissionText: orNull(text(0, 3000)),
})

const Verification = shape('ConsentVerification', {
  method: method(),
  address: text(0, 200),
  createdAt: instant(),
  expiresAt: instant(),
  verifiedAt: orNull(instant()),
  triesLeft: whole(0, 5),
})

export const ConsentSession = shape('ConsentSession', {
  expiresAt: instant(),
  isInPerson: withDescription('Staff started it for a participant.', flag()),
  participantId: withDescription('In person: the ID of the participant.', orNull(oneLine(1, 50))),
  newestVersion: withDescription(
    'The newest version of the form. The session stays with that of `sheet`, also if a newer one was published since.',
    whole(1),
  ),
  sheet: ConsentSheet,
  verifications: withDescription('The newest of each method.', list(Verification, 3)),
  hasRead: flag(),
  hasPassedQuiz: flag(),
  hasPhoto: flag(),
  consent: withDescription('Null until it is given.', orNull(ConsentReceipt)),
})

/** The course of a consent is shown to staff who may not see personal information, and outlives an erasure: it takes no text of the person. */
const pageName = () => text(1, 50, { pattern: '^[A-Za-z][A-Za-z0-9-]*$', problem: reason('notFormKey') })

export const EventsInput = shape('ConsentEventsInput', {
  events: list(
    shape('ConsentEventInput', {
      type: withDescription(
        'page: a page of the form was opened. readToEnd: the sheet was read. ended: the person is done. The token stops working, so that the next user of this device cannot open the session.',
        oneOf('page', 'readToEnd', 'ended'),
      ),
      page: maybe(withDescription('Its name, such as `statements`: one word.', orNull(pageName()))),
    }),
    EVENTS_AT_ONCE,
    1,
  ),
})

export const CodeRequest = shape('ConsentCodeRequest', {
  method: method(),
  address: withDescription('An e-mail address, or a telephone number with its country code.', text(3, 200)),
})
export const CodeSent = shape('ConsentCodeSent', { method: method(), address: text(1, 200), expiresAt: instant() })

export const CodeEntered = shape('ConsentCodeEntered', { method: method(), code: textWithSpaces(1, 20) })
export const CodeChecked = shape('ConsentCodeChecked', { isVerified: flag(), triesLeft: whole(0, 5) })

export const QuizInput = shape('ConsentQuizInput', {
  answers: withDescription('The place of the chosen option of each question, from 0.', list(whole(0, 9), 20)),
})
export const QuizResult = shape('ConsentQuizResult', {
  hasPassed: flag(),
  results: list(shape('ConsentQuizAnswerResult', { isRight: flag(), explanation: orNull(text(0, 2000)) }), 20),
})

export const PhotoRequest = shape('ConsentPhotoRequest', {
  name: oneLine(1, 255),
  size: whole(1, 10 * 1024 ** 2),
  type: oneOf('image/jpeg', 'image/png', 'image/webp', 'image/heic'),
})

/** The longest drawing, in characters of base64: 200 kB. */
const DRAWING = 273_068

export const ConsentInput = shape('ConsentInput', {
  fullName: oneLine(2, 200),
  eligibilityConfirmed: maybe(withDescription('Required if the form has eligibility criteria.', flag())),
  confirmations: maybe(withDescription('By the `id` of a statement.', keyed(flag()))),
  initials: maybe(withDescription('By the `id` of a statement.', keyed(text(1, 10)))),
  signature: shape({
    method: oneOf('drawn', 'typed'),
    image: maybe(withDescription('A PNG in base64, of at most 200 kB, if it is drawn.', orNull(text(1, DRAWING)))),
    name: maybe(withDescription('The name once more, if it is typed.', orNull(oneLine(1, 200)))),
  }),
})
export type ConsentInput = ValueOf<typeof ConsentInput>

export const OwnWithdrawals = shape('OwnConsentWithdrawals', {
  consents: withDescription(
    'The consents with the address that is verified, newest first; empty before.',
    list(
      shape('OwnConsentToWithdraw', {
        _id: id(),
        createdAt: instant(),
        fullName: orNull(text(0, 200)),
        withdrawnAt: orNull(instant()),
      }),
      50,
    ),
  ),
  choices: withDescription('What the person may choose for their data.', list(dataChoice(), 3)),
})
export const OwnWithdrawal = shape('OwnConsentWithdrawal', {
  consents: list(id(), 50, 1),
  reason: maybe(orNull(text(0, 1000))),
  data: maybe(
    withDescription(
      'keep: answers stay. erasePersonalInformation: contact details, and answers to personal questions are erased. deleteAnswers: all answers are deleted. It is carried out once no consent of the person is left.',
      dataChoice(),
    ),
  ),
})
