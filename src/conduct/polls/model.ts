/** Anonymous polls on the wire (docs/polls.md). */

import { CODES_PAGE, nextCodesField } from '#conduct/contactCodes/pages'
import { ParticipantSubmission } from '#conduct/responses/model'
import { StageDetail } from '#conduct/responses/stageDetail'
import { TextLanguages } from '#design/translations/textLanguages'
import {
  flag,
  id,
  instant,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  personal,
  shape,
  text,
  textWithSpaces,
  type ValueOf,
  whole,
  withDescription,
  zone,
} from '#wire/schema'
import { contactMethods } from './rules'

/** An id that a device gives: a UUID, or another text without meaning. */
const entry = () => text(8, 100)
const contact = () => oneOf(...contactMethods)

/** A poll as a person with its link sees it. */
export const OpenedPoll = shape('OpenedPoll', {
  stage: id(),
  trialName: text(0, 500),
  name: oneLine(0, 1000),
  description: orNull(text(0, 10_000)),
  isOpen: withDescription('False: nothing is collected, and no question is shown.', flag()),
  asksEmail: withDescription('Whether an e-mail address must be sent with the answers.', flag()),
  asksPhone: flag(),
  provenContacts: withDescription(
    'The contacts that must be confirmed by a code before the answers are sent.',
    list(contact(), 2),
  ),
  readOutContacts: withDescription(
    'Those for which the server has no sender: the study team reads the code out.',
    list(contact(), 2),
  ),
  consentedContacts: withDescription('Those that must be of somebody who consented to take part.', list(contact(), 2)),
  answersOnce: withDescription('Each confirmed contact can answer once.', flag()),
  allowIncompleteSubmission: flag(),
  oneQuestionPerScreen: flag(),
  showProgressBar: flag(),
  zone: zone(),
  version: text(0, 100),
  components: StageDetail.properties.components,
  texts: TextLanguages,
})

export const PollLink = shape({
  link: maybe(withDescription('The id of the custom link by which the person came.', text(1, 100))),
})

export const PollInput = shape('PollInput', {
  entry: withDescription(
    'An id that the device makes for these answers. The same are stored once, at any time.',
    entry(),
  ),
  link: maybe(withDescription('The id of the custom link by which the person came.', orNull(text(1, 100)))),
  email: maybe(withDescription('An e-mail address, if the poll asks for one.', orNull(text(1, 200)))),
  phone: maybe(
    withDescription('A telephone number with its country code, if the poll asks for one.', orNull(text(1, 40))),
  ),
  response: ParticipantSubmission,
})
export type PollInput = ValueOf<typeof PollInput>

export const PollCodeRequest = shape('PollCodeRequest', {
  entry: withDescription(
    'The id with which the answers will be sent: what is confirmed counts for these. Choose it at random, and use it for one person.',
    text(16, 100),
  ),
  method: contact(),
  address: withDescription('An e-mail address, or a telephone number with its country code.', text(3, 200)),
})
export const PollCodeSent = shape('PollCodeSent', {
  method: contact(),
  address: withDescription('As it is stored: send it so with the answers, or as it was entered.', text(1, 200)),
  expiresAt: instant(),
})

export const PollCodeEntered = shape('PollCodeEntered', {
  entry: text(16, 100),
  method: contact(),
  code: textWithSpaces(1, 20),
})
export const PollCodeChecked = shape('PollCodeChecked', {
  isVerified: flag(),
  triesLeft: whole(0, 5),
  hasAnswered: withDescription('Confirmed, but this contact has answered already, and may answer once.', flag()),
})

export const PollCodes = shape('PollCodes', {
  codes: list(
    shape('PollPendingCode', {
      stage: id(),
      method: contact(),
      address: maybe(personal(withDescription('Where it was sent', text(0, 200)))),
      code: maybe(
        personal(
          withDescription(
            'Null: the poll asks for a consent, and there is no consent with this address.',
            orNull(text(6, 6)),
          ),
        ),
      ),
      createdAt: instant(),
      expiresAt: instant(),
      triesLeft: whole(0, 5),
    }),
    CODES_PAGE,
  ),
  next: nextCodesField(),
})

/** The most answers in a page. */
const MOST = 100

export const PollPage = shape({
  after: maybe(withDescription('Goes on after the page whose `next` was this.', id())),
  perPage: maybe(withDescription('The default is 30.', whole(1, MOST))),
})

const verified = () =>
  withDescription('When a code confirmed it; null if the poll did not ask for that.', orNull(instant()))

const PollAnswer = shape('PollAnswer', {
  response: withDescription('The response with the answers.', id()),
  createdAt: instant(),
  link: orNull(text(0, 100)),
  linkName: orNull(text(0, 200)),
  attributes: withDescription(
    'Those of the custom link, as they were then.',
    list(shape('PollAttribute', { name: oneLine(0, 100), value: text(0, 1000) }), 100),
  ),
  email: personal(orNull(text(0, 200))),
  phone: personal(orNull(text(0, 40))),
  emailVerifiedAt: personal(verified()),
  phoneVerifiedAt: personal(verified()),
})

export const PollAnswers = shape('PollAnswers', {
  answers: list(PollAnswer, MOST),
  total: withDescription('How many came so far.', whole(0)),
  next: withDescription('`after` of the next page; null if this is the last.', orNull(id())),
})
