/** Anonymous polls on the wire (docs/polls.md). */
import { ParticipantSubmission } from '#conduct/responses/model'
import { StageDetail } from '#conduct/responses/stageDetail'
import {
  email,
  flag,
  id,
  instant,
  list,
  maybe,
  type Of,
  orNull,
  personal,
  shape,
  text,
  whole,
  withDescription,
  zone,
} from '#wire/words'

/** An id that a device gives: a UUID, or another text without meaning. */
const entry = () => text(8, 100)
const phone = () => text(3, 40)

/** A poll as whoever has its link sees it. */
export const OpenedPoll = shape('OpenedPoll', {
  stage: id(),
  trialName: text(0, 500),
  name: text(0, 1000),
  description: orNull(text(0, 10_000)),
  isOpen: withDescription('False: nothing is collected, and no question is shown.', flag()),
  asksEmail: withDescription('Whether an e-mail address must be sent with the answers.', flag()),
  asksPhone: flag(),
  needsProof: withDescription(
    'Whether a contact must be verified or consented, which a link cannot do yet: nothing is taken.',
    flag(),
  ),
  allowIncompleteSubmission: flag(),
  oneQuestionPerScreen: flag(),
  showProgressBar: flag(),
  zone: zone(),
  version: text(0, 100),
  components: StageDetail.properties.components,
})

export const PollInput = shape('PollInput', {
  entry: withDescription(
    'An id that the device makes for these answers. The same are stored once, at any time.',
    entry(),
  ),
  link: maybe(withDescription('The id of the custom link by which the person came.', orNull(text(1, 100)))),
  email: maybe(orNull(email())),
  phone: maybe(orNull(phone())),
  response: ParticipantSubmission,
})
export type PollInput = Of<typeof PollInput>

export const PollReceipt = shape('PollReceipt', {
  postSubmissionText: orNull(text(0, 3000)),
  onScreenMessages: list(text(0, 3000)),
})

export const PollPage = shape({
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(whole(1, 100)),
})

const PollAnswer = shape('PollAnswer', {
  response: withDescription('The response with the answers.', id()),
  createdAt: instant(),
  link: orNull(text(0, 100)),
  linkName: orNull(text(0, 200)),
  attributes: withDescription(
    'Those of the custom link, as they were then.',
    list(shape('PollAttribute', { name: text(0, 100), value: text(0, 1000) }), 100),
  ),
  email: personal(orNull(text(0, 200))),
  phone: personal(orNull(text(0, 40))),
})

export const PollAnswers = shape('PollAnswers', {
  answers: list(PollAnswer, 100),
  total: withDescription('How many came so far.', whole(0)),
  page: whole(1),
  nextPageAvailable: flag(),
})
