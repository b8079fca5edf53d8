/** Anonymous polls on the wire (docs/polls.md). */

import { CODES_PAGE, nextCodesField } from '#conduct/contactCodes/pages'
import { ParticipantSubmission } from '#conduct/responses/model'
import { StageDetail } from '#conduct/responses/stageDetail'
import { TextLanguages } from '#design/translations/textLanguages'
import * as t from '#wire/schema'
import { contactMethods } from './rules'

/** An id that a device gives: a UUID, or another text without meaning. */
const entry = () => t.text(8, 100)
const contact = () => t.oneOf(...contactMethods)

/** A poll as a person with its link sees it. */
export const OpenedPoll = t.shape('OpenedPoll', {
  stage: t.id(),
  trialName: t.text(0, 500),
  name: t.oneLine(0, 1000),
  description: t.orNull(t.text(0, 10_000)),
  isOpen: t.withDescription('False: nothing is collected, and no question is shown.', t.flag()),
  asksEmail: t.withDescription('Whether an e-mail address must be sent with the answers.', t.flag()),
  asksPhone: t.flag(),
  provenContacts: t.withDescription(
    'The contacts that must be confirmed by a code before the answers are sent.',
    t.list(contact(), 2),
  ),
  readOutContacts: t.withDescription(
    'Those for which the server has no sender: the study team reads the code out.',
    t.list(contact(), 2),
  ),
  consentedContacts: t.withDescription(
    'Those that must be of somebody who consented to take part.',
    t.list(contact(), 2),
  ),
  answersOnce: t.withDescription('Each confirmed contact can answer once.', t.flag()),
  allowIncompleteSubmission: t.flag(),
  oneQuestionPerScreen: t.flag(),
  showProgressBar: t.flag(),
  zone: t.zone(),
  version: t.text(0, 100),
  components: StageDetail.properties.components,
  texts: TextLanguages,
})

export const PollLink = t.shape({
  link: t.maybe(t.withDescription('The id of the custom link by which the person came.', t.text(1, 100))),
})

export const PollInput = t.shape('PollInput', {
  entry: t.withDescription(
    'An id that the device makes for these answers. The same are stored once, at any time.',
    entry(),
  ),
  link: t.maybe(t.withDescription('The id of the custom link by which the person came.', t.orNull(t.text(1, 100)))),
  email: t.maybe(t.withDescription('An e-mail address, if the poll asks for one.', t.orNull(t.text(1, 200)))),
  phone: t.maybe(
    t.withDescription('A telephone number with its country code, if the poll asks for one.', t.orNull(t.text(1, 40))),
  ),
  response: ParticipantSubmission,
})
export type PollInput = t.ValueOf<typeof PollInput>

export const PollCodeRequest = t.shape('PollCodeRequest', {
  entry: t.withDescription(
    'The id with which the answers will be sent: what is confirmed counts for these. Choose it at random, and use it for one person.',
    t.text(16, 100),
  ),
  method: contact(),
  address: t.withDescription('An e-mail address, or a telephone number with its country code.', t.text(3, 200)),
})
export const PollCodeSent = t.shape('PollCodeSent', {
  method: contact(),
  address: t.withDescription('As it is stored: send it so with the answers, or as it was entered.', t.text(1, 200)),
  expiresAt: t.instant(),
})

export const PollCodeEntered = t.shape('PollCodeEntered', {
  entry: t.text(16, 100),
  method: contact(),
  code: t.textWithSpaces(1, 20),
})
export const PollCodeChecked = t.shape('PollCodeChecked', {
  isVerified: t.flag(),
  triesLeft: t.whole(0, 5),
  hasAnswered: t.withDescription('Confirmed, but this contact has answered already, and may answer once.', t.flag()),
})

export const PollCodes = t.shape('PollCodes', {
  codes: t.list(
    t.shape('PollPendingCode', {
      stage: t.id(),
      method: contact(),
      address: t.maybe(t.personal(t.withDescription('Where it was sent', t.text(0, 200)))),
      code: t.maybe(
        t.personal(
          t.withDescription(
            'Null: the poll asks for a consent, and there is no consent with this address.',
            t.orNull(t.text(6, 6)),
          ),
        ),
      ),
      createdAt: t.instant(),
      expiresAt: t.instant(),
      triesLeft: t.whole(0, 5),
    }),
    CODES_PAGE,
  ),
  next: nextCodesField(),
})

/** The most answers in a page. */
const MOST = 100

export const PollPage = t.shape({
  after: t.maybe(t.withDescription('Goes on after the page whose `next` was this.', t.id())),
  perPage: t.maybe(t.withDescription('The default is 30.', t.whole(1, MOST))),
})

const verified = () =>
  t.withDescription('When a code confirmed it; null if the poll did not ask for that.', t.orNull(t.instant()))

const PollAnswer = t.shape('PollAnswer', {
  response: t.withDescription('The response with the answers.', t.id()),
  createdAt: t.instant(),
  link: t.orNull(t.text(0, 100)),
  linkName: t.orNull(t.text(0, 200)),
  attributes: t.withDescription(
    'Those of the custom link, as they were then.',
    t.list(t.shape('PollAttribute', { name: t.oneLine(0, 100), value: t.text(0, 1000) }), 100),
  ),
  email: t.personal(t.orNull(t.text(0, 200))),
  phone: t.personal(t.orNull(t.text(0, 40))),
  emailVerifiedAt: t.personal(verified()),
  phoneVerifiedAt: t.personal(verified()),
})

export const PollAnswers = t.shape('PollAnswers', {
  answers: t.list(PollAnswer, MOST),
  total: t.withDescription('How many came so far.', t.whole(0)),
  next: t.withDescription('`after` of the next page; null if this is the last.', t.orNull(t.id())),
})
