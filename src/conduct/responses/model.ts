import { withoutConsentReason } from '#conduct/consents/required'
import { RuleMessage } from '#design/stages/components'
import { reason } from '#kernel/refusals/reason'
import {
  anything,
  flag,
  id,
  instant,
  joinShapes,
  keyed,
  list,
  maybe,
  number,
  oneLine,
  oneOf,
  orNull,
  personal,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'
import { eventTypes } from './events'

/** The IP address and the device from which an answer was sent. */
export const Client = shape('ClientDevice', { address: orNull(text(0, 100)), device: orNull(text(0, 300)) })

const FileUrl = maybe(
  withDescription('For an uploaded file, image or video: its URL, which works for an hour.', text(1, 5000)),
)

const SentLate = maybe(
  withDescription(
    'True if the participant answered before the form closed, as their device says, and it arrived after that.',
    flag(),
  ),
)

/** See docs/data-types.md, "Value formats". */
const ResponseEntry = shape('ResponseEntry', {
  value: withDescription('The format of the data type defines its form; null for a blank.', anything()),
  url: FileUrl,
  createdAt: withDescription('When the answer was recorded, by the clock of the server.', instant()),
  enteredAt: withDescription('When the answer was given, if the client sent it.', maybe(instant())),
  sentLate: SentLate,
  createdBy: text(1, 100),
  createdByType: oneOf('user', 'participant'),
  updateNote: maybe(text(0, 5000)),
  client: personal(maybe(Client)),
})

/** See docs/forms.md, "Submissions". */
export const Response = shape('Response', {
  _id: id(),
  trial: id(),
  stage: id(),
  stageRecurrence: whole(0),
  participant: orNull(id()),
  participantId: orNull(oneLine(0, 50)),
  createdAt: instant(),
  updatedAt: instant(),
  score: maybe(number()),
  status: orNull(oneOf('successful', 'unsuccessful')),
  partialSubmission: flag(),
  sentLate: SentLate,
  response: withDescription('Keyed by data type _id.', keyed(ResponseEntry)),
})

/** One answer as it is written. */
export const SentEntry = shape(
  'SentEntry',
  {
    value: maybe(anything()),
    createdAt: withDescription('When the answer was given; kept as enteredAt.', maybe(orNull(instant()))),
    updateNote: withDescription(
      'Why staff changed the answer, if no note is beside the answers.',
      maybe(orNull(text(0, 5000))),
    ),
    // Clients may send back the fields that a GET returns; they are ignored.
    url: maybe(anything()),
    enteredAt: maybe(anything()),
    sentLate: maybe(anything()),
    createdBy: maybe(anything()),
    createdByType: maybe(anything()),
    client: maybe(anything()),
  },
  { problem: reason('notAnswer') },
)

export const StaffSubmission = shape('StaffSubmission', {
  response: keyed(SentEntry, {
    problem: reason('notAnswers'),
    missing: reason('answersMissing'),
  }),
  updateNote: maybe(orNull(text(0, 5000))),
  withoutConsentReason: withoutConsentReason(),
})

export const ParticipantSubmission = keyed(SentEntry, {
  problem: reason('notAnswersBody'),
  wrongKeys: { response: reason('answersUnwrapped') },
})

/** What a device says of the form that it sends. */
export const OpenedFormQuery = shape({
  opened: maybe(
    withDescription(
      '`opened` of the stage, as the device read it. With it, answers that were given before the form closed are taken after that too.',
      text(0, 200),
    ),
  ),
  version: maybe(
    withDescription(
      '`version` of the form that was filled in: a refusal then says if it has changed since.',
      text(0, 100),
    ),
  ),
})

/** What a submission sent that is no field of the form. */
const ignored = {
  ignored: maybe(
    withDescription('Keys that are no field of the form; absent if there are none.', list(text(0, 1 << 20), 1 << 20)),
  ),
  ignoredHints: maybe(withDescription('By key, what was probably meant.', keyed(text(0, 1000)))),
}

/** The response to a submission by staff. */
export const SubmissionReceipt = joinShapes('Submission', Response, shape(ignored))

/** What somebody without an account sees after they answered a form. */
export const AnswersReceived = shape('AnswersReceived', {
  postSubmissionText: orNull(text(0, 3000)),
  onScreenMessages: list(text(0, 3000)),
  ruleMessages: maybe(
    withDescription('The same messages with their ids and severity; absent if there are none.', list(RuleMessage)),
  ),
})

/** The response to a participant's submission, with the texts that the app shows after it. */
export const Receipt = joinShapes('Receipt', SubmissionReceipt, AnswersReceived)

const DraftEntry = shape('DraftEntry', { value: anything(), createdAt: maybe(instant()) })

export const Draft = shape('ResponseDraft', {
  stage: id(),
  stageRecurrence: withDescription('Null for a new entry of an ad hoc stage.', orNull(whole(0))),
  savedAt: instant(),
  updateNote: orNull(text(0, 5000)),
  response: keyed(DraftEntry),
})

export const SavedDraft = joinShapes('SavedDraft', Draft, shape(ignored))

export const Mark = shape('VerificationMark', { dataType: id(), verifiedAt: instant(), verifiedBy: id() })

export const ResponseValidations = withDescription('Source verification marks, by response _id.', keyed(list(Mark)))

export const ResponseDeletion = shape('ResponseDeletion', { reason: text(1, 2000) })

export const ResponseStatus = shape('ResponseStatus', { status: orNull(oneOf('successful', 'unsuccessful')) })

/** The marks of a response after they changed. */
export const Marks = shape('VerificationMarks', { responseValidations: ResponseValidations })

export const Allocation = shape('ResponseAllocation', { participant: maybe(id('The participant')) })

export const NewAllocation = shape('NewResponseAllocation', {
  participant: maybe(id('The participant')),
  withoutConsentReason: withoutConsentReason(),
})

const Owner = shape('ResponseOwner', { participant: orNull(id()), stageRecurrence: whole(0) })

const IgnoredAnswer = shape('IgnoredAnswer', {
  key: text(0, 1 << 20),
  dataType: withDescription('The data type whose _id or code the key is.', orNull(id())),
  value: anything(),
})

/** An event in the history of a response that is not a submission. */
const ResponseEvent = shape('ResponseEvent', {
  type: withDescription(
    'cleared: a change ended marks and signatures. moved: allocated to a participant, or detached. ignored: answers that a submission sent for no field of the form.',
    oneOf(...eventTypes),
  ),
  createdAt: instant(),
  createdBy: text(1, 100),
  createdByType: oneOf('user', 'participant'),
  submission: maybe(withDescription('The number of the submission that cleared the marks.', whole(1))),
  dataTypes: maybe(withDescription('The fields that were verified.', list(id()))),
  marks: maybe(withDescription('Verification marks that ended.', list(Mark))),
  signatures: maybe(withDescription('Signatures that are no longer valid.', list(id()))),
  signature: maybe(id()),
  meaning: maybe(text(1, 200)),
  ignored: maybe(list(IgnoredAnswer, 1 << 20)),
  before: maybe(orNull(text(1, 50))),
  after: maybe(orNull(text(1, 50))),
  from: maybe(Owner),
  to: maybe(Owner),
})

const AnswerChange = shape('AnswerChange', {
  dataType: id(),
  value: anything(),
  url: FileUrl,
  replaced: withDescription('The value before; null if there was none.', anything()),
  enteredAt: maybe(instant()),
})

const SubmissionRecord = shape('SubmissionRecord', {
  submission: whole(1),
  createdAt: instant(),
  createdBy: text(1, 100),
  createdByType: oneOf('user', 'participant'),
  updateNote: maybe(text(0, 5000)),
  client: personal(maybe(Client)),
  score: maybe(number()),
  partialSubmission: flag(),
  sentLate: SentLate,
  changes: list(AnswerChange),
})

/** All submissions and other events of a response, oldest first. */
export const History = shape('ResponseHistory', {
  events: list(ResponseEvent, 1_000_000),
  history: list(SubmissionRecord),
})
