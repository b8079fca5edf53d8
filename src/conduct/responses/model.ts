import { withoutConsentReason } from '#conduct/consents/required'
import { RuleMessage } from '#design/stages/components'
import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'
import { eventTypes } from './events'

/** The IP address and the device from which an answer was sent. */
const Client = t.shape('ClientDevice', { address: t.orNull(t.text(0, 100)), device: t.orNull(t.text(0, 300)) })

const FileUrl = t.maybe(
  t.withDescription('For an uploaded file, image or video: its URL, which works for an hour.', t.text(1, 5000)),
)

const SentLate = t.maybe(
  t.withDescription(
    'True if the participant answered before the form closed, as their device says, and it arrived after that.',
    t.flag(),
  ),
)

/** See docs/data-types.md, "Value formats". */
const ResponseEntry = t.shape('ResponseEntry', {
  value: t.withDescription('The format of the data type defines its form; null for a blank.', t.anything()),
  url: FileUrl,
  createdAt: t.withDescription('When the answer was recorded, by the clock of the server.', t.instant()),
  enteredAt: t.withDescription('When the answer was given, if the client sent it.', t.maybe(t.instant())),
  sentLate: SentLate,
  createdBy: t.text(1, 100),
  createdByType: t.oneOf('user', 'participant'),
  updateNote: t.maybe(t.text(0, 5000)),
  client: t.personal(t.maybe(Client)),
})

/** See docs/forms.md, "Submissions". */
export const Response = t.shape('Response', {
  _id: t.id(),
  trial: t.id(),
  stage: t.id(),
  stageRecurrence: t.whole(0),
  participant: t.orNull(t.id()),
  participantId: t.orNull(t.oneLine(0, 50)),
  createdAt: t.instant(),
  updatedAt: t.instant(),
  score: t.maybe(t.number()),
  status: t.orNull(t.oneOf('successful', 'unsuccessful')),
  partialSubmission: t.flag(),
  sentLate: SentLate,
  response: t.withDescription('Keyed by data type _id.', t.keyed(ResponseEntry)),
})

/** One answer as it is written. */
export const SentEntry = t.shape(
  'SentEntry',
  {
    value: t.maybe(t.anything()),
    createdAt: t.withDescription('When the answer was given; kept as enteredAt.', t.maybe(t.orNull(t.instant()))),
    updateNote: t.withDescription(
      'Why staff changed the answer, if no note is beside the answers.',
      t.maybe(t.orNull(t.text(0, 5000))),
    ),
    // Clients may send back the fields that a GET returns; they are ignored.
    url: t.maybe(t.anything()),
    enteredAt: t.maybe(t.anything()),
    sentLate: t.maybe(t.anything()),
    createdBy: t.maybe(t.anything()),
    createdByType: t.maybe(t.anything()),
    client: t.maybe(t.anything()),
  },
  { problem: reason('notAnswer') },
)

export const StaffSubmission = t.shape('StaffSubmission', {
  response: t.keyed(SentEntry, {
    problem: reason('notAnswers'),
    missing: reason('answersMissing'),
  }),
  updateNote: t.maybe(t.orNull(t.text(0, 5000))),
  withoutConsentReason: withoutConsentReason(),
})

export const ParticipantSubmission = t.keyed(SentEntry, {
  problem: reason('notAnswersBody'),
  wrongKeys: { response: reason('answersUnwrapped') },
})

/** What a device says of the form that it sends. */
export const OpenedFormQuery = t.shape({
  opened: t.maybe(
    t.withDescription(
      '`opened` of the stage, as the device read it. With it, answers that were given before the form closed are taken after that too.',
      t.text(0, 200),
    ),
  ),
  version: t.maybe(
    t.withDescription(
      '`version` of the form that was filled in: a refusal then says if it has changed since.',
      t.text(0, 100),
    ),
  ),
})

/** What a submission sent that is no field of the form. */
const ignored = {
  ignored: t.maybe(
    t.withDescription(
      'Keys that are no field of the form; absent if there are none.',
      t.list(t.text(0, 1 << 20), 1 << 20),
    ),
  ),
  ignoredHints: t.maybe(t.withDescription('By key, what was probably meant.', t.keyed(t.text(0, 1000)))),
}

/** The response to a submission by staff. */
export const SubmissionReceipt = t.joinShapes('Submission', Response, t.shape(ignored))

/** What somebody without an account sees after they answered a form. */
export const AnswersReceived = t.shape('AnswersReceived', {
  postSubmissionText: t.orNull(t.text(0, 3000)),
  onScreenMessages: t.list(t.text(0, 3000)),
  ruleMessages: t.maybe(
    t.withDescription('The same messages with their ids and severity; absent if there are none.', t.list(RuleMessage)),
  ),
})

/** The response to a participant's submission, with the texts that the app shows after it. */
export const Receipt = t.joinShapes('Receipt', SubmissionReceipt, AnswersReceived)

const DraftEntry = t.shape('DraftEntry', { value: t.anything(), createdAt: t.maybe(t.instant()) })

export const Draft = t.shape('ResponseDraft', {
  stage: t.id(),
  stageRecurrence: t.withDescription('Null for a new entry of an ad hoc stage.', t.orNull(t.whole(0))),
  savedAt: t.instant(),
  updateNote: t.orNull(t.text(0, 5000)),
  response: t.keyed(DraftEntry),
})

export const SavedDraft = t.joinShapes('SavedDraft', Draft, t.shape(ignored))

const Mark = t.shape('VerificationMark', { dataType: t.id(), verifiedAt: t.instant(), verifiedBy: t.id() })

export const ResponseValidations = t.withDescription(
  'Source verification marks, by response _id.',
  t.keyed(t.list(Mark)),
)

export const ResponseDeletion = t.shape('ResponseDeletion', { reason: t.text(1, 2000) })

export const ResponseStatus = t.shape('ResponseStatus', { status: t.orNull(t.oneOf('successful', 'unsuccessful')) })

/** The marks of a response after they changed. */
export const Marks = t.shape('VerificationMarks', { responseValidations: ResponseValidations })

export const Allocation = t.shape('ResponseAllocation', { participant: t.maybe(t.id('The participant')) })

export const NewAllocation = t.shape('NewResponseAllocation', {
  participant: t.maybe(t.id('The participant')),
  withoutConsentReason: withoutConsentReason(),
})

const Owner = t.shape('ResponseOwner', { participant: t.orNull(t.id()), stageRecurrence: t.whole(0) })

const IgnoredAnswer = t.shape('IgnoredAnswer', {
  key: t.text(0, 1 << 20),
  dataType: t.withDescription('The data type whose _id or code the key is.', t.orNull(t.id())),
  value: t.anything(),
})

/** An event in the history of a response that is not a submission. */
const ResponseEvent = t.shape('ResponseEvent', {
  type: t.withDescription(
    'cleared: a change ended marks and signatures. moved: allocated to a participant, or detached. ignored: answers that a submission sent for no field of the form.',
    t.oneOf(...eventTypes),
  ),
  createdAt: t.instant(),
  createdBy: t.text(1, 100),
  createdByType: t.oneOf('user', 'participant'),
  submission: t.maybe(t.withDescription('The number of the submission that cleared the marks.', t.whole(1))),
  dataTypes: t.maybe(t.withDescription('The fields that were verified.', t.list(t.id()))),
  marks: t.maybe(t.withDescription('Verification marks that ended.', t.list(Mark))),
  signatures: t.maybe(t.withDescription('Signatures that are no longer valid.', t.list(t.id()))),
  signature: t.maybe(t.id()),
  meaning: t.maybe(t.text(1, 200)),
  ignored: t.maybe(t.list(IgnoredAnswer, 1 << 20)),
  before: t.maybe(t.orNull(t.text(1, 50))),
  after: t.maybe(t.orNull(t.text(1, 50))),
  from: t.maybe(Owner),
  to: t.maybe(Owner),
})

const AnswerChange = t.shape('AnswerChange', {
  dataType: t.id(),
  value: t.anything(),
  url: FileUrl,
  replaced: t.withDescription('The value before; null if there was none.', t.anything()),
  enteredAt: t.maybe(t.instant()),
})

const SubmissionRecord = t.shape('SubmissionRecord', {
  submission: t.whole(1),
  createdAt: t.instant(),
  createdBy: t.text(1, 100),
  createdByType: t.oneOf('user', 'participant'),
  updateNote: t.maybe(t.text(0, 5000)),
  client: t.personal(t.maybe(Client)),
  score: t.maybe(t.number()),
  partialSubmission: t.flag(),
  sentLate: SentLate,
  changes: t.list(AnswerChange),
})

/** All submissions and other events of a response, oldest first. */
export const History = t.shape('ResponseHistory', {
  events: t.list(ResponseEvent, 1_000_000),
  history: t.list(SubmissionRecord),
})
